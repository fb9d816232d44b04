import test from 'ava'
import { memoryStore } from '../../../../adapters/memory/memory-store.ts'
import { paymentsCollections } from '../../../../core/payments/payments.ts'
import { FULL, printSeed } from '../../../size.ts'
import { openSqlite } from '../../observed-store.ts'
import { assertStatements } from './assert-statements.ts'

/** The number of ledgers in memory; SQLite gets a twentieth. */
const LEDGERS = FULL ? 10_000 : 20

test('every statement of a random ledger equals the model, in memory', async (t) => {
  t.timeout(1_800_000)
  printSeed(t)
  await assertStatements(t, () => memoryStore(paymentsCollections), LEDGERS)
})

test('every statement of a random ledger equals the model, on SQLite', async (t) => {
  t.timeout(1_800_000)
  printSeed(t)
  const store = await openSqlite(t, paymentsCollections)
  await assertStatements(t, () => store, FULL ? LEDGERS / 20 : 3)
})
