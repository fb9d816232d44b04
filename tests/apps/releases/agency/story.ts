import { rows } from '../../../../apps/real-estate/catalogue.ts'
import { insert } from '../../../../core/kernel/records/record.ts'
import * as rooms from '../../../../core/real-estate/modules.ts'
import { notificationSubscriber } from '../../../../core/real-estate/notifications/event-subscriber.ts'
import { outbox, processes } from '../../../../core/real-estate/office.ts'
import { HOME } from '../../real-estate/given/basics.ts'
import { anApiKey, payInto, paymentsOf } from '../../real-estate/payments-of.ts'
import type { EstateTestApi } from '../../real-estate/test-api.ts'
import type { KnownAgency } from '../fixtures.ts'
import { makesPlain } from '../plain.ts'
import { ADMIN, BROKER, type Cast, founded, guess, type Member, signIn } from './members.ts'

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
  await admin.post('/api/invitations', { email: 'convidada@imobiliaria.example', role: 'Broker' })
  await api.host.store.commit([insert(processes, { id: '654321', beats: 3 })])
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

const { neighborhood: _, ...PLACE } = HOME

/** Clients, brokers, a condominium and properties in every state, some of them removed. */
export const listings = async (admin: Member, { users }: Cast) => {
  const add = async (path: string, body: object): Promise<string> => (await admin.post(path, body)).id
  const aClient = (name: string, email: string, over: object = {}) =>
    add('/api/clients', { name, email, type: 'Individual', interest: 'Lease', ...over })
  const ownerId = await aClient('Olga Dona', 'olga@dona.example', { taxId: '123.456.789-09', address: HOME })
  const tenantId = await aClient('Tito Inquilino', 'tito@inquilino.example', {
    taxId: '529.982.247-25',
    phone: '(11) 98888-0000',
  })
  const buyer = { type: 'Company', interest: 'Purchase', preferences: { desiredType: 'House', maxPrice: 900_000 } }
  const buyerId = await aClient('Compradora S.A.', 'compras@example.com', buyer)
  const clientId = await aClient('Caio Ramos', 'caio@example.com', { source: 'Portal', notes: 'Tem um cão.' })
  const removedClientId = await aClient('Não Volta', 'nao.volta@example.com')
  await admin.remove(`/api/clients/${removedClientId}`)

  const aBroker = (name: string, email: string, creci: string, status = 'Active') =>
    add('/api/brokers', { name, email, creci, status, phone: '(11) 97777-0000', address: HOME })
  const brokerId = await aBroker('Breno Dias', BROKER.email, 'CRECI-SP 1001')
  await aBroker('Iva Parada', 'iva@lar.example', 'CRECI-SP 1002', 'Inactive')
  await admin.remove(`/api/brokers/${await aBroker('Rui Saiu', 'rui@lar.example', 'CRECI-SP 1003')}`)

  const own = { name: 'Edifício Ipê', syndicId: users.Syndic, address: PLACE }
  const condominiumId = await add('/api/condominiums', { ...own, taxId: '11.222.333/0001-81' })
  await admin.remove(`/api/condominiums/${await add('/api/condominiums', { ...own, taxId: '11.444.777/0001-61' })}`)

  const aProperty = (code: string, over: object = {}) =>
    add('/api/properties', {
      ...{ code, type: 'Apartment', purpose: 'Both', rentPrice: 2_500, salePrice: 500_000 },
      ...{ address: PLACE, ownerId, brokerId },
      ...over,
    })
  const unit = {
    condominiumId,
    idealFraction: 0.5,
    bedrooms: 2,
    privateArea: 60.5,
    images: ['https://f.example/1.jpg'],
  }
  const [letId, offeredId] = [await aProperty('IPE-11', unit), await aProperty('IPE-12', unit)]
  const soldId = await aProperty('CASA-1', { type: 'House', purpose: 'Sale', rentPrice: null })
  const reservedId = await aProperty('SALA-1', { type: 'CommercialRoom', purpose: 'Lease', salePrice: null })
  await admin.patch(`/api/properties/${reservedId}/status`, { status: 'Reserved', reason: 'Sinal recebido.' })
  const visitedId = await aProperty('IPE-13')
  await admin.remove(`/api/properties/${await aProperty('LOTE-1', { type: 'Land', purpose: 'Sale' })}`)
  return {
    ...{ ownerId, tenantId, buyerId, clientId, removedClientId, brokerId, condominiumId },
    ...{ letId, offeredId, soldId, reservedId, visitedId },
  }
}

const NOT_YET = '2026-12-31T23:59:59Z'
const AGREED = { startDate: '2026-01-01', endDate: '2028-06-30', dueDay: 10, indexer: 'IGPM', value: 2_500 }

/** Creates proposals, contracts, payments, commissions and visits in every status, and notifications. */
export const deals = async (api: EstateTestApi, listed: Listed) => {
  const admin = await signIn(api, ADMIN)
  const made = { ...(await proposals(admin, listed)), ...(await contracts(admin, listed)) }
  const paid = await payments(admin, listed, made)
  const chargedId = await charge(api, admin, made)
  const more = { ...(await commissions(admin, listed, made)), ...(await visits(admin, listed)) }
  await api.drain()
  await admin.post('/api/notifications/check-alerts', {})
  const fileId = await file(admin, 'planta.pdf')
  await admin.remove(`/api/files/${await file(admin, 'rascunho.pdf')}`)
  const { data } = (await admin.show('/api/notifications')).body
  await admin.patch(`/api/notifications/${data[0].id}/read`, {})
  return { ...made, ...paid, ...more, chargedId, fileId, unreadId: data[1].id as string }
}

const moving =
  (admin: Member, path: string) =>
  async (id: string, ...statuses: readonly string[]): Promise<string> => {
    for (const status of statuses)
      await admin.patch(`${path}/${id}/status`, { status, ...(status === 'Done' && { checkinDone: true }) })
    return id
  }

const proposals = async (admin: Member, { offeredId, soldId, clientId, buyerId, brokerId }: Listed) => {
  const offer = async (over: object): Promise<string> => {
    const lease = {
      type: 'Lease',
      propertyId: offeredId,
      clientId,
      brokerId,
      proposedValue: 2_400,
      validUntil: NOT_YET,
    }
    return (await admin.post('/api/proposals', { ...lease, ...over })).id
  }
  const move = moving(admin, '/api/proposals')
  const reviewedId = await offer({ notes: 'Muda-se em janeiro.' })
  await offer({ validUntil: '2026-11-21T23:59:59Z' })
  await move(await offer({}), 'Negotiating')
  await move(await offer({}), 'Rejected')
  await admin.remove(`/api/proposals/${await offer({})}`)
  const approvedId = await move(await offer({ proposedValue: 2_450 }), 'Negotiating', 'Approved')
  const sale = { type: 'Sale', propertyId: soldId, clientId: buyerId, proposedValue: 480_000 }
  const soldBy = await move(await offer(sale), 'Negotiating', 'Approved')
  const terms = {
    ...AGREED,
    value: 480_000,
    startDate: '2026-11-20',
    documentUrl: 'https://docs.example.com/venda.pdf',
  }
  const { id: saleId } = await admin.post(`/api/proposals/${soldBy}/convert`, terms)
  return { reviewedId, approvedId, saleId: saleId as string }
}

const contracts = async (admin: Member, { letId, visitedId, ownerId, tenantId, clientId, brokerId }: Listed) => {
  const sign = async (over: object): Promise<string> => {
    const lease = { ...AGREED, type: 'Lease', propertyId: letId, clientId: tenantId, brokerId }
    return (await admin.post('/api/contracts', { ...lease, ...over })).id
  }
  const move = moving(admin, '/api/contracts')
  const before = { propertyId: visitedId, clientId, startDate: '2024-01-01', endDate: '2026-11-30' }
  await move(await sign(before), 'Terminated')
  await move(await sign({ ...before, type: 'Management', clientId: ownerId }), 'Cancelled')
  await move(await sign({ ...before, type: 'Management', clientId: ownerId }), 'Renewed')
  await sign({ ...before, type: 'Management', clientId: ownerId })
  await admin.remove(`/api/contracts/${await sign({ ...before, type: 'Management', clientId: ownerId })}`)
  const terms = { finePercentage: 10, interestPercentage: 1, administrationPercentage: 8.5, terminationFine: 7_500 }
  const leaseId = await sign(terms)
  const renewal = { newEndDate: '2029-06-30', newValue: 2_600, indexer: 'IPCA' }
  await admin.post(`/api/contracts/${leaseId}/renew`, renewal)
  return { leaseId }
}

const payments = async (admin: Member, { condominiumId }: Listed, { leaseId }: { readonly leaseId: string }) => {
  const owe = async (over: object): Promise<string> => {
    const rent = { contractId: leaseId, type: 'Rent', period: '2026-11', value: 2_600, dueDate: '2026-12-10' }
    return (await admin.post('/api/payments', { ...rent, ...over })).id
  }
  const paidId = await owe({ dueDate: '2026-11-10', notes: 'Primeiro aluguel.' })
  const receipt = { method: 'Pix', paidAt: '2026-11-10T12:00:00Z', paidValue: 2_600 }
  await admin.patch(`/api/payments/${paidId}/pay`, receipt)
  const overdueId = await owe({ period: '2026-10', dueDate: '2026-10-10' })
  await owe({ type: 'IPTU', value: 300.25 })
  await admin.remove(`/api/payments/${await owe({ type: 'Fine', value: 50 })}`)
  await admin.post('/api/contracts/run-rent', { period: '2026-12' })
  const split = { description: 'Água de novembro', totalValue: 500.25, period: '2026-11', dueDate: '2026-12-05' }
  await admin.post(`/api/condominiums/${condominiumId}/expense-split`, split)
  return { paidId, overdueId }
}

/** Charges a rent by the platform on the same store; it stays unpaid. */
const charge = async (api: EstateTestApi, admin: Member, { leaseId: contractId }: { readonly leaseId: string }) => {
  const bank = await paymentsOf(api)
  await payInto(api, admin, await anApiKey(bank.pay))
  const rent = { contractId, type: 'Rent', period: '2027-01', value: 2_600, dueDate: '2027-01-10' }
  const { id } = await admin.post('/api/payments', rent)
  await admin.post(`/api/payments/${id}/charge`, { method: 'Pix' })
  await bank.drain()
  return id as string
}

const commissions = async (admin: Member, { brokerId }: Listed, { leaseId }: { readonly leaseId: string }) => {
  const earn = async (over: object = { percentage: 8.5 }): Promise<string> =>
    (await admin.post('/api/commissions', { brokerId, contractId: leaseId, ...over })).id
  const move = moving(admin, '/api/commissions')
  const commissionId = await earn()
  await move(await earn({ value: 1_250.5, notes: 'Metade.' }), 'Approved')
  await move(await earn(), 'Approved', 'Paid')
  await admin.remove(`/api/commissions/${await earn()}`)
  return { commissionId }
}

const visits = async (admin: Member, { visitedId, clientId, brokerId }: Listed) => {
  const plan = async (scheduledAt: string): Promise<string> =>
    (await admin.post('/api/visits', { propertyId: visitedId, clientId, brokerId, scheduledAt })).id
  const move = moving(admin, '/api/visits')
  const visitId = await plan('2026-11-25T14:00:00-03:00')
  await move(await plan('2026-11-26T14:00:00-03:00'), 'Confirmed')
  await move(await plan('2026-11-20T08:00:00-03:00'), 'Confirmed', 'Done')
  await move(await plan('2026-11-27T14:00:00-03:00'), 'Cancelled')
  await admin.remove(`/api/visits/${await plan('2026-11-28T14:00:00-03:00')}`)
  return { visitId }
}

const file = async (admin: Member, fileName: string): Promise<string> => {
  const [storagePath, url] = [`plantas/${fileName}`, `https://storage.example.com/plantas/${fileName}`]
  const about = { fileName, storagePath, url, contentType: 'application/pdf', sizeBytes: 1_024 }
  return (await admin.post('/api/files', about)).id
}
