import test from 'ava'
import { mongoStore } from '../../../adapters/mongodb/mod.ts'
import { paymentsCollections } from '../../../core/payments/payments.ts'
import { assertStatements } from '../../core/payments/statements/assert-statements.ts'
import { FULL, printSeed } from '../../size.ts'
import { onReplicaSet } from './replica-set.ts'

onReplicaSet(test, (server) => {
  test('M10: every statement of a random ledger is what a pencil makes of its lines, on MongoDB', async (t) => {
    t.timeout(1_800_000)
    printSeed(t)
    const store = await mongoStore(server.url(), paymentsCollections, { report: () => {} })
    t.teardown(() => store.close())
    await assertStatements(t, () => store, FULL ? 500 : 4)
  })
})
