import { storedIn } from '../stored.ts'
import type { EstateTestApi } from '../test-api.ts'
import { type Fixture, next, post } from './basics.ts'

/** Whom a visit needs, in a company of their own. */
const visitors = async (api: EstateTestApi) => {
  const by = await api.agency()
  const stored = storedIn(api, by)
  const [property, client, broker] = [
    await stored.propertyOf({ code: `AP-${next()}` }),
    await stored.clientOf({ phone: '11988880000' }),
    await stored.brokerOf(),
  ]
  return { by, body: { propertyId: property.id, clientId: client.id, brokerId: broker.id } }
}

const visitable: Fixture = async (api) => {
  const { by, body } = await visitors(api)
  return { token: by.token, body }
}

const visit: Fixture = async (api) => {
  const { by, body } = await visitors(api)
  const told = { scheduledAt: '2030-11-25T14:00:00-03:00', notes: 'O cliente vem de carro.' }
  const { id } = await post(api, by, '/api/visits', { ...body, ...told })
  return { token: by.token, params: { id } }
}

const calendar: Fixture = async (api) => {
  const { by, body } = await visitors(api)
  const { url } = await post(api, by, '/api/visits/calendar-token', { brokerId: body.brokerId })
  return { query: { token: new URL(url).searchParams.get('token') ?? '' } }
}

export const visits: Readonly<Record<string, Fixture>> = { visitable, visit, calendar }
