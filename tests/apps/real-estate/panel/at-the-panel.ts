import { randomUUID } from 'node:crypto'
import type { ExecutionContext } from 'ava'
import type { Page } from 'playwright-core'
import { closingClock } from '../../../../adapters/clock/system-clock.ts'
import { addDays, addMonths } from '../../../../core/kernel/values/day.ts'
import type { Role } from '../../../../core/real-estate/real-estate-ports.ts'
import type { Contract } from '../../../../core/real-estate/records/contract.ts'
import { storedIn } from '../../../core/real-estate/records.ts'
import { fill, type Open } from '../../browser.ts'
import { post } from '../given/basics.ts'
import { type EstateTestApi, openEstateApi, type Person, TODAY, worked } from '../test-api.ts'

export const enter = async (page: Page, email: string, password = PASSWORD): Promise<void> => {
  await fill(page, { 'E-mail': email, Senha: password })
  await page.getByRole('button', { name: 'Entrar' }).click()
}

/** Locates a part of the board that has loaded. */
export const part = (page: Page, name: string) => page.locator(`[data-part="${name}"]:not([aria-busy])`)

/** Waits until the board is live and loaded. */
export const settled = async (page: Page): Promise<void> => {
  await page.locator('#live[data-state=live]').waitFor()
  await page.locator('[data-part][aria-busy]:not([hidden])').first().waitFor({ state: 'detached' })
}

type Options = Parameters<Open>[2]

/** Opens the sign-in page of the panel. */
export const atSignIn = async (t: ExecutionContext, open: Open, { url }: EstateTestApi, options?: Options) => {
  const seen = await open(t, url, options)
  await seen.page.goto(`${url}/panel`)
  return seen
}

/** Opens the panel and signs in. */
export const signedIn = async (
  t: ExecutionContext,
  open: Open,
  api: EstateTestApi,
  email: string,
  options?: Options,
) => {
  const seen = await atSignIn(t, open, api, options)
  await enter(seen.page, email)
  await settled(seen.page)
  return seen
}

/** Opens the board of a filled agency as its Admin. */
export const openBoard = async (t: ExecutionContext, open: Open, options?: Options) => {
  const api = await openWithIssuer(t)
  const admin = await founder(api)
  const filled = await fillAgency(api, admin)
  return { api, admin, ...filled, ...(await signedIn(t, open, api, admin.email, options)) }
}

/** Returns the lines of a list, each without line breaks. */
export const linesIn = async (page: Page, name: string): Promise<readonly string[]> => {
  const texts = await part(page, name).locator('li').allInnerTexts()
  return texts.map((text) => text.replaceAll('\u00a0', ' ').replace(/\s*\n\s*/g, ' | '))
}

/** Returns the values of the tiles by label. */
export const tilesIn = async (page: Page): Promise<Readonly<Record<string, string>>> => {
  const tiles = await part(page, 'figures').locator('.tile').all()
  const entries = tiles.map(async (tile) => {
    const [label, value] = [tile.locator('dt').innerText(), tile.locator('strong').innerText()]
    return [await label, (await value).replaceAll('\u00a0', ' ')] as const
  })
  return Object.fromEntries(await Promise.all(entries))
}

export const PASSWORD = 'segredo-123'

const ACCOUNTS = '/identitytoolkit.googleapis.com/v1/accounts'

/**
 * Opens the app with its development issuer. Its clock shows a set time but waits in real time, so that a stream polls
 * once a second as in production.
 */
export const openWithIssuer = (t: Pick<ExecutionContext, 'teardown'>) => {
  const { wait, close } = closingClock()
  t.teardown(close)
  return openEstateApi(t, { usualIdentity: true, instead: ({ clock }) => ({ clock: { ...clock, wait } }) })
}

/** Creates an account at the issuer that is not registered. */
export const signUp = async (api: EstateTestApi, email: string, displayName: string) => {
  const body = { email, password: PASSWORD, displayName }
  const { localId: uid, idToken: token } = worked(await api.ask('POST', `${ACCOUNTS}:signUp`, { body }))
  return { uid, token, email, name: displayName } as const
}

type Account = Awaited<ReturnType<typeof signUp>>

const register = async (api: EstateTestApi, by: string, { uid, email, name, token }: Account, more: object) => {
  const body = { firebaseUid: uid, email, name, ...more }
  const { id: userId, companyId } = worked(await api.ask('POST', '/api/auth/register', { token: by, body }))
  return { token, userId, companyId, email, uid } satisfies Person
}

/** Creates an account that founds an agency. */
export const founder = async (api: EstateTestApi, email = 'ana@example.com'): Promise<Person> => {
  const account = await signUp(api, email, 'Ana Souza')
  const company = { legalName: 'Imobiliária Aurora Ltda.' }
  return register(api, account.token, account, { role: 'Admin', companyId: randomUUID(), company })
}

/** Creates an account of the same agency. */
export const employee = async (
  api: EstateTestApi,
  { companyId, token }: Person,
  role: Role,
  email = `${role.toLowerCase()}@example.com`,
): Promise<Person> => register(api, token, await signUp(api, email, 'Bruno Lima'), { role, companyId })

const TENANTS = [
  ...['Maria da Silva', 'João Pereira', 'Carla Nogueira', 'Pedro Henrique Alves', 'Luciana Prado', 'Rafael Teixeira'],
  ...['Beatriz Camargo', 'Condomínio Edifício Primavera dos Jardins', 'Marcos Antunes', 'Sofia Almeida Prado'],
]
/** Monthly rents in cents. */
const RENTS = [10_001_199_999, 318_000, 189_000, 421_550, 275_000, 360_000, 198_000, 1_245_000, 305_000, 284_790]
/** Days until the end of the contracts. */
const ENDS = [4, 11, 27, 200, 340, 95, 600, 410, 0, 720]

const UNLET = ['Available', 'Available', 'Available', 'Reserved', 'Sold', 'Sold'] as const

type Stored = ReturnType<typeof storedIn>

const lease = async ({ clientOf, propertyOf, contractOf }: Stored, index: number): Promise<Contract> => {
  const client = await clientOf({ name: TENANTS[index] ?? '', activeContracts: 1 })
  const code = `${index % 3 === 2 ? 'CS' : 'AP'}-${101 + index}`
  const property = await propertyOf({ code, status: 'Rented', activeContracts: 1, activeTenures: 1 })
  return contractOf({
    propertyId: property.id,
    propertyCode: code,
    clientId: client.id,
    clientName: client.name,
    valueCents: RENTS[index] ?? 0,
    endDate: addDays(TODAY, ENDS[index] ?? 0),
  })
}

/** Stores payments of five months, and pending and overdue ones. */
const pay = async ({ paymentOf }: Stored, leases: readonly Contract[]): Promise<void> => {
  for (let ago = 4; ago >= 0; ago -= 1) {
    const period = addMonths(TODAY, -ago).slice(0, 7)
    // More each month; the current one is not over.
    const paying = leases.slice(0, ago === 0 ? 5 : 9 - ago)
    for (const of of paying) {
      const paid = { status: 'Paid', method: 'Pix', paidMonth: period, paidAt: `${period}-10T15:00:00.000Z` } as const
      await paymentOf(of, { period, dueDate: `${period}-10`, paidValueCents: of.valueCents, ...paid })
    }
  }
  for (const [index, of] of leases.slice(5, 8).entries())
    await paymentOf(of, {
      status: 'Defaulted',
      dueDate: addDays(TODAY, -13 - 31 * index),
      // A charge has received a part of one of them.
      receivedCents: index === 1 ? 100_000 : null,
    })
  for (const of of leases.slice(8)) await paymentOf(of, { dueDate: addDays(TODAY, 4) })
}

const propose = async ({ proposalOf }: Stored, of: Contract, brokerId: string): Promise<void> => {
  const made = { UnderReview: 7, Negotiating: 4, Approved: 3, Rejected: 2 } as const
  for (const [status, count] of Object.entries(made))
    for (let n = 0; n < count; n += 1) await proposalOf(of, brokerId, { status: status as keyof typeof made })
}

const VISITS = [
  ['09:00', 'Confirmed'],
  ['11:30', 'Confirmed'],
  ['14:00', 'Scheduled'],
  ['16:30', 'Scheduled'],
  ['18:00', 'Cancelled'],
] as const

const visit = async (api: EstateTestApi, admin: Person, { clientOf, propertyOf }: Stored, brokerId: string) => {
  for (const [index, [time, status]] of VISITS.entries()) {
    const client = await clientOf({ name: TENANTS[9 - index] ?? '' })
    const property = await propertyOf({ code: `CS-${301 + index}`, status: UNLET[index] ?? 'Available' })
    const { id } = await post(api, admin, '/api/visits', {
      propertyId: property.id,
      clientId: client.id,
      brokerId,
      scheduledAt: `${TODAY}T${time}:00-03:00`,
    })
    if (status === 'Scheduled') continue
    const sent = { token: admin.token, body: { status } }
    worked(await api.ask('PATCH', `/api/visits/${id}/status`, sent))
  }
}

/** Fills an agency with leases, payments, proposals and visits; its broker is notified of confirmed visits. */
export const fillAgency = async (api: EstateTestApi, admin: Person, brokerEmail = admin.email) => {
  const stored = storedIn(api, admin)
  const broker = await stored.brokerOf({ email: brokerEmail })
  const leases: Contract[] = []
  for (const index of TENANTS.keys()) leases.push(await lease(stored, index))
  await pay(stored, leases)
  const [first] = leases
  if (first) await propose(stored, first, broker.id)
  await visit(api, admin, stored, broker.id)
  await api.drain()
  return { stored, leases, broker }
}
