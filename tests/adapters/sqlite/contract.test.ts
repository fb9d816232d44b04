import test from 'ava'
import { sqliteStore } from '../../../adapters/sqlite/store.ts'
import type { Store } from '../../../core/ports/store.ts'
import { storeContract } from '../../contracts/store.ts'
import { thingCollections } from '../../fixtures/things.ts'
import { someFile } from './file.ts'

storeContract(test, 'sqlite', async () => {
  const { path, remove } = await someFile()
  const opened: Store[] = []
  const open = async (): Promise<Store> => {
    const store = await sqliteStore(path, thingCollections)
    opened.push(store)
    return store
  }
  const store = await open()
  return {
    store,
    second: open,
    reopen: async () => {
      for (const one of opened.splice(0)) await one.close()
      return open()
    },
    close: async () => {
      for (const one of opened) await one.close()
      await remove()
    },
  }
})
