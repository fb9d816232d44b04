import test from 'ava'
import { type MongoStore, mongoStore } from '../../../adapters/mongodb/mod.ts'
import type { AnyCollection } from '../../../core/kernel/records/record.ts'
import { storeContract } from '../../contracts/store/store-contract.ts'
import { contractTests } from '../contract-tests.ts'
import { onReplicaSet, type ReplicaSet } from './replica-set.ts'

const openOn = (server: ReplicaSet) => async (collections: readonly AnyCollection[]) => {
  const url = server.url()
  const opened: MongoStore[] = []
  const open = async (others = collections): Promise<MongoStore> => {
    // Indexes of an older release are reported.
    const store = await mongoStore(url, others, { report: () => {} })
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
    close: closeAll,
  }
}

onReplicaSet(test, (server) => contractTests(test, 'mongodb', storeContract({ open: openOn(server), shapes: true })))
