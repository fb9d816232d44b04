import test from 'ava'
import { t as codec, isLeft, isRight } from '../../../core/fp.ts'
import { insert, remove } from '../../../core/kernel/records/change.ts'
import type { Collection } from '../../../core/kernel/records/collection.ts'
import { record } from '../../../core/kernel/records/record.ts'
import { always } from '../../../core/kernel/records/where.ts'
import { freshOf } from '../../../core/kernel/running/fresh.ts'
import type { Runtime } from '../../../core/kernel/running/use-case.ts'
import { decideDelivery, eventFields, outboxIn } from '../../../core/office/outbox.ts'
import { COMPANY, openEstate } from './estate.ts'

const TYPES = ['proposal.approved', 'visit.confirmed'] as const

const fields = record({ ...eventFields(TYPES), companyId: codec.string, proposalId: codec.string })
const outbox = outboxIn('estate', fields, 'companyId')
const { events, subscriber } = outbox

/** What subscribers make of events. */
const told: Collection<{ id: string; at: string }> = {
  name: 'estate.told',
  ids: 'text',
  codec: record({ id: codec.string, at: codec.string }),
  owner: null,
}

const ABOUT = { type: 'proposal.approved', companyId: COMPANY, proposalId: 'p-1', data: { value: 9 } } as const

const happen = (ports: Runtime) => ports.store.commit([outbox.record(freshOf(ports).fresh, ABOUT)])

const openOutbox = () => openEstate([events, told])

test('a business has events of its own, by its own types and fields', async (t) => {
  const { ports, every, clock } = openOutbox()
  await happen(ports)
  t.is(events.name, 'estate.events')
  const [event] = await every(events)
  t.like(event, { ...ABOUT, data: '{"value":9}', missed: null, dueAt: clock.now(), createdAt: clock.now() })
  t.true(isLeft(events.codec.decode({ ...event, type: 'charge.paid' })))
})

test('a field may be taken in the commit that tells', async (t) => {
  const { ports, every } = openOutbox()
  const known = { id: 't-1', at: 'as it is then' }
  const { fresh } = freshOf(ports)
  const change = outbox.record(fresh, ABOUT, { proposalId: [[told.name, 't-1'], 'at'] })
  t.true((await ports.store.commit([insert(told, known), change])).ok)
  t.like(await every(events), [{ proposalId: 'as it is then' }])
})

test('an event that another process has claimed since is left to it', async (t) => {
  const { ports, every, clock } = openOutbox()
  await happen(ports)
  const [event] = await every(events)
  if (!event) throw new Error('the event was not kept')
  const { fresh } = freshOf(ports)
  const prepared = [{ name: 'somebody', decide: () => [remove(events, 'e-2', always)] }]
  const lost = decideDelivery(
    events,
    event,
    { prepared, event: { ...event, dueAt: `later than ${clock.now()}` } },
    fresh,
  )
  const over = decideDelivery(events, event, { prepared, event: { ...event, dueAt: null } }, fresh)
  const gone = decideDelivery(events, event, { prepared, event: null }, fresh)
  for (const decision of [lost, over, gone]) t.like(decision, { right: { changes: [] } })
  const own = decideDelivery(events, event, { prepared, event }, fresh)
  t.is(isRight(own) && own.right.changes.length, 2)
})

test('a subscriber that throws is reported and holds up no other; it alone is told again', async (t) => {
  const { ports, every, clock, workerOf, reports } = openOutbox()
  await happen(ports)
  let isBroken = true
  const named = (name: string, tell: () => void) =>
    subscriber({
      name,
      types: ['proposal.approved'],
      read: async () => null,
      decide: ({ proposalId }, _, { now }) => {
        tell()
        return [insert(told, { id: `${name} of ${proposalId}`, at: now })]
      },
    })
  const broken = named('broken', () => {
    if (isBroken) throw new Error('no')
  })
  const unread = subscriber({
    name: 'unread',
    types: ['proposal.approved'],
    read: async () => (isBroken ? Promise.reject(new Error('not read')) : null),
    decide: () => [],
  })
  const others = subscriber({
    name: 'others',
    types: ['visit.confirmed'],
    read: async () => t.fail(),
    decide: () => [],
  })
  const working = workerOf(ports.store, outbox.queue(ports, [broken, unread, named('sound', () => {}), others]))
  const tellings = async () => (await every(told)).map(({ id }) => id).sort()
  t.is(await working.drain(), 1)
  t.deepEqual(await tellings(), ['sound of p-1'])
  t.deepEqual(reports.map(String), ['Error: no', 'Error: not read'])
  t.like(await every(events), [{ missed: ['broken', 'unread'] }])
  t.is(await working.drain(), 0)

  isBroken = false
  clock.advance(61)
  t.is(await working.drain(), 1)
  t.deepEqual(await tellings(), ['broken of p-1', 'sound of p-1'])
  t.like(await every(events), [{ missed: null, dueAt: null }])
  t.is(reports.length, 2)
})

test('a subscriber whose changes can never be made is reported by its name and holds up no other', async (t) => {
  const { ports, every, clock, workerOf, reports } = openOutbox()
  await happen(ports)
  let isThere = false
  const telling = (name: string) =>
    subscriber({
      name,
      types: ['proposal.approved'],
      read: async () => null,
      decide: ({ proposalId }, _, { now }) => [insert(told, { id: `${name} of ${proposalId}`, at: now })],
    })
  const astray = subscriber({
    name: 'astray',
    types: ['proposal.approved'],
    read: async () => null,
    decide: () => (isThere ? [] : [remove(told, 'is not there', always)]),
  })
  const working = workerOf(ports.store, outbox.queue(ports, [telling('first'), astray, telling('last')]))
  await working.drain()
  t.deepEqual((await every(told)).map(({ id }) => id).sort(), ['first of p-1', 'last of p-1'])
  t.deepEqual(reports.map(String), ['Error: the changes of subscriber astray cannot be committed'])
  t.like(await every(events), [{ missed: ['astray'] }])

  isThere = true
  clock.advance(61)
  await working.drain()
  t.like(await every(events), [{ missed: null, dueAt: null }])
  t.is((await every(told)).length, 2)
})

test('an event that nobody makes anything of is ended without a claim; one that somebody does is told', async (t) => {
  const { ports, every, workerOf, reports } = openOutbox()
  const commits: string[][] = []
  const store = {
    ...ports.store,
    commit: (...[changes, hook]: Parameters<typeof ports.store.commit>) => {
      commits.push(changes.map(({ kind, at }) => `${kind} ${at[0]}`))
      return ports.store.commit(changes, hook)
    },
  }
  let isConcerned = false
  const maybe = subscriber({
    name: 'maybe',
    types: ['proposal.approved'],
    read: async () => null,
    concerns: () => isConcerned,
    decide: ({ proposalId }, _, { now }) => [insert(told, { id: `of ${proposalId}`, at: now })],
  })
  const working = workerOf(store, outbox.queue({ ...ports, store }, [maybe]))
  await happen(ports)
  t.is(await working.drain(), 1)
  t.deepEqual(commits, [['patch estate.events']])
  t.like(await every(events), [{ dueAt: null, attempts: 0 }])
  t.deepEqual(await every(told), [])

  isConcerned = true
  await happen(ports)
  t.is(await working.drain(), 1)
  t.deepEqual(commits.slice(1), [['patch estate.events'], ['patch estate.events', 'insert estate.told']])
  t.is((await every(told)).length, 1)
  t.deepEqual(reports, [])
})
