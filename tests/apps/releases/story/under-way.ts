import { anyDocument, PIN } from '../../given/basics.ts'
import { MARIA, type Merchant, type TestApi, worked } from '../../payments/test-api.ts'
import type { Keyed, KnownCard, KnownCharge, KnownMoneyOut } from '../known.ts'
import { cardsUnderWay } from './cards.ts'
import { claimAndDie, probeAndDie } from './dead-process.ts'
import { untold } from './last-hour.ts'
import { holdsBoleto, holdsChange, unanswered } from './methods.ts'
import { issuing, newest } from './money.ts'
import { moneyOutUnderWay } from './money-out.ts'
import type { Outside } from './outside.ts'
import { image } from './people.ts'

export const send = (api: TestApi, token: string, { path, key, body }: Keyed) =>
  api.ask('POST', path, { token, body, headers: { 'idempotency-key': key } })

export const order = (key: string, value: number): Keyed => ({
  path: '/invoices',
  key,
  body: { ...MARIA, value, due_date: '2026-12-01' },
})

interface Cast {
  readonly owner: Merchant
  readonly founderToken: string
  readonly charges: Readonly<Record<string, KnownCharge>>
  readonly cards: Readonly<Record<string, KnownCard>>
  readonly moneyOut: KnownMoneyOut
  readonly logo: Buffer
  /** Sends the images of a registration. */
  readonly sendImages: () => void
}

interface UnderWay {
  readonly keys: { readonly leftCharge: Keyed; readonly leftOrganization: Keyed; readonly running: Keyed }
  readonly charges: Readonly<Record<string, KnownCharge>>
  readonly cards: Readonly<Record<string, KnownCard>>
  readonly moneyOut: KnownMoneyOut
}

/** What the last process has begun, up to the moment at which it dies: `before` moves the clock to so many seconds before that. */
export const underWay = async (
  api: TestApi,
  outside: Outside,
  before: (seconds: number) => void,
  cast: Cast,
): Promise<UnderWay> => {
  const { owner, charges } = cast
  before(600)
  await untold(api, charges)
  const issue = issuing(api, owner)
  await api.fail('create_pix', 'timeout_lost')
  const lost = await issue({ value: 22 })
  await api.fail('create_pix', 'timeout')
  const timedOut = await issue({ value: 23 })
  const ofBank = await unanswered(api, owner, charges)
  const cards = await cardsUnderWay(api, owner, cast.cards)
  const moneyOut = await moneyOutUnderWay(api, owner, charges, cast.moneyOut)
  await api.fail('pay_out', 'unavailable', 2)
  before(400)
  await claimAndDie(api, 'expiry')
  await probeAndDie(api)
  before(200)
  await claimAndDie(api, 'mails')
  const asked = await hanging(api, outside, before, cast)
  before(15)
  for (const _payment of ['what is due', 'once more']) worked(await api.pay(charges.paidLast?.txid ?? ''))
  before(10)
  for (const queue of ['events', 'deliveries', 'sweep'] as const) await claimAndDie(api, queue)
  await lastWords(api, cast)
  return { keys: asked.keys, charges: { lost, timedOut, ...ofBank, ...asked.charges }, cards, moneyOut }
}

/** Requests that wait for the bank. */
const hanging = async (api: TestApi, outside: Outside, before: (seconds: number) => void, cast: Cast) => {
  const { owner, founderToken, charges, sendImages } = cast
  const [leftCharge, running] = [order('abandonada', 24), order('em andamento', 25)]
  const body = { name: 'Organização abandonada', email: null, document: anyDocument() }
  const leftOrganization: Keyed = { path: '/v1/organizations', key: 'abandonada', body }
  const asked: Promise<unknown>[] = []
  outside.mood({ accounts: 'held', titles: 'held' })
  before(150)
  asked.push(send(api, owner.token, leftCharge))
  await outside.held(1)
  const leftChargeKnown = await newest(api)
  asked.push(send(api, founderToken, leftOrganization))
  await outside.held(2)
  sendImages()
  await outside.held(3)
  asked.push(holdsChange(api, owner, charges))
  await outside.held(4)
  const boleto = await holdsBoleto(api, owner, order('', 27).body, () => outside.held(5))
  asked.push(boleto.asked)
  before(30)
  asked.push(send(api, owner.token, running))
  await outside.held(6)
  outside.mood({ accounts: 'fine', titles: 'fine' })
  // They end when the store is closed: nobody hears what they are told.
  for (const answer of asked) answer.catch(() => {})
  const runningKnown = await newest(api)
  return {
    keys: { leftCharge, leftOrganization, running },
    charges: { left: leftChargeKnown, running: runningKnown, boletoHeld: boleto.charge },
  }
}

/** Settings whose audit entries nobody has chained, files that were let go, a mail that nobody has sent, guesses at a password, and a rate. */
const lastWords = async (api: TestApi, { owner: { token, email }, founderToken, logo }: Cast): Promise<void> => {
  for (const bytes of [image(5), logo]) {
    const body = { pin: PIN, logo: `data:image/png;base64,${bytes.toString('base64')}` }
    worked(await api.ask('PUT', '/access/account', { token, body }))
  }
  worked(await api.ask('POST', '/v1/auth/send-verification-code', { token: founderToken }))
  for (const password of ['errada-1', 'errada-2'])
    await api.ask('POST', '/v1/auth/login', { body: { email, password } })
  await api.ask('GET', `/access/register/status?document=${anyDocument()}`)
}
