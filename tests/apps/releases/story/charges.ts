import { fakeAcquirerConsole } from '../../../../adapters/bank/fake/acquirer.ts'
import { rows } from '../../../../apps/payments/catalogue.ts'
import { charges } from '../../../../core/payments/charges/charge.ts'
import * as rooms from '../../../../core/payments/modules.ts'
import { anyDocument } from '../../given/basics.ts'
import { CARDS, cardBody } from '../../given/cards.ts'
import { linkOf, payBy } from '../../payments/checkout/payer.ts'
import { MARIA, type Merchant, type TestApi, worked } from '../../payments/test-api.ts'
import type { KnownCard, KnownCharge, KnownLink } from '../fixtures.ts'
import { makesPlain } from '../plain.ts'
import { HOOKS, unreachable } from './outside.ts'

type Known = Readonly<Record<string, KnownCharge>>

const DUE_SOON = '2026-11-13'
const DUE_LATE = '2026-12-10'
const NOT_TAKEN = 400

/** Issues charges and returns them, accepted by the bank or not. */
export const issuing = (api: TestApi, owner: Merchant) => async (over: Readonly<Record<string, unknown>>) => {
  const body = { ...MARIA, due_date: DUE_LATE, ...over }
  const answer = await api.ask('POST', '/invoices', { token: owner.token, body })
  // A refused charge is stored, too, but the answer has no id.
  if (answer.status !== NOT_TAKEN) worked(answer)
  return newest(api)
}

/** Returns the newest charge. */
export const newest = async (api: TestApi): Promise<KnownCharge> => {
  const { id, txid } = (await api.every(charges)).toSorted((a, b) => b.id - a.id)[0] ?? {}
  if (id === undefined || txid == null) throw new Error('no charge was issued')
  return { id, txid }
}

/** Creates Pix charges in every status that one day can reach. */
export const firstDay = async (api: TestApi, owner: Merchant): Promise<Known> => {
  const issue = issuing(api, owner)
  const joao = { name: 'João Reis', email: 'joao@example.com', phone: '+55 51 99999-0002', document: anyDocument() }
  const paid = await issue({ description: 'Mensalidade de novembro', ...joao })
  const paidTwice = await issue({ value: 20, description: 'Uniforme' })
  const cancelled = await issue({ value: 30 })
  const paidThoughCancelled = await issue({ value: 40 })
  const expired = await issue({ value: 50, due_date: DUE_SOON })
  const late = await issue({ value: 60, due_date: DUE_SOON, amount_rate: 2, type_rate: 'PERCENTAGE' })
  const deleted = await issue({ value: 70 })
  const pending = await issue({ value: 90, discount: 5, type_discount: 'ABSOLUTE', days_discount: 3 })
  await api.fail('create_pix', 'refuse')
  const refused = await issue({ value: 11, webhook: HOOKS.gone })
  await api.fail('create_pix', 'unavailable')
  const unasked = await issue({ value: 12 })
  for (const { txid } of [paid, paidTwice, paidTwice]) worked(await api.pay(txid))
  for (const { txid } of [cancelled, paidThoughCancelled])
    worked(await api.ask('POST', '/fake-bank/cancellations', { body: { txid } }))
  worked(await api.pay(paidThoughCancelled.txid, { value: 40 }))
  worked(await api.ask('DELETE', `/invoices/${deleted.id}`, { token: owner.token }))
  await api.drain()
  return {
    paid,
    paidTwice,
    cancelled,
    paidThoughCancelled,
    expired,
    late,
    deleted,
    pending,
    refused,
    unasked,
  }
}

/** Pays a charge that has expired. */
export const secondDay = async (api: TestApi, { late }: Known): Promise<void> => {
  await api.drain()
  if (late) worked(await api.pay(late.txid, { value: 61.2 }))
  await api.drain()
}

const METHODS = { boleto: 'BOLETO', bolepix: 'BOLEPIX' } as const

/** Boletos that are due on this day lapse at the end of the story. */
const DUE_A_MONTH_BEFORE_END = '2026-10-23'

/** Issues boleto charges that expire unpaid, and one that lapses when the story ends. */
export const monthBefore = async (api: TestApi, owner: Merchant, due_date: string): Promise<Known> => {
  const issue = issuing(api, owner)
  return {
    boletoExpired: await issue({ value: 201, payment_method: METHODS.boleto, due_date }),
    bolepixExpired: await issue({ value: 202, payment_method: METHODS.bolepix, due_date }),
    lapsed: await issue({ value: 15, payment_method: METHODS.boleto, due_date: DUE_A_MONTH_BEFORE_END }),
  }
}

/** Creates boleto charges in every status, and one whose title was replaced. */
export const boletos = async (api: TestApi, owner: Merchant): Promise<Known> => {
  const { token } = owner
  // The balance must cover the fees.
  worked(await api.ask('PUT', `/fake-bank/accounts/${owner.id}`, { body: { taxes: { boleto: 2.5 } } }))
  const all: Record<string, KnownCharge> = {}
  for (const [name, payment_method] of Object.entries(METHODS)) {
    const issue = issuing(api, owner)
    const named = async (state: string, value: number): Promise<KnownCharge> => {
      const charge = await issue({ value, payment_method, description: `${name} ${state}` })
      all[`${name}${state}`] = charge
      return charge
    }
    await named('Pending', 210)
    const paid = await named('Paid', 211)
    const cancelled = await named('Cancelled', 212)
    const deleted = await named('Deleted', 213)
    const replaced = await named('Replaced', 214)
    worked(await api.pay(paid.txid, { method: 'boleto' }))
    worked(await api.ask('POST', '/fake-bank/cancellations', { body: { txid: cancelled.txid } }))
    await remove(api, owner, deleted)
    worked(await api.ask('PUT', `/invoices/${replaced.id}`, { token, body: { value: 215 } }))
    await api.fail('create_boleto', 'refuse')
    await named('Refused', 216)
  }
  const paidWithPix = await issuing(api, owner)({ value: 217, payment_method: METHODS.bolepix })
  worked(await api.pay(paidWithPix.txid, { method: 'pix' }))
  return { ...all, paidWithPix }
}

export const remove = async (api: TestApi, { token }: Merchant, { id }: KnownCharge): Promise<void> => {
  worked(await api.ask('DELETE', `/invoices/${id}`, { token }))
}

/** Issues the charges whose change or deletion is running when the last process dies. */
export const changing = async (api: TestApi, owner: Merchant): Promise<Known> => {
  const issue = issuing(api, owner)
  const payment_method = METHODS.boleto
  return {
    changeTimedOut: await issue({ value: 31 }),
    changeLost: await issue({ value: 32, payment_method }),
    changeHeld: await issue({ value: 34, payment_method }),
    deletionTimedOut: await issue({ value: 35 }),
    deletionLost: await issue({ value: 36, payment_method }),
  }
}

/** Leaves boletos, changes and deletions whose bank operation is unanswered, executed or not. */
export const unanswered = async (api: TestApi, owner: Merchant, known: Known): Promise<Known> => {
  const { token } = owner
  const issue = issuing(api, owner)
  const change = async (name: string): Promise<void> => {
    worked(await api.ask('PUT', `/invoices/${known[name]?.id}`, { token, body: { value: 99 } }))
  }
  const erase = async (name: string): Promise<void> => {
    worked(await api.ask('DELETE', `/invoices/${known[name]?.id}`, { token }))
  }
  const all: Record<string, KnownCharge> = {}
  for (const [mode, word] of [
    ['timeout', 'TimedOut'],
    ['timeout_lost', 'Lost'],
  ] as const) {
    await api.fail('create_boleto', mode)
    all[`boleto${word}`] = await issue({ value: 26, payment_method: METHODS.boleto })
    await api.fail(mode === 'timeout' ? 'create_pix' : 'create_boleto', mode)
    await change(`change${word}`)
    await api.fail('cancel_title', mode)
    await erase(`deletion${word}`)
  }
  return all
}

/** Requests a change while the bank delays its answers. */
export const holdsChange = (api: TestApi, { token }: Merchant, { changeHeld }: Known) =>
  api.ask('PUT', `/invoices/${changeHeld?.id}`, { token, body: { value: 99 } })

/** Requests a boleto while the bank delays its answers: its fee is reserved. */
export const holdsBoleto = async (api: TestApi, { token }: Merchant, body: object, held: () => Promise<void>) => {
  const asked = api.ask('POST', '/invoices', { token, body: { ...body, payment_method: METHODS.boleto } })
  await held()
  return { asked, charge: await newest(api) }
}

type KnownCards = Readonly<Record<string, KnownCard>>

const charging =
  (api: TestApi, { token }: Merchant) =>
  async (number: string, value: number): Promise<KnownCard> => {
    const answer = await api.ask('POST', '/invoices', { token, body: cardBody(number, { value }) })
    if (number !== CARDS.declined) worked(answer)
    return newestCard(api)
  }

const newestCard = async (api: TestApi): Promise<KnownCard> => {
  const ofCards = (await api.every(charges)).filter(({ card }) => card !== null)
  const { id, code } = ofCards.toSorted((a, b) => b.id - a.id)[0] ?? {}
  if (id === undefined || code === undefined) throw new Error('no card was charged')
  return { id, code }
}

/** Creates card charges in every status. */
export const cards = async (api: TestApi, owner: Merchant): Promise<KnownCards> => {
  const charge = charging(api, owner)
  const approved = await charge(CARDS.visa, 301)
  const declined = await charge(CARDS.declined, 302)
  const pending = await charge(CARDS.pending, 303)
  const approvedLater = await charge(CARDS.pending, 304)
  const given = await charge(CARDS.pending, 305)
  worked(await api.ask('POST', '/fake-bank/cards', { body: { code: approvedLater.code, outcome: 'approve' } }))
  // An undecided card is voided.
  worked(await api.ask('DELETE', `/invoices/${given.id}`, { token: owner.token }))
  return { approved, declined, pending, approvedLater, given, untold: await charge(CARDS.pending, 306) }
}

/** Decides a card while the platform is unreachable, and leaves card charges without an answer. */
export const cardsUnderWay = async (api: TestApi, owner: Merchant, { untold }: KnownCards): Promise<KnownCards> => {
  const { store, ids, clock, random } = api.host
  const console = fakeAcquirerConsole({ store, ids, clock, random }, { decided: unreachable })
  await console.decide({ code: untold?.code ?? '', outcome: 'approve' })()
  const charge = charging(api, owner)
  await api.fail('charge_card', 'timeout')
  const timedOut = await charge(CARDS.visa, 307)
  await api.fail('charge_card', 'timeout_lost')
  return { timedOut, lost: await charge(CARDS.mastercard, 308) }
}

/** Creates links: reusable, expired, exhausted, awaiting a boleto and awaiting a card decision. */
export const links = async (api: TestApi, owner: Merchant, lastDay: string) => {
  const link = (title: string, more: object = {}): Promise<KnownLink> => linkOf(api, owner, { title, ...more })
  const paid = async (by: KnownLink): Promise<void> => {
    const { data } = worked(await payBy(api, by))
    worked(await api.pay(data.pix.txid))
  }
  const active = await link('Curso de violão', { max_uses: 10, description: 'Por mês', reference_code: 'VIOLAO' })
  await paid(active)
  const expired = await link('Inscrição', { expires_at: lastDay })
  const exhausted = await link('Última vaga', { max_uses: 1 })
  await paid(exhausted)
  const waiting = await link('Boleto do curso')
  worked(await payBy(api, waiting, { payment_method: 'BOLETO' }))
  const processing = await link('Vaga reservada', { max_uses: 1 })
  const { card: printed, address } = cardBody(CARDS.pending)
  const card = { ...printed, expiry: '12/30' }
  worked(await payBy(api, processing, { payment_method: 'CARD', card, address }))
  return { active, expired, exhausted, waiting, processing }
}

const MADE: Readonly<Record<string, object>> = {
  '/invoices_groups': { name: 'Mensalidades', slug: 'mensalidades', json: '{"turma":"A"}' },
  '/payment-plans': { description: 'Em doze vezes', interval: 1, interval_type: 'months', installments_count: 12 },
  '/clients': {
    name: 'Bento Lima',
    email: 'bento@example.com',
    document: '111.444.777-35',
    type: 'individual',
    address: { street: 'Rua A', city: 'Recife', state: 'PE' },
    metadata: [{ label: 'turma', value: 'A' }],
    fb_access_token: 'EAAB-segredo',
  },
  '/billing/payment-links': {
    title: 'Curso de violão',
    payment_methods: ['PIX'],
    amount: 150.5,
    expires_at: '2026-12-31',
    max_uses: 10,
    webhook_url: 'https://loja.example/webhooks',
  },
}

/** Creates a group, a plan, a client, a link, charges of that plan and group, and one of each other plain resource. */
export const offers = async (api: TestApi, { token }: Merchant): Promise<void> => {
  const made = new Map<string, number>()
  for (const [path, body] of Object.entries(MADE))
    made.set(path, worked(await api.ask('POST', path, { token, body })).data.id)
  const ids = { payment_plan_id: made.get('/payment-plans'), charge_group_id: made.get('/invoices_groups') }
  const body = { ...MARIA, value: 1_200, due_date: '2026-12-10', ...ids }
  worked(await api.ask('POST', '/invoices/with-plan', { token, body }))
  await makesPlain(api, token, rooms, rows)
}
