import test from 'ava'
import { sqliteStore } from '../../../adapters/sqlite/store.ts'
import type { AnyCollection } from '../../../core/kernel/records/record.ts'
import { storeContract } from '../../contracts/store/store-contract.ts'
import { inFull } from '../../size.ts'
import { contractTests, openings } from '../contract-tests.ts'
import { someFile } from './file.ts'

const openOn = async (collections: readonly AnyCollection[], begun = collections) => {
  const { path, remove } = await someFile()
  if (begun !== collections) await (await sqliteStore(path, begun)).close()
  return openings((others) => sqliteStore(path, others), collections, remove)
}

contractTests(test, 'sqlite', storeContract({ open: (collections) => openOn(collections), shapes: true }))

/** On a file of an earlier release, whose collections had no fields but the owner: all columns are computed. */
const openComputed = async (collections: readonly AnyCollection[]) => {
  const plain = collections.map(({ conditions: _c, indexes: _i, tallies: _t, ...kept }) => kept)
  return openOn(collections, plain)
}

const computed = storeContract({ open: openComputed }).filter(({ name }) =>
  /^(any tree|sorts by any|random batches)/.test(name),
)
inFull(test, 'sqlite, columns computed: the random cases of the contract', () =>
  contractTests(test, 'sqlite, columns computed', computed),
)
test('three random cases run with computed columns', (t) => t.is(computed.length, 3))
