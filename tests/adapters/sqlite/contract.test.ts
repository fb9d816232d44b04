import test from 'ava'
import { sqliteStore } from '../../../adapters/sqlite/store.ts'
import type { Store } from '../../../core/ports/store.ts'
import { storeContract } from '../../contracts/store.ts'
import { thingCollections } from '../../fixtures/things.ts'
import { someFile } from './file.ts'

storeContract(test, 'sqlite', async () => {
  const { path, remove } = await someFile()
  const opened: Store[] = []
  const open = async (collections = thingCollections): Promise<Store> => {
    const store = await sqliteStore(path, collections)
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
    as: async (collections) => {
      await closeAll()
      return open(collections)
    },
    close: async () => {
      await closeAll()
      await remove()
    },
  }
})
