// Also runs on MongoDB, in test:long.
import test from 'ava'
import { events } from '../../../core/real-estate/office.ts'
import { type Property, properties } from '../../../core/real-estate/records/property.ts'
import { visits } from '../../../core/real-estate/records/visit.ts'
import { storedIn } from './stored.ts'
import { type EstateTestApi, openEstateApi, type Person, worked, wrongIn } from './test-api.ts'

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

test('a visit is scheduled, shown with its parties, rescheduled and removed only by its company', async (t) => {
  const api = await openEstateApi(t)
  const [admin, other] = [await api.agency(), await api.agency()]
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
  t.deepEqual((await api.ask('GET', path, { token: admin.token })).body, made.body)
  for (const [method, body] of [
    ['GET', undefined],
    ['PUT', { scheduledAt: LATER }],
    ['DELETE', undefined],
  ] as const)
    t.is((await api.ask(method, path, { token: other.token, body })).status, 404, method)
  t.is((await api.ask('PATCH', `${path}/status`, { token: other.token, body: { status: 'Confirmed' } })).status, 404)
  const put = await api.ask('PUT', path, { token: broker.token, body: { scheduledAt: '2026-12-01T09:00:00Z' } })
  t.like(put, { status: 200, body: { scheduledAt: '2026-12-01T09:00:00.000Z', notes: null, status: 'Scheduled' } })
  t.deepEqual(wrongIn(await api.ask('PUT', path, { token: broker.token, body: {} })), { scheduledAt: ['required'] })
  t.is((await api.every(properties)).find((each) => each.id === by.property.id)?.visitWrites, 2)
  t.is((await api.every(visits))[0]?.sequence, 1)
  t.is((await api.ask('DELETE', path, { token: broker.token })).status, 403)
  t.is((await api.ask('DELETE', path, { token: admin.token })).status, 204)
  t.is((await api.ask('GET', path, { token: admin.token })).status, 404)
  t.is((await api.ask('DELETE', path, { token: admin.token })).status, 404)
})

test('references of a visit must belong to the company; every other one is named', async (t) => {
  const api = await openEstateApi(t)
  const [admin, other] = [await api.agency(), await api.agency()]
  const { token } = admin
  const [own, foreign] = [await visitors(api, admin), await visitors(api, other)]
  const refused = await api.ask('POST', '/api/visits', { token, body: { ...foreign.body } })
  t.is(refused.status, 400)
  t.deepEqual(wrongIn(refused), { propertyId: ['unknown'], clientId: ['unknown'], brokerId: ['unknown'] })
  const wrong = await api.ask('POST', '/api/visits', {
    token,
    body: { ...own.body, propertyId: 'x', scheduledAt: '2026-11-30' },
  })
  t.deepEqual(wrongIn(wrong), { propertyId: ['guid'], scheduledAt: ['instant'] })
  t.deepEqual(await api.every(visits), [])
})

test('a list is newest first, and filters by a range of São Paulo days and by text without accents', async (t) => {
  const api = await openEstateApi(t)
  const admin = await api.agency()
  const { token } = admin
  const [first, second] = [await visitors(api, admin, { code: 'CASA-AZUL' }), await visitors(api, admin)]
  const joao = await storedIn(api, admin).clientOf({ name: 'João Ção' })
  const early = await scheduled(api, admin, { ...first.body, scheduledAt: '2026-11-30T02:59:59.999Z' })
  api.clock.advance(1)
  const late = await scheduled(api, admin, { ...second.body, clientId: joao.id, scheduledAt: '2026-11-30T03:00:00Z' })
  const idsOf = async (query: string): Promise<string[]> =>
    worked(await api.ask('GET', `/api/visits?${query}`, { token })).data.map(({ id }: { id: string }) => id)
  t.deepEqual(await idsOf(''), [late, early])
  t.deepEqual(await idsOf('dateFrom=2026-11-29&dateTo=2026-11-30'), [late, early])
  t.deepEqual(await idsOf('search=joao%20CAO'), [late])
  t.deepEqual(await idsOf('search=casa-azul'), [early])
  const wrong = await api.ask('GET', '/api/visits?dateFrom=2026-12-01&dateTo=2026-11-30', { token })
  t.deepEqual(wrongIn(wrong), { dateTo: ['not-before'] })
})

test('a visit becomes Done only with a check-in, and a closed one is not rescheduled', async (t) => {
  const api = await openEstateApi(t)
  const admin = await api.agency()
  const { token } = admin
  const { body } = await visitors(api, admin)
  const id = await scheduled(api, admin, body)
  const move = (sent: object) => api.ask('PATCH', `/api/visits/${id}/status`, { token, body: sent })
  t.like(await move({ status: 'Confirmed', checkinDone: true }), { status: 200, body: { checkinDone: false } })
  for (const sent of [{}, { checkinDone: false }, { checkinDone: null }])
    t.like(await move({ status: 'Done', ...sent }), { status: 422, body: { code: 'visit.checkin-missing' } })
  t.deepEqual(wrongIn(await move({ status: 'Gone', checkinDone: 'yes' })), {
    status: ['one-of'],
    checkinDone: ['flag'],
  })
  const done = worked(await move({ status: 'Done', checkinDone: true }))
  t.is(done.checkinAt, done.updatedAt)
  const before = await api.everything()
  const put = await api.ask('PUT', `/api/visits/${id}`, { token, body: { scheduledAt: LATER } })
  t.like(put, { status: 422, body: { code: 'visit.closed' } })
  t.deepEqual(await api.everything(), before)
})

test('of two simultaneous changes of status one succeeds and notifies once', async (t) => {
  const api = await openEstateApi(t)
  const admin = await api.agency()
  const { token } = admin
  const { body } = await visitors(api, admin)
  const id = await scheduled(api, admin, body)
  const confirm = () => api.ask('PATCH', `/api/visits/${id}/status`, { token, body: { status: 'Confirmed' } })
  const answers = await Promise.all([confirm(), confirm()])
  t.deepEqual(answers.map(({ status }) => status).sort(), [200, 422])
  const confirmations = (await api.every(events)).filter(({ type }) => type === 'visit.confirmed')
  t.deepEqual(
    confirmations.map(({ subjectId }) => subjectId),
    [id],
  )
})
