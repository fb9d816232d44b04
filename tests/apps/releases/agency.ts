import type { ExecutionContext } from 'ava'
import { chargedOrders } from '../../../adapters/charging/charged-orders.ts'
import { collectionsOf } from '../../../apps/host/host.ts'
import { openStore } from '../../../apps/host/open-store.ts'
import { payments } from '../../../apps/payments/app.ts'
import { realEstate } from '../../../apps/real-estate/app.ts'
import { invitations } from '../../../core/real-estate/invitations.ts'
import { notifications } from '../../../core/real-estate/office.ts'
import { anApiKey, payInto, paymentsOf } from '../real-estate/payments-of.ts'
import { type EstateTestApi, worked } from '../real-estate/test-api.ts'
import { decodesAll, findsAll, isOfAgency, isSound, isWritten } from './checks.ts'
import { unfinished, WORKS, works } from './finishes.ts'
import type { Known, KnownAgency } from './fixtures.ts'
import { type Member, memberOf, type Survivor } from './survivor.ts'

const RENAMED = 'Caio Ramos Filho'

/** The agency of a store of an earlier release is read, written, finished and found sound by the program of today. */
export const agencyOutlives = async (
  t: ExecutionContext,
  { fixture, place, openAgency }: Survivor,
  known: KnownAgency,
): Promise<void> => {
  const api = await openAgency()
  const collections = fixture.collections.filter(isOfAgency)
  await findsAll(t, api, collections)
  await decodesAll(t, { api })
  // A log-in writes, too: it resets the failed tries.
  const before = await api.everything()
  await readsAgency(t, api, known)
  await writesAgency(t, api, known)
  await finishesAgency(t, api, known)
  isWritten(t, collections, before, await api.everything())
  await decodesAll(t, { api })
  const store = await openStore(place.STORE_URL, collectionsOf([payments, realEstate]))
  await isSound(t, store, [payments, realEstate])
  await store.close()
}

const pathOf = (url: string): string => new URL(url).pathname + new URL(url).search

/** Its users read what they knew, and the public links work. */
const readsAgency = async (
  t: ExecutionContext,
  api: EstateTestApi,
  { admin, broker, ids, links, shown }: KnownAgency,
): Promise<void> => {
  const asked = await signIn(api, admin)
  for (const [path, then] of Object.entries(shown)) t.like((await asked.show(path)).body, JSON.parse(then), path)
  const gone = await api.ask('GET', `/api/clients/${ids.removedClientId}`, { token: asked.token })
  t.is(gone.status, 404)
  t.regex((await api.ask('GET', pathOf(links.feed))).text, /IPE-12/)
  t.regex((await api.ask('GET', pathOf(links.calendar))).text, /BEGIN:VEVENT/)
  const own = await signIn(api, broker)
  t.true((await own.show('/api/proposals')).body.total > 5)
}

/** The worker finishes the work that was left: folded names and notifications. */
const finishesAgency = async (t: ExecutionContext, api: EstateTestApi, { admin, ids }: KnownAgency): Promise<void> => {
  await works({ api }, WORKS)
  t.deepEqual(await unfinished({ api }), [])
  const found = await (await signIn(api, admin)).show(`/api/proposals?search=${encodeURIComponent(RENAMED)}`)
  t.true(found.body.total > 0)
  const told = (await api.every(notifications)).filter(({ resourceId }) => resourceId === ids.untoldId)
  t.true(told.length > 0)
  t.is(new Set(told.map(({ userId }) => userId)).size, told.length, 'each user is notified once')
}

/** Changes one record of each kind that an agency can change. */
const writesAgency = async (
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
  for (const { id } of await api.every(invitations)) await asked.remove(`/api/invitations/${id}`)
  await asked.post('/api/properties/feed-token', {})
  await asked.post('/api/visits/calendar-token', { brokerId: ids.brokerId })
  for (const void_ of Object.values(links)) {
    const { pathname, search } = new URL(void_)
    t.is((await api.ask('GET', pathname + search)).status, 404)
  }
}

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

/** The payer pays a charged rent, the platform is notified, and the company changes its account. */
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

/** An account whose document the fixture does not have. */
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

const ACCOUNTS = '/identitytoolkit.googleapis.com/v1/accounts'

const signIn = async (api: EstateTestApi, { email, password }: Known): Promise<Member> => {
  const sent = { body: { email, password } }
  return memberOf(api, worked(await api.ask('POST', `${ACCOUNTS}:signInWithPassword?key=any`, sent)).idToken)
}

const renameSelf = async (api: EstateTestApi, { token: idToken }: Member, displayName: string): Promise<void> => {
  worked(await api.ask('POST', `${ACCOUNTS}:update?key=any`, { body: { idToken, displayName } }))
}
