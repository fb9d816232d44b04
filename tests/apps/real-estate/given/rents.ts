import type { Contract } from '../../../../core/real-estate/records/contract.ts'
import { payment } from '../../../../core/real-estate/records/payment.ts'
import { copiesOf } from '../../../../core/real-estate/rents/write-payment.ts'
import { anyDocument } from '../../given/basics.ts'
import { anApiKey, payInto, paymentsOf } from '../payments-of.ts'
import { storedIn } from '../stored.ts'
import type { EstateTestApi, Person } from '../test-api.ts'
import { type Fixture, post } from './basics.ts'

/** A lease that its company has, as the store holds it. */
export const aLease = (api: EstateTestApi, admin: Person) => storedIn(api, admin).contractOf()

/** A rent that is owed under a lease. */
export const aPayment = async (api: EstateTestApi, admin: Person, over: Readonly<Record<string, unknown>> = {}) => {
  const contractId = over.contractId ?? (await aLease(api, admin)).id
  const rent = { type: 'Rent', period: '2026-11', value: 2500, dueDate: '2026-11-10' }
  return post(api, admin, '/api/payments', { contractId, ...rent, ...over })
}

const NOTES = 'Primeiro aluguel.'

const aPaymentOf: Fixture = async (api) => {
  const admin = await api.agency()
  const { id, contractId } = await aPayment(api, admin, { notes: NOTES })
  return { token: admin.token, params: { id }, body: { contractId } }
}

/** The same, with a moment at which it may have been paid. */
const payable: Fixture = async (api) => ({ ...(await aPaymentOf(api)), body: { paidAt: api.clock.now() } })

/** A payment that was found overdue. */
const defaulted: Fixture = async (api) => {
  const admin = await api.agency()
  const lease = await aLease(api, admin)
  const owed = { contractId: lease.id, type: 'Rent', period: '2026-10', valueCents: 250_000, notes: NOTES } as const
  const { put } = storedIn(api, admin)
  const kept = { ...copiesOf(lease), status: 'Defaulted' } as const
  await put(payment.build(admin.companyId, { ...owed, dueDate: '2026-10-10' }, api.fresh(), kept))
  return { token: admin.token }
}

/** A lease that runs and one that has ended, though nobody has said so. */
const lease: Fixture = async (api) => {
  const admin = await api.agency()
  await aLease(api, admin)
  await storedIn(api, admin).contractOf({ startDate: '2024-01-01', endDate: '2026-06-30' })
  return { token: admin.token, body: { period: '2026-11' } }
}

/** An agency that is to be paid into an account, and the key of that. */
const payableAccount: Fixture = async (api) => {
  const { token } = await api.agency()
  const { pay } = await paymentsOf(api)
  return { token, body: { apiKey: await anApiKey(pay) } }
}

const paymentAccount: Fixture = async (api) => {
  const { token, body } = await payableAccount(api)
  await payInto(api, { token: token ?? '' }, `${body?.apiKey}`)
  return { ...(token && { token }) }
}

/** A rent that is not due yet, of somebody who can be charged. */
export const aChargeable = async (api: EstateTestApi, admin: Person, over: Partial<Contract> = {}) => {
  const { clientOf, contractOf } = storedIn(api, admin)
  const { id: clientId } = await clientOf({ taxId: anyDocument(), activeContracts: 1 })
  const { id: contractId } = await contractOf({ clientId, discountValueCents: 5_000, ...over })
  return aPayment(api, admin, { contractId, period: '2026-12', dueDate: '2026-12-10' })
}

const chargeable: Fixture = async (api) => {
  const admin = await api.agency()
  const { pay } = await paymentsOf(api)
  await payInto(api, admin, await anApiKey(pay))
  const { id } = await aChargeable(api, admin)
  return { token: admin.token, params: { id } }
}

export const rents: Readonly<Record<string, Fixture>> = {
  ...{ lease, payment: aPaymentOf, payable, defaulted },
  ...{ payableAccount, paymentAccount, chargeable },
}
