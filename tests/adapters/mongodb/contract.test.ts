import test from 'ava'
import { mongoStore } from '../../../adapters/mongodb/mod.ts'
import type { Store } from '../../../core/ports/store.ts'
import { storeContract } from '../../contracts/store.ts'
import { thingCollections } from '../../fixtures/things.ts'
import { onReplicaSet } from './replica-set.ts'

onReplicaSet(test, (server) =>
  storeContract(test, 'mongodb', async () => {
    const url = server.url()
    const opened: Store[] = []
    const open = async (collections = thingCollections): Promise<Store> => {
      // What an older release made and this one does not want is reported, and what it made of less is made anew.
      const store = await mongoStore(url, collections, { rebuild: true, report: () => {} })
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
      close: closeAll,
    }
  }),
)
