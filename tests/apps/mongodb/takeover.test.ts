import test from 'ava'
import { mongoStore } from '../../../adapters/mongodb/mod.ts'
import { payments } from '../../../apps/payments/app.ts'
import type { AnyCollection } from '../../../core/kernel/records/record.ts'
import { verifyTallies } from '../../../core/kernel/running/verify.ts'
import { clients } from '../../../core/payments/customers/client.ts'
import { onReplicaSet } from '../../adapters/mongodb/replica-set.ts'
import { program } from '../../bundle.ts'
import { FULL } from '../../size.ts'
import { folder } from '../host/disk.ts'
import { startCommand } from '../host/process.ts'
import { STORE_SECRETS } from '../store-url.ts'

/** The collections of a later release: it has one more tally of clients. */
const later: readonly AnyCollection[] = payments.collections.map((collection) =>
  collection.name === clients.name
    ? { ...collection, tallies: [...(collection.tallies ?? []), { by: ['accountId'], sum: [] }] }
    : collection,
)

onReplicaSet(test, (server) => {
  test('servers of a release that is overtaken end with one line each, and leave no lease behind', async (t) => {
    const DATA_DIR = await folder(t)
    const STORE_URL = server.url()
    const command = [process.execPath, await program()] as const
    const begun = (FULL ? [1, 2] : [1]).map(() => startCommand(command, { DATA_DIR, STORE_URL, ...STORE_SECRETS }))
    for (const { child, ready } of begun) {
      t.teardown(() => child.kill('SIGKILL'))
      t.is((await fetch(`${(await ready).payments}/health`)).status, 200)
    }
    const store = await mongoStore(STORE_URL, later)
    t.teardown(() => store.close())
    for (const { ended } of begun) {
      const { code, stderr } = await ended
      t.is(code, 1)
      t.regex(stderr, /^STORE_URL: MongoDB: a newer release has taken the store over: .*\n$/)
    }
    t.deepEqual((await verifyTallies(store, later)).faults, [])
    const leases = (await server.db(STORE_URL)).collection('_processes')
    t.is(await leases.countDocuments(), 1)
  })
})
