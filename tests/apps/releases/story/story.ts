import { collectionsOf } from '../../../../apps/host/host.ts'
import { payments } from '../../../../apps/payments/app.ts'
import { realEstate } from '../../../../apps/real-estate/app.ts'
import { dayOf } from '../../../../core/kernel/values/day.ts'
import { PIN } from '../../given/basics.ts'
import { type Merchant, openTestApi, PASSWORD, type TestApi, worked } from '../../payments/test-api.ts'
import { openEstateApi } from '../../real-estate/test-api.ts'
import { AGENCY_START, tellAgency } from '../agency/story.ts'
import type { Knowledge, Known } from '../fixtures.ts'
import { boletos, cards, changing, firstDay, links, monthBefore, offers, secondDay } from './charges.ts'
import { moneyOut } from './money-out.ts'
import { anotherBank } from './other-processes.ts'
import { type Outside, outside, UNREACHED } from './outside.ts'
import { applicants, founder, type School, SMTP_PASSWORD, school, sendingImages } from './people.ts'
import { codes, evening, openings, order, send, underWay } from './under-way.ts'

interface Told {
  /** The time of its end. */
  readonly now: string
  readonly known: Knowledge
}

type Env = Readonly<Record<string, string>>
type Held = Awaited<ReturnType<Awaited<ReturnType<typeof openTestApi>>['everything']>>

/** Collects the teardowns of a part of the story. */
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

/** Throws if a collection is empty at the end of the story. */
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
/** The end: charges due the day before have lapsed, and the expiry job has not run. */
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

/** Creates a dashboard session and a session of the API key. */
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
