import type { ExecutionContext } from 'ava'
import { chargedOrders } from '../../../../adapters/charging/charged-orders.ts'
import { anApiKey, payInto, paymentsOf } from '../../real-estate/payments-of.ts'
import type { EstateTestApi } from '../../real-estate/test-api.ts'
import type { KnownAgency } from '../known.ts'
import { type Member, renameSelf, signIn } from './member.ts'

/** Writes what was there when it came: of everything that an agency can change one. */
export const writesAgency = async (
  t: ExecutionContext,
  api: EstateTestApi,
  { admin, broker, ids, links }: KnownAgency,
): Promise<void> => {
  await renameSelf(api, await signIn(api, broker), 'Breno M. Dias')
  t.is((await (await signIn(api, broker)).post('/api/auth/login', {})).name, 'Breno M. Dias')
  const asked = await signIn(api, admin)
  await replaces(t, asked, ids)
  await paysCharged(t, api, asked, ids)
  await moves(t, asked, ids)
  await asked.remove(`/api/files/${ids.fileId}`)
  await asked.patch(`/api/notifications/${ids.unreadId}/read`, {})
  await asked.post('/api/notifications/check-alerts', {})
  await asked.post('/api/properties/feed-token', {})
  await asked.post('/api/visits/calendar-token', { brokerId: ids.brokerId })
  for (const void_ of Object.values(links)) {
    const { pathname, search } = new URL(void_)
    t.is((await api.ask('GET', pathname + search)).status, 404)
  }
}

/** What a PUT replaces: all is sent back as it is shown, but for a word. */
const replaces = async (t: ExecutionContext, asked: Member, ids: KnownAgency['ids']): Promise<void> => {
  const REPLACED = [
    [`/api/clients/${ids.tenantId}`, { notes: 'Mudou de telefone.' }],
    [`/api/brokers/${ids.brokerId}`, { notes: 'Atende a zona sul.' }],
    [`/api/properties/${ids.letId}`, { code: 'IPE-11A' }],
    [`/api/payments/${ids.overdueId}`, { notes: 'Foi avisado.' }],
  ] as const
  for (const [path, change] of REPLACED) {
    const { body } = await asked.show(path)
    t.like(await asked.put(path, { ...body, ...change }), change)
  }
  const condominium = `/api/condominiums/${ids.condominiumId}`
  const { body } = await asked.show(condominium)
  await asked.put(condominium, { ...body, syndicId: body.syndic.id, name: 'Edifício Ipê Amarelo' })
}

/** A rent that was charged is paid by its payer, as the platform hears; the next ones are paid into another account. */
const paysCharged = async (
  t: ExecutionContext,
  api: EstateTestApi,
  asked: Member,
  { chargedId }: KnownAgency['ids'],
): Promise<void> => {
  const [order] = await api.every(chargedOrders)
  const bank = await paymentsOf(api)
  await bank.payTitle(order?.intent ?? '')
  await bank.drain()
  await api.drain()
  t.like((await asked.show(`/api/payments/${chargedId}`)).body, { status: 'Paid', paidValue: 2_600 })
  await payInto(api, asked, await anApiKey(bank.pay, ANOTHER))
  await bank.drain()
}

/** Nobody's in any store that is kept: those were made of the numbers that are counted here, too. */
const ANOTHER = { name: 'Outra conta', email: 'outra.conta@example.com', document: '52998224725' }

const moves = async (t: ExecutionContext, asked: Member, ids: KnownAgency['ids']): Promise<void> => {
  const move = async (path: string, status: string): Promise<void> => {
    t.is((await asked.patch(`/api/${path}/status`, { status })).status, status)
  }
  await move(`properties/${ids.reservedId}`, 'Available')
  await move(`proposals/${ids.reviewedId}`, 'Negotiating')
  await move(`commissions/${ids.commissionId}`, 'Approved')
  await move(`visits/${ids.visitId}`, 'Confirmed')
  const agreed = { startDate: '2026-12-01', endDate: '2029-05-31', dueDay: 10, indexer: 'IPCA', value: 2_450 }
  const made = await asked.post(`/api/proposals/${ids.approvedId}/convert`, agreed)
  t.like(made, { status: 'Active', proposalId: ids.approvedId })
  const receipt = { method: 'Transfer', paidAt: '2026-11-22T12:00:00Z', paidValue: 2_600 }
  t.is((await asked.patch(`/api/payments/${ids.overdueId}/pay`, receipt)).status, 'Paid')
  await move(`contracts/${ids.leaseId}`, 'Terminated')
  t.is((await asked.show(`/api/properties/${ids.letId}`)).body.status, 'Available')
}
