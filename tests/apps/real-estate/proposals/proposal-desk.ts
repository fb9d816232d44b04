import type { ExecutionContext } from 'ava'
import { brokers } from '../../../../core/real-estate/records/people.ts'
import { properties } from '../../../../core/real-estate/records/property.ts'
import { storedIn } from '../stored.ts'
import { openEstateApi, type Sent, worked } from '../test-api.ts'

/** An agency with a broker who signs in, a client and a property to be offered for. */
export const openDesk = async (t: Pick<ExecutionContext, 'teardown'>) => {
  const api = await openEstateApi(t)
  const admin = await api.agency()
  const stored = storedIn(api, admin)
  const broker = await stored.brokerOf({ email: 'bruno@example.com' })
  const [maria, property] = [await stored.clientOf(), await stored.propertyOf()]
  const bruno = await api.colleague(admin, 'Broker', broker.email)
  const offer = {
    type: 'Lease',
    propertyId: property.id,
    clientId: maria.id,
    brokerId: broker.id,
    proposedValue: 2400,
    validUntil: '2026-12-15T23:59:59Z',
  }
  const asAdmin = (method: string, path: string, body?: unknown, sent: Sent = {}) =>
    api.ask(method, path, { token: admin.token, ...(body === undefined ? {} : { body }), ...sent })
  const made = async (over: object = {}) => worked(await asAdmin('POST', '/api/proposals', { ...offer, ...over }))
  const move = (id: string, status: string, reason?: string) =>
    asAdmin('PATCH', `/api/proposals/${id}/status`, { status, ...(reason === undefined ? {} : { reason }) })
  /** How many open proposals each property and broker is said to have. */
  const open = async () => ({
    properties: Object.fromEntries((await api.every(properties)).map(({ code, openProposals: of }) => [code, of])),
    brokers: Object.fromEntries((await api.every(brokers)).map(({ email, openProposals: of }) => [email, of])),
  })
  return {
    api,
    admin,
    stored,
    broker,
    bruno,
    maria,
    property,
    offer,
    asAdmin,
    made,
    move,
    open,
    /** A proposal that was approved. */
    async approved(over: object = {}) {
      const { id } = await made(over)
      worked(await move(id, 'Negotiating'))
      return worked(await move(id, 'Approved'))
    },
  }
}
