import test from 'ava'
import { digest } from '../../../../adapters/crypto/digest.ts'
import { patch, remove } from '../../../../core/kernel/records/change.ts'
import { always } from '../../../../core/kernel/records/where.ts'
import { freshOf } from '../../../../core/kernel/running/fresh/fresh.ts'
import { worker } from '../../../../core/kernel/running/worker.ts'
import { auditChains, GENESIS } from '../../../../core/payments/audit/audit-chain.ts'
import { auditEntries } from '../../../../core/payments/audit/audit-entry.ts'
import { audited } from '../../../../core/payments/audit/audited.ts'
import { auditQueue, LINKED_AT_ONCE } from '../../../../core/payments/audit/link-entries.ts'
import { verifyChains } from '../../../../core/payments/audit/verify-chains.ts'
import type { PaymentsPorts } from '../../../../core/payments/payments-ports.ts'
import { byId, type Store, StoreUnavailable } from '../../../../core/ports/store.ts'
import { testPorts } from '../access/test-ports.ts'

const BY = { userId: 9, origin: { address: '203.0.113.7', device: 'curl' } }

/** Somebody changes account 7, so many times, one commit each and all at once. */
const happen = (ports: PaymentsPorts, times: number, accountId = 7) =>
  Promise.all(
    Array.from({ length: times }, (_, index) => {
      const changes = { name: { from: `${index}`, to: `${index + 1}` } }
      const deed = { action: 'account.updated', subject: `account:${accountId}`, changes } as const
      return ports.store.commit(audited(freshOf(ports).fresh, BY, { chain: `account:${accountId}`, ...deed }))
    }),
  )

const crewOf = (ports: PaymentsPorts, reports: unknown[] = []) =>
  worker({ runtime: ports, queues: [auditQueue(ports)], report: (error) => reports.push(error) })

const openTrail = async (times = 0) => {
  const here = testPorts()
  await happen(here.ports, times)
  const hashes = async () =>
    (await here.every(auditEntries)).toSorted((a, b) => a.seq - b.seq).map(({ seq, hash }) => `${seq} ${hash}`)
  return { ...here, hashes, verify: () => verifyChains(here.ports.store, digest) }
}

test('entries of one chain are counted without a gap, whoever writes at once, and linked in that order', async (t) => {
  const { ports, every, verify } = await openTrail(30)
  t.deepEqual(await verify(), { area: 'audit trail', figures: { chains: 1, entries: 30, waiting: 30 }, faults: [] })
  t.is(await crewOf(ports).drain(), 1)
  const entries = (await every(auditEntries)).toSorted((a, b) => a.seq - b.seq)
  t.deepEqual(
    entries.map(({ seq }) => seq),
    Array.from({ length: 30 }, (_, index) => index + 1),
  )
  for (const [index, { prevHash }] of entries.entries()) t.is(prevHash, entries[index - 1]?.hash ?? GENESIS)
  t.like(entries[0] ?? {}, { actorUserId: 9, address: '203.0.113.7', device: 'curl', createdAt: ports.clock.now() })
  t.like((await every(auditChains))[0], { seq: 30, linkedSeq: 30, headHash: entries.at(-1)?.hash, dueAt: null })
  t.deepEqual((await verify()).figures, { chains: 1, entries: 30, waiting: 0 })
})

test('more than a slice is linked slice by slice; what comes later follows', async (t) => {
  const { ports, every, verify } = await openTrail(2 * LINKED_AT_ONCE + 1)
  await crewOf(ports).drain()
  t.like((await every(auditChains))[0], { linkedSeq: 2 * LINKED_AT_ONCE + 1, attempts: 0 })
  await happen(ports, 2)
  await happen(ports, 3, 8)
  t.is((await verify()).figures.waiting, 5)
  t.is(await crewOf(ports).drain(), 2)
  t.deepEqual(await verify(), {
    area: 'audit trail',
    figures: { chains: 2, entries: 2 * LINKED_AT_ONCE + 6, waiting: 0 },
    faults: [],
  })
})

test('two processes at once, and writers beside them, leave one chain', async (t) => {
  const { ports, verify, hashes, every } = await openTrail(300)
  const reports: unknown[] = []
  const writes = async () => {
    for (let time = 0; time < 10; time += 1) await happen(ports, 3)
  }
  await Promise.all([crewOf(ports, reports).drain(), crewOf(ports, reports).drain(), writes()])
  // A minute later nothing is anybody's any more.
  const [chain] = await every(auditChains)
  await ports.store.commit([patch(auditChains, chain?.id ?? '', { set: { dueAt: ports.clock.now() }, when: always })])
  await crewOf(ports, reports).drain()
  t.deepEqual(reports, [])
  t.deepEqual(await verify(), {
    area: 'audit trail',
    figures: { chains: 1, entries: 330, waiting: 0 },
    faults: [],
  })
  t.is(new Set(await hashes()).size, 330)
})

/** The store of a process that dies in a commit, before or after it was durable. */
const mortal = (store: Store, diesAt: number, when: 'before' | 'after'): Store => {
  let commits = 0
  const lives = <A>(ask: () => Promise<A>): Promise<A> =>
    commits >= diesAt ? Promise.reject(new StoreUnavailable('dead')) : ask()
  return {
    ...store,
    find: (ask) => lives(() => store.find(ask)),
    list: (ask) => lives(() => store.list(ask)),
    commit: (changes, hooks) =>
      lives(async () => {
        commits += 1
        if (commits !== diesAt) return store.commit(changes, hooks)
        if (when === 'after') await store.commit(changes, hooks)
        throw new StoreUnavailable('dying')
      }),
  }
}

for (const when of ['before', 'after'] as const) {
  test(`a process that dies in any commit, ${when} it is durable, leaves what the next one links`, async (t) => {
    const whole = await openTrail(LINKED_AT_ONCE + 5)
    await crewOf(whole.ports).drain()
    // Claim, slice, slice.
    for (const diesAt of [1, 2, 3]) {
      const { ports, verify, hashes, clock } = await openTrail(LINKED_AT_ONCE + 5)
      await crewOf({ ...ports, store: mortal(ports.store, diesAt, when) })
        .drain()
        .catch(() => {})
      clock.advance(61)
      await crewOf(ports).drain()
      t.deepEqual(await verify(), {
        area: 'audit trail',
        figures: { chains: 1, entries: LINKED_AT_ONCE + 5, waiting: 0 },
        faults: [],
      })
      t.deepEqual(await hashes(), await whole.hashes())
    }
  })
}

test('a deed without a change is none, and a chain keeps its time where a clock goes back', async (t) => {
  const { ports, every, clock } = await openTrail(1)
  const deed = { chain: 'account:7', action: 'account.updated', subject: 'account:7' } as const
  t.deepEqual(audited(freshOf(ports).fresh, BY, { ...deed, changes: {} }), [])
  const before = clock.now()
  clock.advance(-3_600)
  await happen(ports, 1)
  t.deepEqual(
    (await every(auditEntries)).map(({ createdAt }) => createdAt),
    [before, before],
  )
})

test('behind an entry that somebody took away nothing is linked, and nobody works for ever', async (t) => {
  const { ports, every, verify } = await openTrail(3)
  const [, second] = (await every(auditEntries)).toSorted((a, b) => a.seq - b.seq)
  await ports.store.commit([remove(auditEntries, second?.id ?? '', always)])
  t.is(await crewOf(ports).drain(), 1)
  t.like(await ports.store.find(byId(auditChains, 'account:7')), { linkedSeq: 1, dueAt: null })
  t.deepEqual((await verify()).faults, ['account:7: entry 2 is missing'])
})
