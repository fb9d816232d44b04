import test, { type ExecutionContext } from 'ava'
import { fakeBankCollections } from '../../../../adapters/bank/fake/books.ts'
import { digest } from '../../../../adapters/crypto/cipher.ts'
import { sqliteStore } from '../../../../adapters/sqlite/mod.ts'
import { findings } from '../../../../apps/audit/findings.ts'
import { serverPart } from '../../../../apps/http/rates.ts'
import { always, insert, patch } from '../../../../core/kernel/records/record.ts'
import { namedKeys } from '../../../../core/payments/access/named-key.ts'
import { events } from '../../../../core/payments/events.ts'
import { notificationOf, notifications } from '../../../../core/payments/inbox/inbox.ts'
import { attachImage, audit, saveImage, storedFiles } from '../../../../core/payments/office.ts'
import { paymentsCollections } from '../../../../core/payments/payments.ts'
import { retentionJob } from '../../../../core/payments/privacy/prune.ts'
import { newRegistration, registrations } from '../../../../core/payments/registrations/registration.ts'
import { FIXED_RETENTION, type RetentionDays, SET_RETENTION } from '../../../../core/payments/retention.ts'
import { deliveries } from '../../../../core/payments/webhooks/deliveries.ts'
import type { Store } from '../../../../core/ports/store.ts'
import { onReplicaSet, openUntilEnd } from '../../../adapters/mongodb/replica-set.ts'
import { fileFor } from '../../../adapters/sqlite/file.ts'
import { mortal } from '../webhooks/webhook-fixtures.ts'
import { NOW, openPayments, right } from '../world.ts'

const ALL: RetentionDays = {
  ...{ events: 30, notifications: 30, apiKeys: 30 },
  ...{ rejectedRegistrations: 30, accessRecords: 184 },
}
const COLLECTIONS = [...paymentsCollections, ...fakeBankCollections]

/**
 * A merchant with a delivered and a waiting webhook, a notification, a revoked and a working key, and a rejected
 * registration with an image and one under review: all 200 days old.
 */
const shop = async (base?: Store, retentionDays: RetentionDays = ALL) => {
  const { pay, ports, store, clock, fresh, merchant, every } = openPayments({
    ...(base && { store: base }),
    instead: ({ settings }) => ({ settings: { ...settings, retentionDays } }),
  })
  const { member, userId, id: accountId } = await merchant()
  const actor = { ...member, passwordRecentUntil: '2100-01-01T00:00:00.000Z' }
  const client = right(await pay.clients.create(actor, { name: 'Zuleica', email: 'z@example.com' })())
  const issue = async (webhook: string) => {
    const payer = { clientId: client.id }
    const order = { valueCents: 1_000, paymentMethod: 'PIX', dueDate: '2027-12-30', payer, webhook } as const
    return right(await pay.charges.issue(actor, order)()).charge
  }
  const key = async (name: string) => right(await pay.apiKeys.create(actor, { name, permissions: ['charges:read'] })())
  await issue('https://loja.example/1')
  const waiting = await issue('https://loja.example/2')
  await key('em uso')
  right(await pay.apiKeys.revoke(actor, (await key('revogada')).id)())
  const worker = pay.worker({ report: () => {} })
  await worker.drain()
  const notice = { accountId, type: 'export.failed', data: null } as const
  const id = '00000000-0000-4000-8000-000000000001'
  await store.commit([insert(notifications, notificationOf({ id, userId, now: NOW }, notice))])
  const image = right(await saveImage(ports, 'registration', { contentType: 'image/png', bytes: new Uint8Array(1) }))
  const draws = fresh()
  const applicant = { name: 'Ana', email: 'ana@recusada.example', document: '12345678909' }
  const rejected = newRegistration(draws, { ...applicant, state: 'REJECTED', image1Id: image })
  const reviewed = newRegistration(draws, { ...applicant, state: 'UNDER_REVIEW' })
  await store.commit([insert(registrations, rejected), insert(registrations, reviewed), attachImage(image)])
  clock.advance(200 * 86_400)
  for (const event of await every(events))
    for (const { id: at, eventId } of await every(deliveries))
      if (event.subjectId === waiting.id && eventId === event.id)
        await store.commit([patch(deliveries, at, { set: { dueAt: clock.steady() }, when: always })])
  await issue('https://loja.example/3')
  await issue('https://loja.example/3')
  const counts = async () => {
    const entries = await every(audit.entries)
    return {
      events: (await every(events)).length,
      deliveries: (await every(deliveries)).length,
      notifications: (await every(notifications)).length,
      keys: (await every(namedKeys)).map(({ name }) => name),
      registrations: (await every(registrations)).length,
      images: (await every(storedFiles)).length,
      addresses: entries.filter(({ address }) => address !== null).length,
    }
  }
  return { pay, clock, store, counts, worker }
}

type Shop = Awaited<ReturnType<typeof shop>>

/** Runs the job to its end, slice by slice, on a store that may fail. */
const prune = async ({ pay, clock }: Shop, store: Store = pay.ports.store): Promise<void> => {
  const { run } = retentionJob({ ...pay.ports, store })
  const slice = { steady: clock.steady(), report: () => {} }
  for (let cursor: string | null = await run({ ...slice, cursor: null }); cursor !== null; )
    cursor = await run({ ...slice, cursor })
}

const PRUNED = {
  ...{ events: 3, deliveries: 1, notifications: 0, keys: ['em uso'], registrations: 1, addresses: 0 },
  // The worker removes it.
  images: 1,
}

const verify = async (t: ExecutionContext, { store }: Shop) => {
  for await (const { area, faults } of findings({ store, digest }, COLLECTIONS)) t.deepEqual(faults, [], area)
}

const prunesOn = async (t: ExecutionContext, base?: Store) => {
  const here = await shop(base)
  const before = await here.counts()
  t.like(before, { events: 4, deliveries: 2, notifications: 1, keys: ['em uso', 'revogada'], registrations: 2 })
  t.true(before.addresses > 2)
  // Two workers at once: a slice may run again while another process has taken it over.
  await Promise.all([prune(here), prune(here)])
  t.deepEqual(await here.counts(), PRUNED)
  await here.worker.drain()
  t.is((await here.counts()).images, 0)
  await verify(t, here)
}

test('removes what ended before its term, keeps what is open or new, and the audit chains verify', (t) => prunesOn(t))

test('prunes the embedded store alike', async (t) => {
  const store = await sqliteStore(await fileFor(t), COLLECTIONS)
  t.teardown(() => store.close())
  await prunesOn(t, store)
})

onReplicaSet(test, (server) => {
  test('prunes a MongoDB store alike', async (t) => prunesOn(t, await openUntilEnd(t, server.url(), COLLECTIONS)))
})

test("ends records by the embedder's worker, in the night after their term", async (t) => {
  const here = await shop(undefined, { events: 201 })
  await here.worker.prepare()
  here.clock.set('2027-06-12T06:11:00.000Z')
  await here.worker.drain()
  t.like(await here.counts(), { events: 4, keys: ['em uso', 'revogada'] })
  here.clock.set('2027-06-13T06:11:00.000Z')
  await here.worker.drain()
  t.like(await here.counts(), { events: 2, keys: ['em uso', 'revogada'] })
})

test('keeps events, notifications and addresses by default, and ends revoked keys and rejected registrations after a year', async (t) => {
  const here = await shop(undefined, {})
  const before = await here.counts()
  await prune(here)
  t.deepEqual(await here.counts(), before)
  here.clock.advance(166 * 86_400)
  await prune(here)
  t.deepEqual(await here.counts(), { ...before, keys: ['em uso'], registrations: 1 })
})

test('completes a run that was killed at any commit, before or after it was stored', async (t) => {
  for (const when of ['before', 'after'] as const)
    for (let commits = 0, isWhole = false; !isWhole; commits += 1) {
      const here = await shop()
      const { store } = mortal(here.store, commits + 1, when)
      isWhole = await prune(here, store).then(
        () => true,
        () => false,
      )
      await prune(here)
      t.deepEqual(await here.counts(), PRUNED, `${commits}`)
      await here.worker.drain()
      await verify(t, here)
    }
})

test('lists each collection in exactly one kind', (t) => {
  const listed = [...Object.values(SET_RETENTION), ...FIXED_RETENTION].flatMap(({ collections }) => collections)
  const names = [...paymentsCollections, ...serverPart.collections].map(({ name }) => name)
  t.deepEqual(listed.toSorted(), [...new Set(names)].toSorted())
})
