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
    const open = async (): Promise<Store> => {
      const store = await mongoStore(url, thingCollections)
      opened.push(store)
      return store
    }
    const closeAll = async () => {
      for (const one of opened.splice(0)) await one.close()
    }
    return {
      store: await open(),
      second: open,
      reopen: async () => {
        await closeAll()
        return open()
      },
      close: closeAll,
    }
  }),
)
