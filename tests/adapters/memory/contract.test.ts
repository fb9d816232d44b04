import test from 'ava'
import { memoryStore } from '../../../adapters/memory/memory-store.ts'
import type { AnyCollection } from '../../../core/kernel/records/collection.ts'
import { storeContract } from '../../contracts/store/store-contract.ts'
import { contractTests } from '../contract-tests.ts'

/**
 * Collections that other releases may take over while the store is open, since nothing outlives it: their codecs and keys
 * change, and what the store has made of the records is what it was opened with.
 */
const releases = (collections: readonly AnyCollection[]) => {
  let present = new Map(collections.map((collection) => [collection.name, collection]))
  const row = (opened: AnyCollection): AnyCollection => ({
    ...opened,
    get codec() {
      return (present.get(opened.name) ?? opened).codec
    },
    get keys() {
      return (present.get(opened.name) ?? opened).keys ?? {}
    },
  })
  return {
    rows: collections.map(row),
    become: (others: readonly AnyCollection[]) => {
      present = new Map(others.map((collection) => [collection.name, collection]))
    },
  }
}

const open = async (collections: readonly AnyCollection[]) => {
  const { rows, become } = releases(collections)
  const store = memoryStore(rows)
  return {
    store,
    as: async (others: readonly AnyCollection[]) => {
      become(others)
      return store
    },
    close: () => store.close(),
  }
}

contractTests(test, 'memory', storeContract({ open }))
