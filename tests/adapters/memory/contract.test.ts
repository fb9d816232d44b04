import test from 'ava'
import { memoryStore } from '../../../adapters/memory/memory-store.ts'
import { storeContract } from '../../contracts/store.ts'
import { thingCollections } from '../../fixtures/things.ts'

storeContract(test, 'memory', async () => {
  const store = memoryStore(thingCollections)
  return { store, close: () => store.close() }
})
