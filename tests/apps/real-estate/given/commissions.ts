import { storedIn } from '../stored.ts'
import type { EstateTestApi, Person } from '../test-api.ts'
import { type Fixture, post } from './basics.ts'

/** A lease, and the broker who closed it. */
export const aDeal = async (api: EstateTestApi, admin: Person) => {
  const { brokerOf, contractOf } = storedIn(api, admin)
  const { id: brokerId } = await brokerOf()
  const { id: contractId } = await contractOf({ brokerId })
  return { brokerId, contractId }
}

/** What a broker earns by a lease. */
export const aCommission = async (api: EstateTestApi, admin: Person, over: Readonly<Record<string, unknown>> = {}) =>
  post(api, admin, '/api/commissions', { ...(await aDeal(api, admin)), percentage: 8.5, ...over })

const commissionable: Fixture = async (api) => {
  const admin = await api.agency()
  return { token: admin.token, body: await aDeal(api, admin) }
}

const commission: Fixture = async (api) => {
  const admin = await api.agency()
  const { id, brokerId, contractId } = await aCommission(api, admin, { notes: 'Metade do primeiro aluguel.' })
  return { token: admin.token, params: { id }, body: { brokerId, contractId } }
}

export const commissions: Readonly<Record<string, Fixture>> = { commissionable, commission }
