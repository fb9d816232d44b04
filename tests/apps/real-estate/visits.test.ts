// Also runs on MongoDB, in test:long.

import test from 'ava'
import { type Property, properties } from '../../../core/real-estate/records/property.ts'
import { storedIn } from '../../core/real-estate/records.ts'
import { openAgency } from './given/basics.ts'
import { type EstateTestApi, type Person, worked, wrongIn } from './test-api.ts'

const LATER = '2026-11-30T14:00:00-03:00'

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

test('a visit is scheduled without a check-in, and counted for its property by each change', async (t) => {
  const { api, admin, ask } = await openAgency(t)
  const { body } = await visitors(api, admin)
  const made = worked(await ask('POST', '/api/visits', { ...body, status: 'Done', checkinDone: true }))
  t.like(made, { status: 'Scheduled', checkinDone: false, checkinAt: null })
  worked(await ask('PUT', `/api/visits/${made.id}`, { scheduledAt: '2026-12-01T09:00:00Z' }))
  t.like(await api.every(properties), [{ visitWrites: 2 }])
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
