import { addDays, dayOf } from '../../../../core/kernel/values/day.ts'
import { notifications as collection } from '../../../../core/real-estate/office.ts'
import { storedIn } from '../stored.ts'
import { worked } from '../test-api.ts'
import { type Fixture, next, post } from './basics.ts'

/** An Admin who is the broker of a visit, too, and was told that it is confirmed. */
const notified: Fixture = async (api) => {
  const by = await api.agency()
  const stored = storedIn(api, by)
  const visit = await post(api, by, '/api/visits', {
    propertyId: (await stored.propertyOf({ code: `AP-${next()}` })).id,
    clientId: (await stored.clientOf()).id,
    brokerId: (await stored.brokerOf({ email: by.email })).id,
    scheduledAt: '2030-11-25T14:00:00-03:00',
  })
  worked(await api.ask('PATCH', `/api/visits/${visit.id}/status`, { token: by.token, body: { status: 'Confirmed' } }))
  await api.drain()
  const told = (await api.every(collection)).find(({ userId }) => userId === by.userId)
  if (!told) throw new Error('nobody was told')
  return { token: by.token, params: { id: told.id } }
}

/** A contract that ends soon, with a payment that was not made. */
const alarming: Fixture = async (api) => {
  const by = await api.agency()
  const stored = storedIn(api, by)
  const today = dayOf(api.clock.now())
  const contract = await stored.contractOf({ endDate: addDays(today, 10) })
  await stored.paymentOf(contract, { dueDate: addDays(today, -1) })
  return { token: by.token }
}

export const notifications: Readonly<Record<string, Fixture>> = { notified, alarming }
