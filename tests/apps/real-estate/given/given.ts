import type { ExecutionContext } from 'ava'
import type { Contract } from '../../../../core/real-estate/records/contract.ts'
import { brokers } from '../../../../core/real-estate/records/people.ts'
import { properties } from '../../../../core/real-estate/records/property.ts'
import { anyDocument } from '../../../core/payments/world.ts'
import { storedIn } from '../../../core/real-estate/records.ts'
import { anApiKey, payInto, paymentsOf } from '../payments-of.ts'
import { type EstateTestApi, type Person, worked } from '../test-api.ts'
import { basics, byAdmin, type Fixture, openAgency, post } from './basics.ts'

/** Stores a property, a client and a broker for a contract. */
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

/** Creates a contract. */
export const aContract = async (api: EstateTestApi, admin: Person, over: Readonly<Record<string, unknown>> = {}) => {
  const { body } = await someParties(api, admin)
  return post(api, admin, '/api/contracts', { ...LEASE, ...body, ...over })
}

const parties = byAdmin(async (api, admin) => ({ body: (await someParties(api, admin)).body }))

/** The optional terms of a contract. */
const OPTIONAL_TERMS = {
  documentUrl: 'https://docs.example.com/contrato.pdf',
  finePercentage: 10,
  interestPercentage: 1,
  discountValue: 50,
  administrationPercentage: 8.5,
  terminationFine: 7500,
}

const contractOf = async (api: EstateTestApi, over: Readonly<Record<string, unknown>> = {}) => {
  const admin = await api.agency()
  const { id, property, client, broker } = await aContract(api, admin, { ...OPTIONAL_TERMS, ...over })
  const body = { contractId: id, propertyId: property.id, clientId: client.id, brokerId: broker.id }
  return { admin, given: { token: admin.token, params: { id }, body } }
}

const contract: Fixture = async (api) => (await contractOf(api)).given

/** A contract with a pending rent. */
const owedContract: Fixture = async (api) => {
  const { admin, given } = await contractOf(api)
  const rent = { type: 'Rent', period: '2026-12', value: 2500, dueDate: '2026-12-10' }
  await post(api, admin, '/api/payments', { contractId: given.params.id, ...rent })
  return given
}

/** A lease with a fixed adjustment. */
const fixedContract: Fixture = async (api) =>
  (await contractOf(api, { indexer: 'Fixed', indexerPercentage: 4.5 })).given

const OFFER = {
  type: 'Lease',
  proposedValue: 2400,
  paymentConditions: 'Fiador; vencimento no dia 10.',
  validUntil: '2030-12-15T23:59:59Z',
  notes: 'O cliente aceita mudar-se em janeiro.',
}

/** Creates a proposal. */
export const aProposal = async (api: EstateTestApi, admin: Person, over: Readonly<Record<string, unknown>> = {}) => {
  const { body } = await someParties(api, admin)
  const made = await post(api, admin, '/api/proposals', { ...OFFER, ...body, ...over })
  return { made, body }
}

const proposal = byAdmin(async (api, admin) => {
  const { made, body } = await aProposal(api, admin)
  return { params: { id: made.id }, body }
})

const approved: Fixture = async (api) => {
  const { token = '', ...made } = await proposal(api)
  for (const status of ['Negotiating', 'Approved'])
    worked(await api.ask('PATCH', `/api/proposals/${made.params?.id}/status`, { token, body: { status } }))
  return { token, ...made }
}

/** Stores a lease and its broker. */
export const aDeal = async (api: EstateTestApi, admin: Person) => {
  const { brokerOf, contractOf } = storedIn(api, admin)
  const { id: brokerId } = await brokerOf()
  const { id: contractId } = await contractOf({ brokerId })
  return { brokerId, contractId }
}

/** Creates a commission for a lease. */
export const aCommission = async (api: EstateTestApi, admin: Person, over: Readonly<Record<string, unknown>> = {}) =>
  post(api, admin, '/api/commissions', { ...(await aDeal(api, admin)), percentage: 8.5, ...over })

const commissionable = byAdmin(async (api, admin) => ({ body: await aDeal(api, admin) }))

const commission = byAdmin(async (api, admin) => {
  const { id, brokerId, contractId } = await aCommission(api, admin, { notes: 'Metade do primeiro aluguel.' })
  return { params: { id }, body: { brokerId, contractId } }
})

/** Stores a lease. */
export const aLease = (api: EstateTestApi, admin: Person) => storedIn(api, admin).contractOf()

/** Creates a rent of a lease. */
export const aPayment = async (api: EstateTestApi, admin: Person, over: Readonly<Record<string, unknown>> = {}) => {
  const contractId = over.contractId ?? (await aLease(api, admin)).id
  const rent = { type: 'Rent', period: '2026-11', value: 2500, dueDate: '2026-11-10' }
  return post(api, admin, '/api/payments', { contractId, ...rent, ...over })
}

const NOTES = 'Primeiro aluguel.'

const aPaymentOf = byAdmin(async (api, admin) => {
  const { id, contractId } = await aPayment(api, admin, { notes: NOTES })
  return { params: { id }, body: { contractId } }
})

/** A payment, and a time at which it can be paid. */
const payable: Fixture = async (api) => ({ ...(await aPaymentOf(api)), body: { paidAt: api.clock.now() } })

/** A Defaulted payment. */
const defaulted = byAdmin(async (api, admin) => {
  const rent = { period: '2026-10', dueDate: '2026-10-10', notes: NOTES, status: 'Defaulted' } as const
  await storedIn(api, admin).paymentOf(await aLease(api, admin), rent)
  return {}
})

/** A running lease, and one whose term is over but whose status is Active. */
const lease = byAdmin(async (api, admin) => {
  await aLease(api, admin)
  await storedIn(api, admin).contractOf({ startDate: '2024-01-01', endDate: '2026-06-30' })
  return { body: { period: '2026-11' } }
})

/** An agency, and the API key of a payment account. */
const payableAccount = byAdmin(async (api) => ({ body: { apiKey: await anApiKey((await paymentsOf(api)).pay) } }))

const paymentAccount = byAdmin(async (api, admin) => {
  await payInto(api, admin, await anApiKey((await paymentsOf(api)).pay))
  return {}
})

/** Creates a rent that is not yet due, of a client with a CPF. */
export const aChargeable = async (api: EstateTestApi, admin: Person, over: Partial<Contract> = {}) => {
  const { clientOf, contractOf } = storedIn(api, admin)
  const { id: clientId } = await clientOf({ taxId: anyDocument(), activeContracts: 1 })
  const { id: contractId } = await contractOf({ clientId, discountValueCents: 5_000, ...over })
  return aPayment(api, admin, { contractId, period: '2026-12', dueDate: '2026-12-10' })
}

const chargeable = byAdmin(async (api, admin) => {
  await payInto(api, admin, await anApiKey((await paymentsOf(api)).pay))
  return { params: { id: (await aChargeable(api, admin)).id } }
})

/** Creates a paid payment. */
export const paidOf = async (
  api: EstateTestApi,
  admin: Person,
  over: Readonly<Record<string, unknown>>,
  paidAt = '2026-11-10T12:00:00Z',
) => {
  const { id, value } = await aPayment(api, admin, over)
  const body = { method: 'Pix', paidAt, paidValue: value }
  return worked(await api.ask('PATCH', `/api/payments/${id}/pay`, { token: admin.token, body }))
}

/** Stores an owner whose property is leased with 8.5 % administration, and managed. */
export const anOwner = async (api: EstateTestApi, admin: Person, email = 'dona@example.com') => {
  const { clientOf, propertyOf, contractOf } = storedIn(api, admin)
  const owner = await clientOf({ name: 'Dona Alice', email })
  const house = await propertyOf({ ownerId: owner.id })
  const of = { propertyId: house.id, propertyCode: house.code }
  const lease = await contractOf({ ...of, administrationPercentage: 8.5 })
  const management = await contractOf({ ...of, type: 'Management', clientId: owner.id })
  return { owner, house, lease, management }
}

const owner = byAdmin(async (api, admin) => {
  const { owner: of, lease } = await anOwner(api, admin)
  await paidOf(api, admin, { contractId: lease.id })
  return { params: { id: of.id }, query: { period: '2026-11' } }
})

/** An agency with a lease and a paid rent. */
const agency = byAdmin(async (api, admin) => {
  const { contractId } = await aDeal(api, admin)
  await paidOf(api, admin, { contractId })
  return {}
})

/** The fixtures by the name that examples refer to as `given`. */
export const given: Readonly<Record<string, Fixture>> = {
  ...basics,
  parties,
  contract,
  owedContract,
  fixedContract,
  proposal,
  approved,
  commissionable,
  commission,
  lease,
  payment: aPaymentOf,
  payable,
  defaulted,
  payableAccount,
  paymentAccount,
  chargeable,
  owner,
  agency,
}

/** Founds an agency with a broker who is a user, a client and a property. */
export const openDesk = async (t: Pick<ExecutionContext, 'teardown'>) => {
  const { api, admin, stored, ask: asAdmin } = await openAgency(t)
  const broker = await stored.brokerOf({ email: 'bruno@example.com' })
  const [maria, property] = [await stored.clientOf(), await stored.propertyOf()]
  const bruno = await api.colleague(admin, 'Broker', broker.email)
  const parties = { propertyId: property.id, clientId: maria.id, brokerId: broker.id }
  const offer = { type: 'Lease', ...parties, proposedValue: 2400, validUntil: '2026-12-15T23:59:59Z' }
  const made = async (over: object = {}) => worked(await asAdmin('POST', '/api/proposals', { ...offer, ...over }))
  const move = (id: string, status: string, reason?: string) =>
    asAdmin('PATCH', `/api/proposals/${id}/status`, { status, reason })
  /** Returns the counts of open proposals by property and broker. */
  const open = async () => ({
    properties: Object.fromEntries((await api.every(properties)).map(({ code, openProposals: of }) => [code, of])),
    brokers: Object.fromEntries((await api.every(brokers)).map(({ email, openProposals: of }) => [email, of])),
  })
  /** Creates an approved proposal. */
  const approved = async (over: object = {}) => {
    const { id } = await made(over)
    worked(await move(id, 'Negotiating'))
    return worked(await move(id, 'Approved'))
  }
  return { api, admin, stored, broker, bruno, maria, property, offer, asAdmin, made, move, open, approved }
}
