import { fakeBankConsole } from '../../../../adapters/bank/fake/console.ts'
import { anyDocument, PIN } from '../../given/basics.ts'
import { MARIA, type Merchant, PASSWORD, type TestApi, worked } from '../../payments/test-api.ts'
import type { Keyed, Knowledge, KnownCard, KnownCharge, KnownMoneyOut } from '../fixtures.ts'
import { cardsUnderWay, holdsBoleto, holdsChange, issuing, newest, unanswered } from './charges.ts'
import { moneyOutUnderWay } from './money-out.ts'
import { claimAndDie, probeAndDie } from './other-processes.ts'
import { HOOKS, type Outside, unreachable } from './outside.ts'
import { codeIn, hermit, image } from './people.ts'

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

/** Starts the work of the last process until it dies; `before` sets the clock to a number of seconds before that. */
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

/** Starts requests that wait for the bank. */
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
  // They end when the store is closed: their answers are not read.
  for (const answer of asked) answer.catch(() => {})
  const runningKnown = await newest(api)
  return {
    keys: { leftCharge, leftOrganization, running },
    charges: { left: leftChargeKnown, running: runningKnown, boletoHeld: boleto.charge },
  }
}

/** Leaves unchained audit entries, unused files, an unsent mail, failed log-ins and a rate count. */
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

const WRONG_CODE = '000000'
const TOMORROW = '2026-11-24'

type Codes = Pick<Knowledge, 'verification' | 'recovery' | 'link'>

/** Creates codes of each flow, used, mistyped and waiting, and a link that sets a password. */
export const codes = async (api: TestApi, outside: Outside): Promise<Codes> => {
  const newcomer = async (name: string): Promise<{ readonly email: string; readonly token: string }> => {
    const email = `${name}@pessoa.example`
    return { email, token: await api.person(email) }
  }
  const mailed = async (email: string): Promise<string> => {
    await api.drain()
    return outside.mailTo(email)
  }
  const post = (path: string, body: object, token?: string) =>
    api.ask('POST', path, { body, ...(token === undefined ? {} : { token }) })
  const verify = (email: string, code: string) => post('/v1/auth/verify-email', { email, code })

  const [eva, fabio, gil, helena] = [
    await newcomer('eva'),
    await newcomer('fabio'),
    await newcomer('gil'),
    await newcomer('helena'),
  ]
  worked(await verify(eva.email, codeIn(await mailed(eva.email))))
  worked(await post('/v1/auth/logout', {}, eva.token))
  const verification = { email: fabio.email, code: codeIn(await mailed(fabio.email)) }
  await verify(fabio.email, WRONG_CODE)

  worked(await post('/v1/auth/forgot-password', { email: gil.email }))
  const recovery = { email: gil.email, code: codeIn(await mailed(gil.email)) }
  const reset = { email: gil.email, code: WRONG_CODE, password: PASSWORD, password_confirmation: PASSWORD }
  await post('/v1/auth/reset-password', reset)

  const document = anyDocument()
  const change = { current_password: PASSWORD, document }
  worked(await api.ask('PUT', '/access/auth/edit', { token: helena.token, body: change }))
  worked(await post('/access/auth/forgot', { email: helena.email, document, url: 'http://localhost/nova-senha' }))
  const token = /token=(\w+)/.exec(await mailed(helena.email))?.[1] ?? ''
  await post('/access/auth/reset', { ...reset, email: helena.email, token: WRONG_CODE })
  return { verification, recovery, link: { email: helena.email, token } }
}

/** Runs the last acts of the owner: charges due tomorrow, an unreachable payer, unused files. */
export const evening = async (api: TestApi, owner: Merchant): Promise<Readonly<Record<string, KnownCharge>>> => {
  const { token } = owner
  const issue = issuing(api, owner)
  const lapsed = await issue({ value: 15, due_date: '2026-11-22', webhook: HOOKS.down })
  const joana = { name: 'Joana Reis', email: 'joana@example.com', phone: '+55 51 99999-0003', document: anyDocument() }
  const reminded = await issue({ value: 16, due_date: TOMORROW, webhook: `${HOOKS.down}/outro`, ...joana })
  const silent = await issue({ value: 17, ...hermit })
  await issue({ value: 17.5, ...hermit })
  const untold = await issue({ value: 18 })
  const untoldCancelled = await issue({ value: 19 })
  const paidLast = await issue({ value: 21 })
  // The logo is stored before the missing password of the mail server is rejected.
  const logo = `data:image/png;base64,${image(4).toString('base64')}`
  await api.ask('PUT', '/access/account', { token, body: { pin: PIN, logo, smtp: { host: 'outro.example' } } })
  const { data } = worked(await api.ask('GET', '/access/auth/notifications', { token }))
  worked(await api.ask('PUT', `/access/auth/notifications/${data[0].id}/read`, { token }))
  worked(await api.ask('DELETE', `/access/auth/notifications/${data[1].id}`, { token }))
  return { lapsed, reminded, silent, untold, untoldCancelled, paidLast }
}

/** Pays and cancels titles at the bank while the platform is unreachable. */
export const untold = async ({ host }: TestApi, charges: Readonly<Record<string, KnownCharge>>): Promise<void> => {
  const { store, ids, clock, random } = host
  const notifications = {
    paid: unreachable,
    received: unreachable,
    cancelled: unreachable,
    amountDue: unreachable,
  }
  const console = fakeBankConsole({ store, ids, clock, random }, notifications)
  const { untold: paid, untoldCancelled: cancelled } = charges
  await console.pay({ txid: paid?.txid ?? '', valueCents: 1_800 })()
  await console.cancel(cancelled?.txid ?? '')()
}

/** Opens organizations that the bank refuses, or that it cannot answer. */
export const openings = async (api: TestApi, outside: Outside, token: string): Promise<void> => {
  for (const mood of ['refused', 'away'] as const) {
    outside.mood({ accounts: mood })
    const body = { name: `Organização ${mood}`, email: null, document: anyDocument() }
    await api.ask('POST', '/v1/organizations', { token, body })
  }
}
