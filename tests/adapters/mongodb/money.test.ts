import test from 'ava'
import { mongoStore } from '../../../adapters/mongodb/mod.ts'
import { collectionsOf } from '../../../apps/host/host.ts'
import { payments } from '../../../apps/payments/app.ts'
import { paymentsCollections } from '../../../core/payments/payments.ts'
import { emptyDatabase } from '../../apps/fresh-store.ts'
import { assertLeavesOnce, KINDS } from '../../core/payments/money-out/assert-leaves-once.ts'
import { assertModel } from '../../core/payments/money-out/assert-model.ts'
import { assertStatements } from '../../core/payments/statements/assert-statements.ts'
import { FULL, printSeed } from '../../size.ts'
import { onReplicaSet } from './replica-set.ts'

onReplicaSet(test, (server) => {
  for (const [name, kind] of Object.entries(KINDS))
    test.serial(`R3: whatever the bank answers, or does not, ${name} leaves at most once, on MongoDB`, async (t) => {
      t.timeout(900_000)
      printSeed(t)
      const url = server.url()
      const store = await mongoStore(url, collectionsOf([payments]), { report: () => {} })
      t.teardown(() => store.close())
      // To make the tables takes longer than a seed: they are emptied for the next.
      await assertLeavesOnce(t, kind, FULL ? 50 : 1, async () => ({ store, end: () => emptyDatabase(url) }))
    })
})

onReplicaSet(test, (server) => {
  test('M11: whatever moves money in whatever order, everybody is told what a model says, on MongoDB', async (t) => {
    t.timeout(1_800_000)
    printSeed(t)
    const store = await mongoStore(server.url(), collectionsOf([payments]), { report: () => {} })
    t.teardown(() => store.close())
    await assertModel(t, () => store, FULL ? { runs: 100, most: 50 } : { runs: 2, most: 20 })
  })
})

onReplicaSet(test, (server) => {
  test('M10: every statement of a random ledger is what a pencil makes of its lines, on MongoDB', async (t) => {
    t.timeout(1_800_000)
    printSeed(t)
    const store = await mongoStore(server.url(), paymentsCollections, { report: () => {} })
    t.teardown(() => store.close())
    await assertStatements(t, () => store, FULL ? 500 : 4)
  })
})
