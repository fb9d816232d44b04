import test from 'ava'
import { mongoStore } from '../../../adapters/mongodb/mod.ts'
import { collectionsOf } from '../../../apps/host/host.ts'
import { payments } from '../../../apps/payments/app.ts'
import { assertModel } from '../../core/payments/money-out/assert-model.ts'
import { FULL, printSeed } from '../../size.ts'
import { onReplicaSet } from './replica-set.ts'

onReplicaSet(test, (server) => {
  test('M11: whatever moves money in whatever order, everybody is told what a model says, on MongoDB', async (t) => {
    t.timeout(1_800_000)
    printSeed(t)
    const store = await mongoStore(server.url(), collectionsOf([payments]), { report: () => {} })
    t.teardown(() => store.close())
    await assertModel(t, () => store, FULL ? { runs: 100, most: 50 } : { runs: 2, most: 20 })
  })
})
