// Also runs on MongoDB, in test:long.
import test from 'ava'
import { events } from '../../../core/real-estate/office.ts'
import { type Property, properties } from '../../../core/real-estate/records/property.ts'
import { visits } from '../../../core/real-estate/records/visit.ts'
import { openAgency } from './given/basics.ts'
import { storedIn } from './stored.ts'
import { type EstateTestApi, outcomeOf, type Person, worked, wrongIn } from './test-api.ts'

const LATER = '2026-11-30T14:00:00-03:00'
const LATER_UTC = '2026-11-30T17:00:00.000Z'

const visitors = async (api: EstateTestApi, admin: Person, over: Partial<Property> = {}) => {
  const stored = storedIn(api, admin)
  const property = await stored.propertyOf(over)
  const client = await stored.clientOf({ phone: '11988880000' })
  const broker = await stored.brokerOf()
  const body = { propertyId: property.id, clientId: client.id, brokerId: broker.id, scheduledAt: LATER }
  return { property, client, broker, body }
}

const scheduled = async (api: EstateTestApi, { token }: Person, body: object): Promise<string> =>
  worked(await api.ask('POST', '/api/visits', { token, body })).id

test('a visit is scheduled, shown with its parties, rescheduled and removed', async (t) => {
  const { api, admin, ask } = await openAgency(t)
  const broker = await api.colleague(admin, 'Broker')
  const by = await visitors(api, admin)
  const made = await api.ask('POST', '/api/visits', {
    token: broker.token,
    body: { ...by.body, status: 'Done', checkinDone: true, notes: ' Chaves na portaria. ' },
  })
  t.is(made.status, 201, made.text)
  const { id, ...rest } = made.body
  t.deepEqual(rest, {
    scheduledAt: LATER_UTC,
    status: 'Scheduled',
    checkinDone: false,
    checkinAt: null,
    notes: 'Chaves na portaria.',
    property: { id: by.property.id, code: by.property.code },
    client: { id: by.client.id, name: by.client.name, phone: '11988880000' },
    broker: { id: by.broker.id, name: by.broker.name },
    createdAt: made.body.createdAt,
    updatedAt: made.body.createdAt,
  })
  const path = `/api/visits/${id}`
  t.deepEqual((await ask('GET', path)).body, made.body)
  const put = await api.ask('PUT', path, { token: broker.token, body: { scheduledAt: '2026-12-01T09:00:00Z' } })
  t.like(put, { status: 200, body: { scheduledAt: '2026-12-01T09:00:00.000Z', notes: null, status: 'Scheduled' } })
  t.is((await api.every(properties)).find((each) => each.id === by.property.id)?.visitWrites, 2)
  t.is((await api.every(visits))[0]?.sequence, 1)
  t.is((await ask('DELETE', path)).status, 204)
  t.is((await ask('GET', path)).status, 404)
})

test('a list of visits is newest first, and its days are in order', async (t) => {
  const { api, admin, ask } = await openAgency(t)
  const { body } = await visitors(api, admin)
  const early = await scheduled(api, admin, body)
  api.clock.advance(1)
  const late = await scheduled(api, admin, body)
  t.like(worked(await ask('GET', '/api/visits')), { data: [{ id: late }, { id: early }] })
  const wrong = await ask('GET', '/api/visits?dateFrom=2026-12-01&dateTo=2026-11-30')
  t.deepEqual(wrongIn(wrong), { dateTo: ['not-before'] })
})

test('a visit becomes Done only with a check-in', async (t) => {
  const { api, admin, ask } = await openAgency(t)
  const { body } = await visitors(api, admin)
  const id = await scheduled(api, admin, body)
  const move = (sent: object) => ask('PATCH', `/api/visits/${id}/status`, sent)
  t.like(await move({ status: 'Confirmed', checkinDone: true }), { status: 200, body: { checkinDone: false } })
  for (const sent of [{}, { checkinDone: false }, { checkinDone: null }])
    t.is(outcomeOf(await move({ status: 'Done', ...sent })), '422 visit.checkin-missing')
  const done = worked(await move({ status: 'Done', checkinDone: true }))
  t.is(done.checkinAt, done.updatedAt)
})

test('of two simultaneous changes of status one succeeds and notifies once', async (t) => {
  const { api, admin, ask } = await openAgency(t)
  const { body } = await visitors(api, admin)
  const id = await scheduled(api, admin, body)
  const confirm = () => ask('PATCH', `/api/visits/${id}/status`, { status: 'Confirmed' })
  const answers = await Promise.all([confirm(), confirm()])
  t.deepEqual(answers.map(({ status }) => status).sort(), [200, 422])
  const confirmations = (await api.every(events)).filter(({ type }) => type === 'visit.confirmed')
  t.deepEqual(
    confirmations.map(({ subjectId }) => subjectId),
    [id],
  )
})
