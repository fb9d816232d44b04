import test from 'ava'
import { mongoStore } from '../../../adapters/mongodb/mod.ts'
import type { AnyCollection } from '../../../core/kernel/records/record.ts'
import { storeContract } from '../../contracts/store/store-contract.ts'
import { contractTests, openings } from '../contract-tests.ts'
import { onReplicaSet } from './replica-set.ts'

onReplicaSet(test, (server) => {
  const open = (collections: readonly AnyCollection[]) => {
    const url = server.url()
    // Indexes of an older release are reported.
    return openings((others) => mongoStore(url, others, { report: () => {} }), collections)
  }
  contractTests(test, 'mongodb', storeContract({ open, shapes: true }))
})
