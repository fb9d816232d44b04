import test from 'ava'
import { type SqliteStore, sqliteStore } from '../../../adapters/sqlite/store.ts'
import type { AnyCollection } from '../../../core/kernel/records/collection.ts'
import { storeContract } from '../../contracts/store/store-contract.ts'
import { contractTests } from '../contract-tests.ts'
import { someFile } from './file.ts'

const openOn = async (collections: readonly AnyCollection[]) => {
  const { path, remove } = await someFile()
  const opened: SqliteStore[] = []
  const open = async (others = collections): Promise<SqliteStore> => {
    const store = await sqliteStore(path, others)
    opened.push(store)
    return store
  }
  const closeAll = async () => {
    for (const one of opened.splice(0)) await one.close()
  }
  return {
    store: await open(),
    second: () => open(),
    reopen: async () => {
      await closeAll()
      return open()
    },
    as: async (others: readonly AnyCollection[]) => {
      await closeAll()
      return open(others)
    },
    settled: async () => {
      for (const one of opened) await one.settled()
    },
    close: async () => {
      await closeAll()
      await remove()
    },
  }
}

contractTests(test, 'sqlite', storeContract({ open: openOn, shapes: true }))
