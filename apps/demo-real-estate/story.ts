import { setTimeout as wait } from 'node:timers/promises'
import { addDays, addMonths, type Day, dayOf, formatDay } from '../../core/kernel/values/day.ts'
import { apiClient, expect, reais, say } from '../demo/demo.ts'

interface Named {
  readonly id: string
  readonly name: string
}

interface Property {
  readonly id: string
  readonly code: string
  readonly status: string
}

interface Contract {
  readonly id: string
  readonly status: string
  readonly value: number
  readonly startDate: Day
  readonly endDate: Day
}

interface Payment {
  readonly id: string
  readonly value: number
  readonly dueDate: Day
  readonly status: string
  readonly method: string | null
}

interface Charge {
  readonly pix: { readonly txid: string }
}

interface RentRun {
  readonly created: readonly Payment[]
  readonly skipped: readonly { readonly propertyCode: string; readonly reason: string }[]
}

interface Commission {
  readonly id: string
  readonly value: number
  readonly status: string
}

interface Dashboard {
  readonly properties: { readonly total: number; readonly rented: number }
  readonly contracts: { readonly active: number }
  readonly financial: { readonly monthlyRevenue: number; readonly pendingPayments: number }
}

/** Sends requests of a signed-in user. */
type Send = <A>(path: string, body?: unknown, method?: string) => Promise<A>

interface People {
  readonly owner: Named
  readonly broker: Named
  readonly tenant: Named
}

/** Runs and prints an agency's story from its foundation to the first rent. Throws if a step fails. */
export const story = async (url: string, paymentsUrl: string) => {
  const send = await foundAgency(url)
  const account = await openAccount(send, paymentsUrl)
  const people = await addPeople(send)
  const property = await listProperty(send, people)
  const contract = await letProperty(send, people, property)
  const rent = await runRents(send, contract)
  await receiveRent(send, account, people, rent)
  await payCommission(send, people, contract)
  await showDashboard(send)
}

const foundAgency = async (url: string): Promise<Send> => {
  const publicClient = apiClient(url)
  const ana = { email: 'ana@aurora.example', password: 'segredo-123', displayName: 'Ana Souza' }
  const signedUp = '/identitytoolkit.googleapis.com/v1/accounts:signUp'
  const { localId: firebaseUid, idToken: token } = await publicClient<Record<'localId' | 'idToken', string>>(signedUp, {
    body: ana,
  })
  const send: Send = (path, body, method) => publicClient(path, { token, body, ...(method && { method }) })
  const company = { legalName: 'Imobiliária Aurora Ltda.', taxId: '11.222.333/0001-81' }
  const { email, displayName: name } = ana
  const registration = { firebaseUid, email, name, role: 'Admin', companyId: crypto.randomUUID(), company }
  const { role } = await send<{ role: string }>('/api/auth/register', registration)
  say(`1. ${name} signs up at the identity provider with ${email}, and founds ${company.legalName}`)
  say(`   (${company.taxId}): she is its ${role}.`)
  return send
}

/** Opens the account for the agency's payments, at the payments API of the same process. */
const openAccount = async (send: Send, url: string): Promise<Send> => {
  const publicClient = apiClient(url)
  const password = 'segredo-123'
  const ana = { name: 'Ana Souza', email: 'ana@aurora.example', password, password_confirmation: password }
  const { data } = await publicClient<{ data: { access_token: string } }>('/v1/auth/register', { body: ana })
  const account: Send = (path, body) => publicClient(path, { token: data.access_token, body })
  await account('/v1/organizations', { name: 'Imobiliária Aurora', document: '11.222.333/0001-81' })
  const { account: own } = await account<{ account: { token: string } }>('/access/account')
  const { name } = await send<{ name: string }>('/api/company/payment-account', { apiKey: own.token }, 'PUT')
  say(`   Its rents are paid into the account of ${name}, by Pix and boleto.`)
  return account
}

const addPeople = async (send: Send): Promise<People> => {
  const client = (name: string, taxId: string, email: string, interest: string) =>
    send<Named>('/api/clients', { name, taxId, email, type: 'Individual', interest })
  const owner = await client('Diego Rocha', '529.982.247-25', 'diego@example.com', 'Investment')
  const tenant = await client('Maria da Silva', '123.456.789-09', 'maria@example.com', 'Lease')
  const bruno = { name: 'Bruno Lima', creci: '12345-F', email: 'bruno@aurora.example', status: 'Active' }
  const broker = await send<Named>('/api/brokers', bruno)
  say(`2. ${broker.name} joins as a broker. ${owner.name} has a flat to let, ${tenant.name} looks for one.`)
  return { owner, broker, tenant }
}

const RENT_PRICE = 2_500
const PROPOSED_RENT = 2_400

const listProperty = async (send: Send, { owner, broker }: People): Promise<Property> => {
  const address = {
    street: 'Rua das Flores',
    number: '100',
    neighborhood: 'Centro',
    city: 'São Paulo',
    state: 'SP',
    zipCode: '01310-100',
  }
  const flat = { code: 'AP-101', type: 'Apartment', purpose: 'Lease', address, rentPrice: RENT_PRICE }
  const property = await send<Property>('/api/properties', { ...flat, ownerId: owner.id, brokerId: broker.id })
  say(`3. ${owner.name}'s flat is listed as ${property.code} for ${reais(RENT_PRICE)} a month: ${property.status}.`)
  return property
}

const letProperty = async (
  send: Send,
  { tenant, broker }: People,
  { id: propertyId, code }: Property,
): Promise<Contract> => {
  const today = dayOf(new Date().toISOString())
  const parties = { propertyId, clientId: tenant.id, brokerId: broker.id }
  const offer = { type: 'Lease', proposedValue: PROPOSED_RENT, validUntil: `${addDays(today, 10)}T12:00:00.000Z` }
  const { id } = await send<{ id: string }>('/api/proposals', { ...offer, ...parties })
  say(`4. ${tenant.name} proposes ${reais(PROPOSED_RENT)}, and they negotiate until it is approved.`)
  for (const status of ['Negotiating', 'Approved']) await send(`/api/proposals/${id}/status`, { status }, 'PATCH')
  const startDate = addMonths(`${today.slice(0, 7)}-01`, 1)
  const endDate = addDays(addMonths(startDate, 30), -1)
  const terms = { startDate, endDate, dueDay: 10, indexer: 'IPCA', value: PROPOSED_RENT }
  const contract = await send<Contract>(`/api/proposals/${id}/convert`, terms)
  const { status } = await send<Property>(`/api/properties/${propertyId}`)
  expect(status === 'Rented', `the property is ${status}`)
  say(`   The proposal becomes a lease from ${formatDay(startDate)} to ${formatDay(endDate)}, ${contract.status};`)
  say(`   ${code} is ${status}.`)
  return contract
}

const runRents = async (send: Send, { startDate }: Contract): Promise<Payment> => {
  const period = startDate.slice(0, 7)
  const run = () => send<RentRun>('/api/contracts/run-rent', { period })
  const {
    created: [rent, ...others],
  } = await run()
  const again = await run()
  if (!rent) throw new Error('no rent was created')
  expect(others.length === 0 && again.created.length === 0, 'a rent was created twice')
  say(
    `5. The rents of ${period} are run: one of ${reais(rent.value)}, due on ${formatDay(rent.dueDate)}, ${rent.status}.`,
  )
  for (const { propertyCode, reason } of again.skipped) say(`   Run again it skips ${propertyCode}: ${reason}`)
  return rent
}

/** The limit for the payment to reach the agency. */
const PAID_WITHIN_MS = 30_000
const POLL_MS = 100

const receiveRent = async (send: Send, account: Send, { tenant }: People, { id, value }: Payment): Promise<void> => {
  await send(`/api/payments/${id}/charge`, { method: 'Pix' })
  const { data } = await account<{ data: readonly Charge[] }>('/invoices')
  const txid = data[0]?.pix.txid
  say(`6. ${tenant.name} is charged by Pix: ${reais(value)}. Her bank pays it.`)
  await account('/fake-bank/payments', { txid })
  const last = Date.now() + PAID_WITHIN_MS
  let payment = await send<Payment>(`/api/payments/${id}`)
  while (payment.status !== 'Paid' && Date.now() < last) {
    await wait(POLL_MS)
    payment = await send<Payment>(`/api/payments/${id}`)
  }
  expect(payment.status === 'Paid', `the rent is ${payment.status}`)
  const { balance } = await account<{ balance: number }>('/consolidation/balance')
  say(`   The account's balance is ${reais(balance)}, and the rent is at once ${payment.status}, by ${payment.method}.`)
}

const payCommission = async (send: Send, { broker }: People, { id: contractId }: Contract): Promise<void> => {
  const half = { brokerId: broker.id, contractId, percentage: 50, notes: 'Metade do primeiro aluguel.' }
  const { id, value } = await send<Commission>('/api/commissions', half)
  const move = (status: string) => send<Commission>(`/api/commissions/${id}/status`, { status }, 'PATCH')
  await move('Approved')
  const { status } = await move('Paid')
  say(`7. ${broker.name}'s commission is half of the first rent, ${reais(value)}: approved, then ${status}.`)
}

const showDashboard = async (send: Send): Promise<void> => {
  const { properties, contracts, financial } = await send<Dashboard>('/api/dashboard')
  say(
    `8. The dashboard: ${properties.rented} of ${properties.total} properties rented, active contracts: ${contracts.active},`,
  )
  say(`   revenue of the month: ${reais(financial.monthlyRevenue)}, still to be paid: ${financial.pendingPayments}.`)
}
