// Runs in test:long only.
// Runs alone.
import test from 'ava'
import { openStore } from '../../../apps/host/open-store.ts'
import { payments } from '../../../apps/payments/app.ts'
import { onReplicaSet } from '../../adapters/mongodb/replica-set.ts'
import { crashRounds } from './rounds.ts'

/** The server's limit of an abandoned transaction: the writes of a dead process stay locked until then. */
const LIFETIME_SECONDS = 1

onReplicaSet(test, (server) => {
  test('loses no answered change, repeats none and delivers every webhook when killed at random under load', async (t) => {
    const admin = (await server.client()).db('admin')
    await admin.command({ setParameter: 1, transactionLifetimeLimitSeconds: LIFETIME_SECONDS })
    const url = server.url()
    const store = await openStore(url, payments.collections)
    t.teardown(() => store.close())
    await crashRounds(t, { url, env: {}, inspect: (faultsOf) => faultsOf(store) })
  })
})
