import test from 'ava'
import { isLeft } from '../../../core/failure.ts'
import { always, patch, remove } from '../../../core/kernel/records/record.ts'
import { freshOf, type Runtime } from '../../../core/kernel/running/use-case.ts'
import {
  type AuditEntry,
  auditIn,
  ENTRIES_PER_COMMIT,
  GENESIS,
  linkHash,
  VALUES_ERASED,
} from '../../../core/office/audit.ts'
import type { Digest } from '../../../core/ports/runtime.ts'
import { byId } from '../../../core/ports/store.ts'
import { mortal } from '../payments/webhooks/webhook-fixtures.ts'
import { column } from '../payments/world.ts'
import { ANA, COMPANY, OTHER_COMPANY, openEstate } from './estate.ts'

interface Words {
  readonly action: 'property.updated' | 'property.sold' | typeof VALUES_ERASED
  readonly chain: `company:${string}`
  readonly subject: `property:${string}`
  readonly userId: string
}

const {
  recordAudit: audited,
  eraseValues,
  chains,
  entries,
  part,
  verify,
} = auditIn<Words>('estate', {
  actions: ['property.updated', 'property.sold', VALUES_ERASED],
})

type Ports = Runtime & { readonly digest: Digest }

const BY = { userId: ANA, origin: { address: '203.0.113.7', device: 'curl' } }
const ENTRY = { chain: `company:${COMPANY}`, action: 'property.updated', subject: 'property:p-1' } as const

const change = (ports: Ports, times: number, company = COMPANY) =>
  Promise.all(
    Array.from({ length: times }, (_, index) => {
      const changes = { name: { from: `${index}`, to: `${index + 1}` } }
      return ports.store.commit(audited(freshOf(ports).fresh, BY, { ...ENTRY, chain: `company:${company}`, changes }))
    }),
  )

const openTrail = async (times = 0) => {
  const here = openEstate(part.collections)
  await change(here.ports, times)
  const hashes = async () =>
    (await here.every(entries)).toSorted((a, b) => a.seq - b.seq).map(({ seq, hash }) => `${seq} ${hash}`)
  return {
    ...here,
    hashes,
    /** A worker that links, on this store or on a failing one. */
    linker: (ports: Ports = here.ports) => here.workerOf(ports.store, ...part.queues(ports)),
    verify: () => verify(here.ports.store, here.ports.digest),
  }
}

/** The result of `verify` for a trail without faults. */
const sound = (figures: object) => ({ area: 'audit trail', figures, faults: [] })

test('uses the collections, actions and ids of the business', async (t) => {
  const { every } = await openTrail(1)
  t.deepEqual([chains.name, entries.name], ['estate.audit-chains', 'estate.audit'])
  t.like((await every(entries))[0], { chain: ENTRY.chain, actorUserId: ANA, subject: 'property:p-1' })
  const other = { ...(await every(entries))[0], action: 'account.opened' }
  t.true(isLeft(entries.codec.decode(other)))
})

test('concurrent entries of a chain get consecutive numbers, and are linked in that order', async (t) => {
  const { ports, linker, every, verify } = await openTrail(30)
  t.deepEqual(await verify(), sound({ chains: 1, entries: 30, waiting: 30 }))
  t.is(await linker().drain(), 1)
  const linked = (await every(entries)).toSorted((a, b) => a.seq - b.seq)
  t.deepEqual(
    column(linked, 'seq'),
    Array.from({ length: 30 }, (_, index) => index + 1),
  )
  for (const [index, { prevHash }] of linked.entries()) t.is(prevHash, linked[index - 1]?.hash ?? GENESIS)
  t.like(linked[0], { actorUserId: ANA, address: '203.0.113.7', device: 'curl', createdAt: ports.clock.now() })
  t.like((await every(chains))[0], { seq: 30, linkedSeq: 30, headHash: linked.at(-1)?.hash, dueAt: null })
  t.deepEqual((await verify()).figures, { chains: 1, entries: 30, waiting: 0 })
})

test('links more entries than a commit takes in slices, and later entries after them', async (t) => {
  const { ports, linker, every, verify } = await openTrail(2 * ENTRIES_PER_COMMIT + 1)
  await linker().drain()
  t.like((await every(chains))[0], { linkedSeq: 2 * ENTRIES_PER_COMMIT + 1, attempts: 0 })
  await change(ports, 2)
  await change(ports, 3, OTHER_COMPANY)
  t.is((await verify()).figures.waiting, 5)
  t.is(await linker().drain(), 2)
  t.deepEqual(await verify(), sound({ chains: 2, entries: 2 * ENTRIES_PER_COMMIT + 6, waiting: 0 }))
})

test('two processes that link at once, beside writers, build one chain', async (t) => {
  const { ports, linker, verify, hashes, every, reports } = await openTrail(300)
  const writes = async () => {
    for (let time = 0; time < 10; time += 1) await change(ports, 3)
  }
  await Promise.all([linker().drain(), linker().drain(), writes()])
  // Makes the chain due again, whose lease may still run.
  const [chain] = await every(chains)
  await ports.store.commit([patch(chains, chain?.id ?? '', { set: { dueAt: ports.clock.now() }, when: always })])
  await linker().drain()
  t.deepEqual(reports, [])
  t.deepEqual(await verify(), sound({ chains: 1, entries: 330, waiting: 0 }))
  t.is(new Set(await hashes()).size, 330)
})

for (const when of ['before', 'after'] as const) {
  test(`the next process finishes the chain of a process that died ${when} any of its commits was durable`, async (t) => {
    // Claim, slice, slice.
    for (const diesAt of [1, 2, 3]) {
      const { ports, linker, verify, clock } = await openTrail(ENTRIES_PER_COMMIT + 5)
      await linker({ ...ports, store: mortal(ports.store, diesAt, when).store })
        .drain()
        .catch(() => {})
      clock.advance(61)
      await linker().drain()
      t.deepEqual(await verify(), sound({ chains: 1, entries: ENTRIES_PER_COMMIT + 5, waiting: 0 }))
    }
  })
}

test('records nothing without a changed field; the time of a chain never decreases', async (t) => {
  const { ports, every, clock } = await openTrail(1)
  t.deepEqual(audited(freshOf(ports).fresh, BY, { ...ENTRY, changes: {} }), [])
  const before = clock.now()
  clock.advance(-3_600)
  await change(ports, 1)
  t.deepEqual(column(await every(entries), 'createdAt'), [before, before])
})

test('links no entry after a deleted one, and the queue ends', async (t) => {
  const { ports, linker, every, verify } = await openTrail(3)
  const [, second] = (await every(entries)).toSorted((a, b) => a.seq - b.seq)
  await ports.store.commit([remove(entries, second?.id ?? '', always)])
  t.is(await linker().drain(), 1)
  t.like(await ports.store.find(byId(chains, ENTRY.chain)), { linkedSeq: 1, dueAt: null })
  t.deepEqual((await verify()).faults, [`${ENTRY.chain}: entry 2 is missing`])
})

test('an erased value leaves the chain sound, and can be neither guessed, restored nor replaced', async (t) => {
  const { ports, linker, every, verify } = await openTrail(4)
  await linker().drain()
  const ordered = async () => (await every(entries)).toSorted((a, b) => a.seq - b.seq)
  const [old, second, third] = (await ordered()) as [AuditEntry, AuditEntry, AuditEntry]
  const erase = async (...erased: AuditEntry[]) => {
    const parts = erased.map((entry, index) => ({ entry, parts: { changes: true, origin: index > 0 } }))
    const changes = eraseValues(ports.digest, freshOf(ports).fresh, ENTRY, parts)
    const outcome = changes.length === 0 ? null : await ports.store.commit(changes)
    await linker().drain()
    return outcome?.ok
  }
  t.true(await erase(old, second))
  const [first, next] = (await ordered()) as [AuditEntry, AuditEntry]
  t.like(first, { changes: '{"name":"***"}', address: '203.0.113.7', hash: old.hash, salt: null })
  t.like(next, { changes: '{"name":"***"}', address: null, device: null, hash: second.hash })
  t.deepEqual(await verify(), sound({ chains: 1, entries: 5, waiting: 0, erased: 2 }))
  t.not(linkHash(ports.digest, old.prevHash ?? '', { ...old, salt: null }), old.hash)

  t.is(await erase(first, next), undefined)
  t.false(await erase(old), 'a reader of the values before the erasure is too late')
  t.true(await erase(next, first))
  const faultsOf = async (entry: AuditEntry, set: Partial<AuditEntry>) => {
    const [stored] = (await every(entries)).filter(({ id }) => id === entry.id) as [AuditEntry]
    await ports.store.commit([patch(entries, entry.id, { set, when: always })])
    const { faults } = await verify()
    await ports.store.commit([patch(entries, entry.id, { set: stored, when: always })])
    return faults.map((fault) => fault.slice(ENTRY.chain.length + 2))
  }
  const forgeries: Partial<AuditEntry>[] = [
    { changes: '{"name":"Bia"}' },
    { changes: second.changes },
    { erasedAt: null },
    { address: '192.0.2.1' },
    { ...first, erasedAt: old.createdAt },
  ]
  for (const set of forgeries) t.deepEqual(await faultsOf(old, set), ['entry 1 was altered'])
  t.deepEqual(await faultsOf(third, { changes: null, salt: null, erasedAt: old.createdAt }), ['entry 3 was altered'])
  t.deepEqual((await verify()).faults, [])
})
