import { fakeBankConsole } from '../../../../adapters/bank/fake/console.ts'
import { collectionsOf } from '../../../../apps/host/host.ts'
import { payments } from '../../../../apps/payments/app.ts'
import { realEstate } from '../../../../apps/real-estate/app.ts'
import { dayOf } from '../../../../core/kernel/values/day.ts'
import { anyDocument, PIN } from '../../given/basics.ts'
import { MARIA, type Merchant, openTestApi, PASSWORD, type TestApi, worked } from '../../payments/test-api.ts'
import { openEstateApi } from '../../real-estate/test-api.ts'
import { AGENCY_START, tellAgency } from '../agency/story.ts'
import type { Keyed, Knowledge, Known, KnownCard, KnownCharge, KnownMoneyOut, KnownSecrets } from '../fixtures.ts'
import { beginsLogIns, secrets } from '../second-factors.ts'
import { share } from '../shares.ts'
import {
  boletos,
  cards,
  cardsUnderWay,
  changing,
  firstDay,
  holdsBoleto,
  holdsChange,
  issuing,
  links,
  monthBefore,
  newest,
  offers,
  secondDay,
  unanswered,
} from './charges.ts'
import { moneyOut, moneyOutUnderWay } from './money-out.ts'
import { anotherBank, claimAndDie, probeAndDie } from './other-processes.ts'
import { HOOKS, type Outside, outside, UNREACHED, unreachable } from './outside.ts'
import {
  applicants,
  codeIn,
  founder,
  hermit,
  image,
  type School,
  SMTP_PASSWORD,
  school,
  sendingImages,
} from './people.ts'

interface Told {
  /** The time of its end. */
  readonly now: string
  readonly known: Knowledge
}

type Env = Readonly<Record<string, string>>
type Held = Awaited<ReturnType<Awaited<ReturnType<typeof openTestApi>>['everything']>>

const ending = () => {
  const ends: (() => unknown)[] = []
  return {
    teardown: (end: () => unknown) => void ends.push(end),
    end: async () => {
      for (const end of ends) await end()
    },
  }
}

const platformOf = async (env: Env) => {
  const { teardown, end } = ending()
  const outsidePorts = outside()
  const api = await openTestApi({ teardown }, { env, now: START, instead: (host) => outsidePorts.ports(host) })
  try {
    const known = await tellStory(api, outsidePorts)
    return { now: api.clock.now(), known, held: await api.everything() }
  } finally {
    // Requests in flight must not write any more.
    await api.host.store.close()
    outsidePorts.letGo()
    await end()
  }
}

const agencyOf = async (env: Env, now: string) => {
  const { teardown, end } = ending()
  const api = await openEstateApi({ teardown }, { env, now: AGENCY_START, usualIdentity: true })
  try {
    const agency = await tellAgency(api, now)
    return { agency, held: await api.everything() }
  } finally {
    await end()
  }
}

const assertAllWritten = (held: Held): void => {
  const unwritten = collectionsOf([payments, realEstate]).filter(({ name }) => (held[name] ?? []).length === 0)
  if (unwritten.length > 0)
    throw new Error(`the story writes nothing to ${unwritten.map(({ name }) => name).join(', ')}`)
}

/**
 * Runs the story of the platform and then that of an agency on an empty store, and leaves it as dying processes do.
 * Throws if a collection is empty at the end.
 */
export const storyOf = async (env: Env): Promise<Told> => {
  const { now, known, held } = await platformOf(env)
  const { agency, held: ofAgency } = await agencyOf(env, now)
  assertAllWritten({ ...held, ...ofAgency })
  return { now, known: { ...known, agency } }
}

/** When the story begins: a morning in São Paulo, a month before most of it. */
export const START = '2026-10-12T12:00:00.000Z'
const FIRST_DAY = '2026-11-13T12:00:00.000Z'
const SECOND_DAY = '2026-11-14T12:00:00.000Z'
/** The last day that is compared with what the bank says. */
const MONEY_DAY = '2026-11-21T15:00:00.000Z'
/** A week later what was mailed then is forgotten. */
const LAST_HOUR = '2026-11-23T02:15:00.000Z'
/** When the worker works for the last time, shortly before midnight there. */
const LAST_WORK = '2026-11-23T02:50:00.000Z'
/** The end: a boleto has lapsed since midnight, and the expiry job has not run. */
const END = '2026-11-23T03:05:00.000Z'

/**
 * Some days of a platform on an empty store: one record of each kind, and one of each kind of work that may be under way
 * when the last process dies. The delayed answers of the bank are not delivered.
 */
export const tellStory = async (api: TestApi, outside: Outside): Promise<Omit<Knowledge, 'agency'>> => {
  const { clock } = api
  const beginners = await school(api, outside)
  const boletosThen = await monthBefore(api, beginners.owner, dayOf(START))
  clock.set(FIRST_DAY)
  await api.drain()
  const aurora = { ...beginners, owner: await api.again(beginners.owner) }
  const bruno = await founder(api)
  await offers(api, aurora.owner)
  const ofPix = await firstDay(api, aurora.owner)
  const first = { ...boletosThen, ...ofPix, ...(await boletos(api, aurora.owner)) }
  const charged = await cards(api, aurora.owner)
  const knownLinks = await links(api, aurora.owner, dayOf(SECOND_DAY))
  const shared = await share(api)
  await anotherBank(api)
  clock.set(SECOND_DAY)
  await secondDay(api, first)
  clock.set(MONEY_DAY)
  const out = await moneyOut(api, await api.again(aurora.owner), first)

  clock.set(LAST_HOUR)
  const owner = await api.again(aurora.owner)
  const founderToken = await signIn(api, bruno)
  const newcomer = await applicants(api, outside)
  const sendImages = await sendingImages(api, outside)
  await openings(api, outside, founderToken)
  const typed = await codes(api, outside)
  const factors = await secrets(api, owner)
  const last = { ...(await evening(api, owner)), ...(await changing(api, owner)) }
  await otherSessions(api, owner, aurora)
  const done = { ...order('respondida', 33), text: '' }
  const { text } = await send(api, owner.token, done)
  clock.set(LAST_WORK)
  await api.drain()

  const before = (seconds: number): void => {
    clock.set(END)
    clock.advance(-seconds)
  }
  const { logo } = aurora
  const left = await underWay(api, outside, before, {
    owner,
    founderToken,
    charges: { ...first, ...last },
    cards: charged,
    moneyOut: out,
    secrets: factors,
    logo,
    sendImages,
  })
  before(0)
  return {
    owner: { email: owner.email, password: PASSWORD, accountId: owner.id, pin: PIN, token: owner.token },
    founder: bruno,
    newcomer,
    unreached: UNREACHED,
    smtpPassword: SMTP_PASSWORD,
    secrets: factors,
    share: shared,
    ...typed,
    ...(await known(api, owner, aurora)),
    charges: { ...first, ...last, ...left.charges },
    cards: { ...charged, ...left.cards },
    links: knownLinks,
    moneyOut: left.moneyOut,
    keys: { done: { ...done, text }, ...left.keys },
    shown: {
      owner: await shown(api, owner.token, OWNERS),
      founder: await shown(api, founderToken, FOUNDERS),
    },
  }
}

const signIn = async (api: TestApi, { email, password }: Known): Promise<string> =>
  worked(await api.ask('POST', '/v1/auth/login', { body: { email, password } })).data.access_token

const otherSessions = async (api: TestApi, { email }: Merchant, { apiKey }: School): Promise<void> => {
  worked(await api.ask('POST', '/access/auth/login', { body: { email, password: PASSWORD } }))
  worked(await api.ask('POST', '/access/account/get-token', { body: { email, token: apiKey } }))
}

const known = async (api: TestApi, { token }: Merchant, school: School) => {
  const { colleagueId, clientId, removedClientId, apiKey, logo } = school
  const { data } = worked(await api.ask('GET', '/access/auth/notifications?unread_only=true', { token }))
  const { account } = worked(await api.ask('GET', '/access/account', { token }))
  return {
    ...{ colleagueId, clientId, removedClientId, apiKey },
    unreadId: data[0].id as string,
    logo: { path: new URL(account.path_logo).pathname, base64: logo.toString('base64') },
  }
}

const OWNERS = [
  '/v1/auth/me /v1/users /v1/clients /access/account /access/manager/users /access/manager/api-tokens',
  '/access/auth/sessions /access/auth/notifications /access/webhook-notifications?per_page=5 /invoices?per_page=100',
  '/invoices?payment_method=BOLEPIX&status=paidwithpix /invoices_groups /payment-plans /clients?per_page=100',
  '/billing/payment-links?per_page=100 /reports/invoices?group_by=days&date_start=2026-10-01&date_end=2026-12-31',
  '/consolidation/balance /consolidation/transactions /recipients /recipients/frequent',
].flatMap((line) => line.split(' '))
const FOUNDERS = ['/v1/organizations', '/access/accounts']

const shown = async (api: TestApi, token: string, paths: readonly string[]): Promise<Record<string, string>> => {
  const answers = paths.map(async (path) => {
    const answer = await api.ask('GET', path, { token })
    worked(answer)
    return [path, answer.text] as const
  })
  return Object.fromEntries(await Promise.all(answers))
}

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
  readonly secrets: KnownSecrets
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

/** Leaves unchained audit entries, unused files, an unsent mail, failed and begun log-ins, and a rate count. */
const lastWords = async (
  api: TestApi,
  { owner: { token, email }, founderToken, logo, secrets: factors }: Cast,
): Promise<void> => {
  for (const bytes of [image(5), logo]) {
    const body = { pin: PIN, logo: `data:image/png;base64,${bytes.toString('base64')}` }
    worked(await api.ask('PUT', '/access/account', { token, body }))
  }
  worked(await api.ask('POST', '/v1/auth/send-verification-code', { token: founderToken }))
  for (const password of ['errada-1', 'errada-2'])
    await api.ask('POST', '/v1/auth/login', { body: { email, password } })
  await api.ask('GET', `/access/register/status?document=${anyDocument()}`)
  await beginsLogIns(api, factors)
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
  await issue({ value: 15.5, due_date: TOMORROW, webhook: HOOKS.down })
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
  return { reminded, silent, untold, untoldCancelled, paidLast }
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
