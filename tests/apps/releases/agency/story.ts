import { rows } from '../../../../apps/real-estate/catalogue.ts'
import * as rooms from '../../../../core/real-estate/modules.ts'
import { notificationSubscriber } from '../../../../core/real-estate/notifications/event-subscriber.ts'
import { outbox } from '../../../../core/real-estate/office.ts'
import type { EstateTestApi } from '../../real-estate/test-api.ts'
import type { KnownAgency } from '../fixtures.ts'
import { makesPlain } from '../plain.ts'
import { deals, listings } from './deals.ts'
import { ADMIN, BROKER, founded, guess, type Member, signIn } from './members.ts'

/** When the agency begins: a morning in São Paulo. */
export const AGENCY_START = '2026-10-20T12:00:00.000Z'
const MONTH_AFTER = '2026-11-20T12:00:00.000Z'

/** The last name of a client. */
export const RENAMED = 'Caio Ramos Filho'

type Listed = Awaited<ReturnType<typeof listings>>

/** Some weeks of an agency, up to the moment `end` at which its last process dies: one of everything that it keeps. */
export const tellAgency = async (api: EstateTestApi, end: string): Promise<KnownAgency> => {
  const { clock } = api
  const cast = await founded(api)
  const listed = await listings(await signIn(api, ADMIN), cast)
  clock.set(MONTH_AFTER)
  await api.drain()
  const made = await deals(api, listed)
  await api.drain()
  clock.set(end)
  const admin = await signIn(api, ADMIN)
  const links = {
    feed: (await admin.post('/api/properties/feed-token', {})).url as string,
    calendar: (await admin.post('/api/visits/calendar-token', { brokerId: listed.brokerId })).url as string,
  }
  await makesPlain(api, admin.token, rooms, rows)
  const untoldId = await underWay(api, admin, listed)
  const shown: Record<string, string> = {}
  for (const path of [...SHOWN, `/api/owners/${listed.ownerId}/statement?period=2026-11`])
    shown[path] = (await admin.show(path)).text
  return { admin: ADMIN, broker: BROKER, ids: { ...listed, ...made, untoldId }, links, shown }
}

const SHOWN = [
  '/api/properties?pageSize=100',
  '/api/clients?pageSize=100',
  '/api/brokers?pageSize=100',
  '/api/condominiums',
  '/api/proposals?pageSize=100',
  '/api/contracts?pageSize=100',
  '/api/payments?pageSize=100',
  '/api/payments/report/revenue?periodFrom=2026-10&periodTo=2026-11',
  '/api/commissions',
  '/api/visits',
  '/api/files',
  '/api/notifications?pageSize=100',
]

/** Leaves a name change to fold, a failed log-in, and a proposal without notifications. */
const underWay = async (api: EstateTestApi, admin: Member, listed: Listed): Promise<string> => {
  const { clientId, visitedId, ownerId, brokerId } = listed
  const { body: client } = await admin.show(`/api/clients/${clientId}`)
  await admin.put(`/api/clients/${clientId}`, { ...client, name: RENAMED })
  await api.drain()
  const offer = { type: 'Lease', propertyId: visitedId, clientId: ownerId, brokerId, proposedValue: 1_700 }
  const { id } = await admin.post('/api/proposals', { ...offer, validUntil: '2026-12-20T23:59:59Z' })
  const { store, clock } = api.host
  const [first] = await outbox.queue(api.host, [notificationSubscriber(false)]).due(store, clock.now(), 1)
  if (!first || !(await first.claim(store, clock.now()))) throw new Error('no event is due')
  await guess(api, BROKER)
  return id
}
