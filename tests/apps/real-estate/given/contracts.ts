import { storedIn } from '../stored.ts'
import type { EstateTestApi, Person } from '../test-api.ts'
import { type Fixture, post } from './basics.ts'

/** Whom and what a contract may be of. */
export const someParties = async (api: EstateTestApi, admin: Person) => {
  const { clientOf, brokerOf, propertyOf } = storedIn(api, admin)
  const [house, person, agent] = [await propertyOf(), await clientOf(), await brokerOf()]
  return { house, person, agent, body: { propertyId: house.id, clientId: person.id, brokerId: agent.id } }
}

export const LEASE = {
  type: 'Lease',
  value: 2500,
  startDate: '2026-12-01',
  endDate: '2029-05-31',
  dueDay: 10,
  indexer: 'IGPM',
}

/** A contract that an admin makes. */
export const aContract = async (api: EstateTestApi, admin: Person, over: Readonly<Record<string, unknown>> = {}) => {
  const { body } = await someParties(api, admin)
  return post(api, admin, '/api/contracts', { ...LEASE, ...body, ...over })
}

const parties: Fixture = async (api) => {
  const admin = await api.agency()
  const { body } = await someParties(api, admin)
  return { token: admin.token, body }
}

/** All that may be agreed. */
const AGREED = {
  documentUrl: 'https://docs.example.com/contrato.pdf',
  finePercentage: 10,
  interestPercentage: 1,
  discountValue: 50,
  administrationPercentage: 8.5,
  terminationFine: 7500,
}

const contractOf = async (api: EstateTestApi, over: Readonly<Record<string, unknown>> = {}) => {
  const admin = await api.agency()
  const { id, property, client, broker } = await aContract(api, admin, { ...AGREED, ...over })
  const body = { contractId: id, propertyId: property.id, clientId: client.id, brokerId: broker.id }
  return { admin, given: { token: admin.token, params: { id }, body } }
}

const contract: Fixture = async (api) => (await contractOf(api)).given

/** One under which a rent is owed. */
const owedContract: Fixture = async (api) => {
  const { admin, given } = await contractOf(api)
  const rent = { type: 'Rent', period: '2026-12', value: 2500, dueDate: '2026-12-10' }
  await post(api, admin, '/api/payments', { contractId: given.params.id, ...rent })
  return given
}

/** A lease whose value rises by what was agreed. */
const fixedContract: Fixture = async (api) =>
  (await contractOf(api, { indexer: 'Fixed', indexerPercentage: 4.5 })).given

export const contracts: Readonly<Record<string, Fixture>> = { parties, contract, owedContract, fixedContract }
