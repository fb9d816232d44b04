import test from 'ava'
import { memoryRecords, memoryStore } from '../../../adapters/memory/memory-store.ts'
import type { AnyCollection } from '../../../core/kernel/records/collection.ts'
import { storeContract } from '../../contracts/store/store-contract.ts'
import { contractTests } from '../contract-tests.ts'

const open = async (collections: readonly AnyCollection[]) => {
  const records = memoryRecords()
  let store = memoryStore(collections, { records })
  const as = async (others: readonly AnyCollection[]) => {
    await store.close()
    store = memoryStore(others, { records })
    return store
  }
  return { store, as, reopen: () => as(collections), close: () => store.close() }
}

contractTests(test, 'memory', storeContract({ open, shapes: true }))
