import type { ExecutionContext } from 'ava'
import { createLocalJWKSet, exportJWK, generateKeyPair, SignJWT } from 'jose'
import type { SetClock } from '../../../adapters/clock/set-clock.ts'
import { scryptHasher } from '../../../adapters/crypto/hasher.ts'
import { jwtIdentity } from '../../../adapters/identity/jwt-identity.ts'
import type { Host } from '../../../apps/host/host.ts'
import { buildRealEstate, realEstate } from '../../../apps/real-estate/app.ts'
import type { Collection, Rec } from '../../../core/kernel/records/record.ts'
import { type Fresh, freshOf } from '../../../core/kernel/running/use-case.ts'
import { epochSeconds } from '../../../core/kernel/values/day.ts'
import { plainText } from '../../../core/office/mail.ts'
import type { Hasher, Identity } from '../../../core/ports/identity.ts'
import { mails, templateOf } from '../../../core/real-estate/office.ts'
import type { RealEstatePorts, Role } from '../../../core/real-estate/real-estate-ports.ts'
import { NOW } from '../../core/payments/world.ts'
import { next } from '../../core/real-estate/records.ts'
import type { Answer, Sent, Wire } from '../rows/wire.ts'
import { worked } from '../rows/wire.ts'
import { apiClient, openTestHost, serveTestApp, storedRecords, type TestHostOptions } from '../test-host.ts'

export const TODAY = '2026-11-23'

export { type Answer, NOW, next, type Sent, worked }

/** The details of a founded company. */
type Company = Readonly<{ legalName?: string; taxId?: string }>

/** A user of a company. */
export interface Person {
  readonly token: string
  readonly userId: string
  readonly companyId: string
  readonly email: string
  readonly uid: string
}

export interface EstateTestApi {
  readonly url: string
  readonly clock: SetClock
  readonly host: Host
  readonly wire: Wire
  ask(method: string, path: string, sent?: Sent): Promise<Answer>
  /** Runs the worker until nothing is due. */
  drain(): Promise<number>
  /** Returns new ids and times, as a decision receives them. */
  fresh(): Fresh
  /** Signs a token of the provider, valid for an hour by default. */
  sign(claims: Partial<Signed>): Promise<string>
  /** Founds a company and returns its Admin. */
  agency(company?: Company): Promise<Person>
  /** Registers a user with a verified e-mail in the company of the Admin. */
  colleague(admin: Person, role: Role, email?: string): Promise<Person>
  /** Returns the texts of the mails queued for an address, sent or not, newest last. */
  mailsTo(email: string): Promise<readonly string[]>
  /** Returns the stored records of a collection. */
  every<R extends Rec>(from: Collection<R>): Promise<R[]>
  /** Returns all stored records, to be compared. */
  everything(): Promise<Readonly<Record<string, readonly Rec[]>>>
}

interface EstateTestOptions extends TestHostOptions {
  readonly instead?: (host: Host) => Partial<RealEstatePorts> & { readonly hasher?: Hasher }
  /** Accepts tokens of the configured identity provider instead of those that tests sign. */
  readonly usualIdentity?: boolean
}

/** Returns the status and the code of a failure: `422 contract.ended`. */
export const outcomeOf = ({ status, body }: Pick<Answer, 'status' | 'body'>): string => `${status} ${body?.code}`

/** Returns the error codes of each field by its path. */
export const wrongIn = ({ body }: Answer): Readonly<Record<string, readonly string[]>> => {
  const wrong: Record<string, string[]> = {}
  for (const { field, code } of body.errors ?? []) wrong[field] = [...(wrong[field] ?? []), code]
  return wrong
}

/**
 * Opens the real-estate app over HTTP on a new SQLite file, with a set clock, a provider whose tokens tests sign, and a
 * worker that `drain` runs. The app closes with the test.
 */
export const openEstateApi = async (
  t: Pick<ExecutionContext, 'teardown'>,
  { env, instead, usualIdentity = false, ...options }: EstateTestOptions = {},
): Promise<EstateTestApi> => {
  const defaults = { PUBLIC_URL: 'https://imoveis.example.com' }
  const host = await openTestHost(t, realEstate, { ...options, env: { ...defaults, ...env } })
  const { clock, random, ids } = host
  const provider = await testProvider()
  const app = await buildRealEstate(host, {
    // Fast hashes: the tests of the hasher cover the real cost.
    hasher: scryptHasher({ logN: 4 }),
    ...(!usualIdentity && { identity: provider.identity }),
    ...instead?.(host),
  })
  const { url, wire } = await serveTestApp(t, app)
  const ask = apiClient(wire)
  const stored = storedRecords(host.store, realEstate)
  const sign = (claims: Partial<Signed>) => provider.sign(clock.now(), claims)
  return {
    url,
    wire,
    clock,
    host,
    ask,
    sign,
    ...stored,
    fresh: () => freshOf({ clock, random, ids }).fresh,
    async mailsTo(email) {
      const queued = (await stored.every(mails)).filter(({ to }) => to === email)
      const inOrder = queued.sort((one, other) => (one.createdAt < other.createdAt ? -1 : 1))
      return inOrder.map((each) => plainText(templateOf(app.ports.cipher, each)))
    },
    drain: () => app.api.worker.drain(),
    ...peopleOf(ask, sign),
  }
}

const guid = (): string => `00000000-0000-4000-8000-${`${next()}`.padStart(12, '0')}`

const peopleOf = (
  ask: EstateTestApi['ask'],
  sign: EstateTestApi['sign'],
): Pick<EstateTestApi, 'agency' | 'colleague'> => {
  const register = async (
    role: Role,
    companyId: string,
    by: string | null,
    email: string,
    company?: Company,
  ): Promise<Person> => {
    const uid = `uid-${next()}`
    const own = { firebaseUid: uid, email, name: `Pessoa ${uid}` }
    const token = await sign({ sub: uid, email, email_verified: true, name: own.name })
    const body = { ...own, role, companyId, ...(company && { company }) }
    const { id } = worked(await ask('POST', '/api/auth/register', { token: by ?? token, body }))
    return { token, userId: id, companyId, email, uid }
  }
  return {
    agency: (company) => register('Admin', guid(), null, `admin${next()}@example.com`, company),
    colleague: ({ companyId, token }, role, email = `pessoa${next()}@example.com`) =>
      register(role, companyId, token, email),
  }
}

export const ISSUER = 'https://securetoken.google.com/aurora'
export const AUDIENCE = 'aurora'
const AN_HOUR = 3_600

/** The claims of a token. */
export interface Signed {
  readonly sub: string
  readonly email: string
  readonly email_verified: boolean
  readonly name: string
  readonly iat: number
  readonly exp: number
  readonly iss: string
  readonly aud: string
}

/** An identity provider whose key the tests have. */
interface TestProvider {
  readonly identity: Identity
  sign(now: string, claims: Partial<Signed>): Promise<string>
}

/** Making a key takes longer than most tests, so all tests of a process share one. */
let made: Promise<TestProvider> | null = null

export const testProvider = (): Promise<TestProvider> => {
  made ??= makeProvider()
  return made
}

const makeProvider = async (): Promise<TestProvider> => {
  const { publicKey, privateKey } = await generateKeyPair('ES256')
  const jwk = { ...(await exportJWK(publicKey)), kid: 'k1', alg: 'ES256' }
  return {
    identity: jwtIdentity({ issuer: ISSUER, audience: AUDIENCE, keys: createLocalJWKSet({ keys: [jwk] }) }),
    sign(now, claims) {
      const iat = epochSeconds(now)
      return new SignJWT({ iss: ISSUER, aud: AUDIENCE, iat, exp: iat + AN_HOUR, ...claims })
        .setProtectedHeader({ alg: 'ES256', kid: 'k1' })
        .sign(privateKey)
    },
  }
}
