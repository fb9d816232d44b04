import test from 'ava'
import { isLeft, isRight } from '../../../core/failure.ts'
import {
  always,
  type Collection,
  t as codec,
  insert,
  patch,
  record,
  remove,
} from '../../../core/kernel/records/record.ts'
import { freshOf, type Runtime } from '../../../core/kernel/running/use-case.ts'
import { decideDelivery, eventFields, outboxIn } from '../../../core/office/outbox.ts'
import { byId, StoreUnavailable } from '../../../core/ports/store.ts'
import { beforeCommits } from '../kernel/running/tasks.ts'
import { COMPANY, openEstate } from './estate.ts'

const TYPES = ['proposal.approved', 'visit.confirmed'] as const

const fields = record({ ...eventFields(TYPES), companyId: codec.string, proposalId: codec.string })
const outbox = outboxIn('estate', fields, 'companyId')
const { events, subscriber } = outbox

const reactions: Collection<{ id: string; at: string }> = {
  name: 'estate.reactions',
  ids: 'text',
  codec: record({ id: codec.string, at: codec.string }),
  owner: null,
}

const ABOUT = { type: 'proposal.approved', companyId: COMPANY, proposalId: 'p-1', data: { value: 9 } } as const

const recordEvent = (ports: Runtime) => ports.store.commit([outbox.record(freshOf(ports).fresh, ABOUT)])

const openOutbox = () => openEstate([events, reactions])

type Row = Parameters<typeof subscriber<unknown>>[0]

/** A subscriber of approvals that reads nothing and inserts a reaction, unless a test says otherwise. */
const reacting = (name: string, over: Partial<Row> = {}) =>
  subscriber<unknown>({
    name,
    types: ['proposal.approved'],
    read: async () => null,
    decide: ({ proposalId }, _, { now }) => [insert(reactions, { id: `${name} of ${proposalId}`, at: now })],
    ...over,
  })

test('uses the collection, types and fields of the business', async (t) => {
  const { ports, every, clock } = openOutbox()
  await recordEvent(ports)
  t.is(events.name, 'estate.events')
  const [event] = await every(events)
  t.like(event, { ...ABOUT, data: '{"value":9}', missed: null, dueAt: clock.now(), createdAt: clock.now() })
  t.true(isLeft(events.codec.decode({ ...event, type: 'charge.paid' })))
})

test('takes a field of an event at the moment of commit', async (t) => {
  const { ports, every } = openOutbox()
  const known = { id: 't-1', at: 'as it is then' }
  const { fresh } = freshOf(ports)
  const change = outbox.record(fresh, ABOUT, { proposalId: [[reactions.name, 't-1'], 'at'] })
  t.true((await ports.store.commit([insert(reactions, known), change])).ok)
  t.like(await every(events), [{ proposalId: 'as it is then' }])
})

test('leaves an event to the process that has claimed it since', async (t) => {
  const { ports, every, clock } = openOutbox()
  await recordEvent(ports)
  const [event] = await every(events)
  if (!event) throw new Error('no event')
  const { fresh } = freshOf(ports)
  const prepared = [{ name: 'remover', decide: () => [remove(events, 'e-2', always)] }]
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

test('delivers nothing if another process claims the event while its facts are read', async (t) => {
  const { ports, every, workerOf, reports } = openOutbox()
  await recordEvent(ports)
  const theirs = '2026-11-21T13:07:09.123Z'
  let reads = 0
  const slow = reacting('slow', {
    async read(from, { id }) {
      reads += 1
      // The first read decides that the event must be claimed.
      if (reads === 2) await from.commit([patch(events, id, { set: { dueAt: theirs }, when: always })])
    },
  })
  await workerOf(ports.store, outbox.queue(ports, [slow])).drain()
  t.deepEqual(await every(reactions), [])
  t.like(await every(events), [{ dueAt: theirs }])
  t.deepEqual(reports, [])
})

test('reports a subscriber that throws, runs the others, and retries it alone', async (t) => {
  const { ports, every, clock, workerOf, reports } = openOutbox()
  await recordEvent(ports)
  let isBroken = true
  const broken = reacting('broken', {
    decide: ({ proposalId }, _, { now }) => {
      if (isBroken) throw new Error('no')
      return [insert(reactions, { id: `broken of ${proposalId}`, at: now })]
    },
  })
  const unread = reacting('unread', {
    read: async () => (isBroken ? Promise.reject(new Error('not read')) : null),
    decide: () => [],
  })
  const others = reacting('others', { types: ['visit.confirmed'], read: async () => t.fail() })
  const working = workerOf(ports.store, outbox.queue(ports, [broken, unread, reacting('sound'), others]))
  const reactionIds = async () => (await every(reactions)).map(({ id }) => id).sort()
  t.is(await working.drain(), 1)
  t.deepEqual(await reactionIds(), ['sound of p-1'])
  t.deepEqual(reports.map(String), ['Error: no', 'Error: not read'])
  t.like(await every(events), [{ missed: ['broken', 'unread'] }])
  t.is(await working.drain(), 0)

  isBroken = false
  clock.advance(61)
  t.is(await working.drain(), 1)
  t.deepEqual(await reactionIds(), ['broken of p-1', 'sound of p-1'])
  t.like(await every(events), [{ missed: null, dueAt: null }])
  t.is(reports.length, 2)
})

test('reports a subscriber whose changes cannot be committed, and runs the others', async (t) => {
  const { ports, every, clock, workerOf, reports } = openOutbox()
  await recordEvent(ports)
  let isThere = false
  const astray = reacting('astray', {
    decide: () => (isThere ? [] : [remove(reactions, 'is not there', always)]),
  })
  const working = workerOf(ports.store, outbox.queue(ports, [reacting('first'), astray, reacting('last')]))
  await working.drain()
  t.deepEqual((await every(reactions)).map(({ id }) => id).sort(), ['first of p-1', 'last of p-1'])
  t.deepEqual(reports.map(String), ['Error: the changes of subscriber astray cannot be committed'])
  t.like(await every(events), [{ missed: ['astray'] }])

  isThere = true
  clock.advance(61)
  await working.drain()
  t.like(await every(events), [{ missed: null, dueAt: null }])
  t.is((await every(reactions)).length, 2)
})

test('reads a fact once for the subscribers of the events of a page', async (t) => {
  const { ports, every, workerOf } = openOutbox()
  let finds = 0
  const find: typeof ports.store.find = (ask) => {
    finds += 1
    return ports.store.find(ask)
  }
  const store = { ...ports.store, find }
  const reading = (name: string) =>
    reacting(name, {
      read: (from, { companyId }) => from.find(byId(reactions, companyId)),
      concerns: (_, known) => known !== null,
    })
  const working = workerOf(store, outbox.queue({ ...ports, store }, [reading('one'), reading('two')]))
  for (let count = 0; count < 5; count += 1) await recordEvent(ports)
  t.is(await working.drain(), 5)
  t.is(finds, 1)
  t.deepEqual(await every(reactions), [])

  // A later page sees the commits in between.
  await ports.store.commit([insert(reactions, { id: COMPANY, at: '' })])
  await recordEvent(ports)
  await working.drain()
  t.is((await every(reactions)).length, 3)
})

test('ends an event without a claim if it concerns no subscriber', async (t) => {
  const { ports, every, workerOf, reports } = openOutbox()
  const commits: string[][] = []
  const store = beforeCommits(ports.store, (changes) => commits.push(changes.map(({ kind, at }) => `${kind} ${at[0]}`)))
  let isConcerned = false
  const maybe = reacting('maybe', { concerns: () => isConcerned })
  const working = workerOf(store, outbox.queue({ ...ports, store }, [maybe]))
  await recordEvent(ports)
  t.is(await working.drain(), 1)
  t.deepEqual(commits, [['patch estate.events']])
  t.like(await every(events), [{ dueAt: null, attempts: 0 }])
  t.deepEqual(await every(reactions), [])

  isConcerned = true
  await recordEvent(ports)
  t.is(await working.drain(), 1)
  t.deepEqual(commits.slice(1), [['patch estate.events'], ['patch estate.events', 'insert estate.reactions']])
  t.is((await every(reactions)).length, 1)
  t.deepEqual(reports, [])
})

test('counts no failure against a subscriber while the store is unavailable', async (t) => {
  const { ports, every, workerOf } = openOutbox()
  await recordEvent(ports)
  const away = reacting('away', { read: async () => Promise.reject(new StoreUnavailable('away')) })
  const working = workerOf(ports.store, outbox.queue(ports, [away]))
  await t.throwsAsync(working.drain(), { instanceOf: StoreUnavailable })
  t.like(await every(events), [{ missed: null, attempts: 0 }])
})
