import type { ExecutionContext } from 'ava'
import { payments } from '../../../apps/payments/app.ts'
import { charges as allCharges } from '../../../core/payments/charges/charge.ts'
import { registrations } from '../../../core/payments/registrations/registration.ts'
import { deliveries } from '../../../core/payments/webhooks/deliveries.ts'
import { recipients } from '../../../core/payments/withdrawals/recipients.ts'
import { openBy, payBy, told } from '../payments/checkout/payer.ts'
import { MARIA, PASSWORD, worked } from '../payments/test-api.ts'
import { agencyOutlives } from './agency.ts'
import { decodesAll, findsAll, isOfAgency, isSound, isWritten, readsAsBefore } from './checks.ts'
import { finishesRequests, finishesWork } from './finishes.ts'
import type { KnownLink } from './fixtures.ts'
import { type Member, memberOf, type Survivor } from './survivor.ts'

/** The current release reads, writes, finishes and verifies a store of an earlier one. */
export const outlives = async (t: ExecutionContext, survivor: Survivor): Promise<void> => {
  const { api, fixture } = survivor
  const collections = fixture.collections.filter((name) => !isOfAgency(name))
  await findsAll(t, api, collections)
  await decodesAll(t, survivor)
  await readsAsBefore(t, survivor)
  const before = await api.everything()
  await writesAll(t, survivor)
  await finishesRequests(t, survivor)
  await finishesWork(t, survivor)
  isWritten(t, collections, before, await api.everything())
  await decodesAll(t, survivor)
  await isSound(t, api.host.store, [payments])
  await agencyOutlives(t, survivor, survivor.known.agency)
}

const NEW_PIN = '246813'

/** Changes one stored record of each kind that a user can change. */
const writesAll = async (t: ExecutionContext, survivor: Survivor): Promise<void> => {
  const { api, known, signIn } = survivor
  const asked = memberOf(api, await signIn(known.owner))
  await moneyOut(t, survivor, asked)
  await settings(t, survivor, asked)
  await people(t, survivor, asked)
  await changes(t, survivor, asked)
  await money(t, survivor, asked)
  await offers(t, survivor, asked)
  await secrets(t, survivor)
  const failed = (await api.every(deliveries)).find(({ status }) => status === 'failed')
  await asked.post(`/access/webhook-notifications/${failed?.id}/replay`)
  await asked.put(`/access/auth/notifications/${known.unreadId}/read`)
  await api.fail('pay_out', 'refuse', 7)
}

const PAID_KEY = 'maria@example.com'

const AN_ACCOUNT = {
  ...{ amount: 0.12, bank_code: '341', agency: '0001', account: '12345-6', account_type: 'CORRENTE' },
  beneficiary_name: 'Elisa Prado',
}

/** Confirms a stored look-up, pays a stored recipient by key and by account, and refunds a stored payment. */
const moneyOut = async (t: ExecutionContext, { api, known }: Survivor, asked: Member): Promise<void> => {
  const { pin, accountId } = known.owner
  const { awaited, recipientId } = known.moneyOut
  await asked.put(`/v1/organizations/${accountId}`, { status: 'ACTIVE' })
  const lookUp = async (keypix: string, value: number) => {
    const { data } = await asked.post('/recipients', { keypix, value })
    return { internal_id: data.internal_id as number, keypix, value }
  }
  // Replaces the failure set by the story.
  await api.fail('pay_out', 'timeout')
  const late = { token: asked.token, body: { ...awaited, pin } }
  t.is((await api.ask('POST', '/api/pix/withdraw', late)).status, 202)
  const recipient = (await api.every(recipients)).find(({ id }) => id === recipientId)
  await asked.post('/api/pix/withdraw', { ...(await lookUp(recipient?.key ?? PAID_KEY, 0.11)), pin })
  const { document = '52998224725' } = recipient ?? {}
  await asked.post('/api/pix/withdraw-bank', { ...AN_ACCOUNT, beneficiary_document: document, pin })
  await asked.post(`/invoices/${known.charges.paid.id}/refund`, { value: 0.1 })
}

const settings = async (t: ExecutionContext, { api, known }: Survivor, asked: Member): Promise<void> => {
  const { pin, accountId } = known.owner
  const wrong = { token: asked.token, body: { pin: '000001', name: 'Escola' } }
  t.is((await api.ask('PUT', '/access/account', wrong)).status, 403)
  const change = {
    pin,
    new_pin: NEW_PIN,
    name: 'Escola Aurora II',
    notification_rules: { after_due: { enabled: true } },
  }
  const { account } = await asked.put('/access/account', change)
  t.like(account, { name: 'Escola Aurora II', notification_rules: { before_due: { enabled: true, days: 1 } } })
  await asked.put('/access/account', { pin: NEW_PIN, webhook_url: null })
  const terms = { taxes: { pix_in: 1.99 }, limits: { pix_out_nightly: 10 } }
  worked(await api.ask('PUT', `/fake-bank/accounts/${accountId}`, { body: terms }))
}

const people = async (t: ExecutionContext, { api, known, signIn }: Survivor, asked: Member): Promise<void> => {
  const { colleagueId, clientId, founder, owner } = known
  t.is((await asked.put(`/v1/users/${colleagueId}`, { name: 'Beatriz R. Reis' })).user.name, 'Beatriz R. Reis')
  t.is((await asked.put(`/v1/clients/${clientId}`, { name: 'Clara N. Nunes' })).client.name, 'Clara N. Nunes')
  await asked.put('/access/auth/edit', { current_password: owner.password, phone: '+55 51 98888-0000' })
  const asFounder = memberOf(api, await signIn(founder))
  const { organizations } = (await asFounder.show('/v1/organizations')).body
  for (const { id } of organizations) await asFounder.put(`/v1/organizations/${id}`, { status: 'ACTIVE' })
  const waiting = (await api.every(registrations)).find(({ state }) => state === 'PENDING_EMAIL')
  const pair = { document: waiting?.document, register_id: waiting?.id }
  worked(await api.ask('POST', '/access/register/email', { body: pair }))
}

/** Changes charges, so that their titles are replaced, and deletes others. */
const changes = async (t: ExecutionContext, { api, known }: Survivor, asked: Member): Promise<void> => {
  const { charges, keys } = known
  for (const { id, txid } of [charges.pending, charges.boletoPending, charges.bolepixPending]) {
    const { charge } = await asked.put(`/invoices/${id}`, { value: 77 })
    const title = charge.pix ?? charge.boleto
    t.deepEqual([charge.value, charge.status.title], [77, 'pending'])
    t.not(title.txid, txid)
  }
  const answered: number = JSON.parse(keys.done.text).data.id
  for (const id of [answered, charges.boletoReplaced.id, charges.bolepixExpired.id]) {
    await asked.remove(`/invoices/${id}`)
    t.is((await api.every(allCharges)).find((charge) => charge.id === id)?.status, 'DELETED')
  }
}

const money = async (t: ExecutionContext, { api, known }: Survivor, asked: Member): Promise<void> => {
  const { charges } = known
  const balance = async (): Promise<number> => (await asked.show('/consolidation/balance')).body.balance
  const before = await balance()
  const { data } = await asked.post('/invoices', { ...MARIA, value: 10 })
  const { pending, expired, paid, cancelled, silent } = charges
  const payments = [data.pix.txid, ...[pending, expired, paid, cancelled].map(({ txid }) => txid)]
  for (const txid of payments) worked(await api.pay(txid, { value: 10 }))
  t.is(await balance(), Math.round(100 * (before + payments.length * (10 - 1.99))) / 100)
  const status = async (id: number): Promise<string> => (await asked.show(`/invoices/${id}`)).body.data.status.title
  for (const { id } of [data, pending, expired]) t.is(await status(id), 'paid')
  t.is(await status(cancelled.id), 'cancelled')
  worked(await api.ask('POST', '/fake-bank/cancellations', { body: { txid: silent.txid } }))
  t.is(await status(silent.id), 'cancelled')
}

const secrets = async (t: ExecutionContext, { api, known, signIn }: Survivor): Promise<void> => {
  const { verification, recovery, link, owner, apiKey } = known
  const password = 'nova e longa'
  const both = { password, password_confirmation: password }
  worked(await api.ask('POST', '/v1/auth/verify-email', { body: verification }))
  worked(await api.ask('POST', '/v1/auth/reset-password', { body: { ...recovery, ...both } }))
  worked(await api.ask('POST', '/access/auth/reset', { body: { token: link.token, ...both } }))
  for (const { email } of [recovery, link]) {
    t.truthy(await signIn({ email, password }))
    t.is((await api.ask('POST', '/v1/auth/login', { body: { email, password: PASSWORD } })).status, 401)
  }
  const held = worked(
    await api.ask('POST', '/access/account/get-token', { body: { email: owner.email, token: apiKey } }),
  )
  worked(await api.ask('GET', '/invoices', { token: held.data.token }))
  t.is((await api.ask('GET', '/access/register/status?document=00000000000')).status, 404)
  worked(await api.ask('POST', '/v1/auth/logout', { token: owner.token, body: {} }))
  t.is((await api.ask('GET', '/v1/auth/me', { token: owner.token })).status, 401)
}

const CHANGED = {
  '/invoices_groups': { name: 'Mensalidades II' },
  '/payment-plans': { description: 'Em seis vezes', interval: 1, interval_type: 'months', installments_count: 6 },
  '/clients': { name: 'Bento A. Lima', fb_access_token: 'EAAB-outro' },
} as const

const offers = async (t: ExecutionContext, { api, known }: Survivor, asked: Member): Promise<void> => {
  const { charges, cards, links } = known
  for (const [path, body] of Object.entries(CHANGED)) {
    const { data } = (await asked.show(`${path}?per_page=100`)).body
    // There are other clients: every payer becomes one.
    const made = data.find(({ name }: { readonly name?: string }) => name === 'Bento Lima') ?? data[0]
    await asked.put(`${path}/${made.id}`, body)
  }
  await asked.put(`/billing/payment-links/${links.active.id}`, { max_uses: 20 })
  const uses = async (link: KnownLink): Promise<number> =>
    (await asked.show(`/billing/payment-links/${link.id}`)).body.data.uses_count
  const before = await uses(links.active)
  const { data } = worked(await payBy(api, links.active))
  worked(await api.pay(data.pix.txid))
  t.is(await uses(links.active), before + 1)
  t.is(await uses(links.waiting), 0)
  const { txid } = (await api.every(allCharges)).find(({ linkId }) => linkId === links.waiting.id) ?? {}
  worked(await api.pay(txid ?? '', { method: 'boleto' }))
  t.is(await uses(links.waiting), 1)
  const decided = (await api.every(allCharges)).find(({ linkId }) => linkId === links.processing.id)
  t.deepEqual(told(await payBy(api, links.processing)), [400, 'link.processing'])
  for (const code of [cards.pending.code, decided?.code])
    worked(await api.ask('POST', '/fake-bank/cards', { body: { code, outcome: 'approve' } }))
  t.deepEqual(told(await openBy(api, links.processing)), [410, 'link.paid'])
  for (const charge of [charges.boletoPending, charges.bolepixPending]) worked(await api.pay(charge.txid))
}
