// Runs in test:long only.
// Runs alone.
import test from 'ava'
import { openStore } from '../../../apps/host/open-store.ts'
import { payments } from '../../../apps/payments/app.ts'
import { onReplicaSet } from '../../adapters/mongodb/replica-set.ts'
import { crashRounds } from './rounds.ts'

/** The server's own bound of a transaction that nobody goes on with: what a dead process has written stays locked for it. */
const LIFETIME_SECONDS = 1

onReplicaSet(test, (server) => {
  test('killed at random moments of a mixed load: nothing is lost, nothing is twice, and every webhook arrives', async (t) => {
    const admin = (await server.client()).db('admin')
    await admin.command({ setParameter: 1, transactionLifetimeLimitSeconds: LIFETIME_SECONDS })
    const url = server.url()
    const store = await openStore(url, payments.collections)
    t.teardown(() => store.close())
    await crashRounds(t, { url, env: {}, look: (find) => find(store) })
  })
})
