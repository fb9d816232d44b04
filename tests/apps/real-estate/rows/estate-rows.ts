import { randomUUID } from 'node:crypto'
import { generateKeyPair, SignJWT } from 'jose'
import { devThrottle } from '../../../../adapters/identity/dev-accounts.ts'
import type { DevIssuer } from '../../../../adapters/identity/dev-issuer.ts'
import { httpRates } from '../../../../apps/http/rates.ts'
import type { AnyRow } from '../../../../apps/http/rows/row.ts'
import { realEstate } from '../../../../apps/real-estate/app.ts'
import { rows } from '../../../../apps/real-estate/catalogue.ts'
import { devIssuerRows } from '../../../../apps/real-estate/dev-issuer.ts'
import { dialects } from '../../../../apps/real-estate/dialects.ts'
import { DEV_SIGN_IN, panelRows } from '../../../../apps/real-estate/panel.ts'
import { addDays } from '../../../../core/kernel/values/day.ts'
import { ROLES, type Role } from '../../../../core/real-estate/real-estate-ports.ts'
import { anyDocument } from '../../../core/payments/world.ts'
import type { ApiUnderTest, Hostile, References, Roles, Tokens, Wording } from '../../rows/api-under-test.ts'
import type { Prepared } from '../../rows/places.ts'
import { suiteOf } from '../../rows/suite.ts'
import type { Answer, Reply } from '../../rows/wire.ts'
import { aTaxId } from '../given/basics.ts'
import { given } from '../given/given.ts'
import { type EstateTestApi, ISSUER, next, openEstateApi, type Signed, worked } from '../test-api.ts'

const KEYS = new Set(['type', 'title', 'status', 'detail', 'code', 'errors', 'hint', 'requestId'])
const CODE = /^[a-zA-Z0-9]+([.-][a-zA-Z0-9]+)*$/

interface Wrong {
  readonly field: string
  readonly message: string
  readonly code: string
}

const wrongsIn = (errors: unknown): readonly Wrong[] => (Array.isArray(errors) ? errors : [])

/** Returns a problem document of RFC 9457. */
const problemOf = (status: number, title: string, code: string, detail: string) => ({
  type: `urn:portico:problem:${code}`,
  title,
  status,
  detail,
  code,
})

/** The fields of a Firebase code without details. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  INVALID_LOGIN_CREDENTIALS: ['email', 'password'],
  INVALID_ID_TOKEN: ['idToken'],
  INVALID_REFRESH_TOKEN: ['refresh_token'],
  INVALID_OOB_CODE: ['oobCode'],
}

interface Violation {
  readonly field: string
  readonly description: string
  readonly reason: string
}

const violationsIn = ({ error }: Answer['body']): readonly Wrong[] => {
  const violations: readonly Violation[] = error.details.flatMap((each: Answer['body']) => each.fieldViolations)
  const named = violations.map(({ field, description, reason }) => ({ field, message: description, code: reason }))
  const meant = (WORDS[error.message] ?? []).map((field) => ({ field, message: error.message, code: error.message }))
  return [...named, ...meant]
}

/** Returns the error messages of each field. */
const fieldsIn: Wording['fieldsIn'] = (body) => {
  const fields: Record<string, string[]> = {}
  for (const { field, message } of body?.error ? violationsIn(body) : wrongsIn(body?.errors))
    fields[field] = [...(fields[field] ?? []), message]
  return fields
}

/** Returns the fault of a Firebase error, which has no schema, or null. */
const wrongWord = ({ headers, body, status }: Pick<Reply, 'status' | 'headers' | 'body'>): string | null => {
  const { code, message, errors, details, ...more } = body?.error ?? {}
  const isWhole =
    headers['content-type']?.includes('application/json') &&
    Object.keys(more).length === 0 &&
    code === status &&
    errors?.length === 1 &&
    errors[0].message === message &&
    CODE.test(errors[0].reason) &&
    Array.isArray(details) &&
    violationsIn(body).every(({ field, message: text, code: rule }) => field && text && rule)
  return isWhole && message ? null : `no words of Firebase: ${status} ${JSON.stringify(body)}`
}

/** Returns the code of a failure in either format. */
const codeIn: Wording['codeIn'] = (body) => body?.code ?? body?.error?.errors?.[0]?.reason

/** Returns the fault of a failure: a server error, or a malformed problem document. Null without a fault. */
const wrongFailure: Wording['wrongFailure'] = ({ status, headers, body, text }, dialect, document) => {
  const summary = `${status} ${text.slice(0, 300)}`
  if (status >= 500) return summary
  if (status < 400) return `no failure: ${summary}`
  // An unknown method at a path of the issuer has the format of the issuer.
  if (dialect === 'google' || body?.error !== undefined) return wrongWord({ headers, body, status })
  if (!headers['content-type']?.includes('application/problem+json')) return `no problem: ${summary}`
  const wrong = document.wrongFailure(dialect, body)
  if (wrong !== null) return wrong
  const strange = Object.keys(body).filter((key) => !KEYS.has(key))
  if (strange.length > 0) return `${strange} in ${summary}`
  if (!CODE.test(`${body.code}`)) return `no code: ${summary}`
  if (wrongsIn(body.errors).some(({ field, message, code }) => !field || !message || !code))
    return `no field: ${summary}`
  return body.status === status && body.type === `urn:portico:problem:${body.code}` && body.title && body.detail
    ? null
    : `other than its status: ${summary}`
}

type Fields = Readonly<Record<string, unknown>>

/** Fixtures whose e-mail belongs to an existing user. */
const EXISTING_USER = ['newcomer', 'devAccount']

/** New values of unique fields. */
const UNIQUE: Readonly<Record<string, (body: Fields) => unknown>> = {
  // A new company: a user cannot become Admin of an existing one.
  companyId: () => randomUUID(),
  code: () => `AP-${next()}`,
  creci: () => `CRECI-SP ${next()}`,
  email: () => `outra${next()}@example.com`,
  // A client may be a person.
  taxId: ({ type }) => (type === 'Individual' ? anyDocument() : aTaxId()),
  // Each renewal follows the one before.
  newEndDate: ({ newEndDate }) => addDays(`${newEndDate}`, next()),
}

/** Further values that a field requires in the same body. */
const REQUIRED_WITH: Readonly<Record<string, Fields>> = {
  // A commission has either of them.
  value: { percentage: null },
  // Only a fixed adjustment has a percentage.
  indexerPercentage: { indexer: 'Fixed' },
}

/** Returns the body with new unique values and with the values that a field requires. */
const anew = ({ example }: AnyRow, body: Prepared['body'] = {}, field = ''): Fields => {
  const isOf = (name: string): boolean =>
    name in body && !(name === 'email' && EXISTING_USER.includes(example.given ?? ''))
  const made = Object.entries(UNIQUE).flatMap(([name, make]) => (isOf(name) ? [[name, make(body)] as const] : []))
  const others = Object.entries(REQUIRED_WITH[field] ?? {}).filter(([name]) => name in body)
  return { ...body, ...Object.fromEntries(made), ...Object.fromEntries(others) }
}

const wording: Wording = {
  invalid: 400,
  defaultDialect: 'estate',
  unauthenticated: {
    ...problemOf(401, 'Não autenticado', 'token.invalid', 'Token ausente ou inválido.'),
    hint: 'Envie Authorization: Bearer TOKEN, com um ID token do provedor de identidade que ainda vale.',
  },
  forbidden: problemOf(403, 'Acesso negado', 'permission.lacking', 'Seu papel não permite esta operação.'),
  fieldsIn,
  codeIn,
  wrongFailure,
}

/** Returns the claims of a token. */
const claimsIn = (token: string): Signed => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())

const LEEWAY_SECONDS = 60

const instantOf = (seconds: number): string => new Date(seconds * 1_000).toISOString()

const tokens: Tokens<EstateTestApi> = {
  async wrong(api, token) {
    const claims = claimsIn(token)
    const { privateKey } = await generateKeyPair('ES256')
    const forged = new SignJWT({ ...claims }).setProtectedHeader({ alg: 'ES256', kid: 'k1' }).sign(privateKey)
    const secret = new TextEncoder().encode(ISSUER.padEnd(32))
    const weak = new SignJWT({ ...claims }).setProtectedHeader({ alg: 'HS256', kid: 'k1' }).sign(secret)
    const before = claims.iat - LEEWAY_SECONDS - 1
    const others = [{ iss: 'https://example.com' }, { aud: 'another' }, { exp: before }, { sub: '' }]
    return Promise.all([forged, weak, ...others.map((other) => api.sign({ ...claims, ...other }))])
  },
  lapsesAt: (_, token) => instantOf(claimsIn(token).exp + LEEWAY_SECONDS),
}

const OFFICE: readonly Role[] = ['Admin', 'Broker', 'Financial']

const roles: Roles<EstateTestApi> = {
  all: ROLES,
  may: {
    'properties:read': [...OFFICE, 'Owner'],
    'properties:write': ['Admin', 'Broker'],
    'properties:move': OFFICE,
    'properties:remove': ['Admin'],
    'properties:feed': ['Admin'],
    'invitations:read': ['Admin'],
    'invitations:write': ['Admin'],
    'proposals:read': ['Admin', 'Broker'],
    'proposals:write': ['Admin', 'Broker'],
    'proposals:remove': ['Admin'],
    'contracts:read': [...OFFICE, 'Owner', 'Tenant'],
    'contracts:write': OFFICE,
    'contracts:remove': ['Admin'],
    'payments:read': ['Admin', 'Financial', 'Owner', 'Tenant'],
    'payments:write': ['Admin', 'Financial'],
    'payments:report': ['Admin', 'Financial'],
    'payments:remove': ['Admin'],
    'clients:read': ['Admin', 'Broker'],
    'clients:write': ['Admin', 'Broker'],
    'clients:remove': ['Admin'],
    'condominiums:read': ['Admin', 'Syndic'],
    'condominiums:write': ['Admin'],
    'condominiums:remove': ['Admin'],
    'commissions:read': OFFICE,
    'commissions:write': ['Admin', 'Financial'],
    'commissions:remove': ['Admin'],
    'visits:read': ['Admin', 'Broker'],
    'visits:write': ['Admin', 'Broker'],
    'visits:remove': ['Admin'],
    'brokers:read': ['Admin'],
    'brokers:write': ['Admin'],
    'brokers:remove': ['Admin'],
    'owners:read': ['Admin', 'Financial', 'Owner'],
    'company:read': ['Admin', 'Financial'],
    'company:write': ['Admin'],
    'notifications:read': ROLES,
    'notifications:check': ['Admin'],
    'files:read': ROLES,
    'files:write': ROLES,
    'dashboard:read': OFFICE,
  },
  async member(api, token, role) {
    const { sub: uid, email, email_verified } = claimsIn(token)
    // Streams end with their token, and the clock advances: use a new token.
    const lasting = await api.sign({ sub: uid, email, email_verified })
    const { id: userId, companyId } = worked(await api.ask('POST', '/api/auth/login', { token: lasting, body: {} }))
    const known = ROLES.find((each) => each === role) ?? 'Syndic'
    return (await api.colleague({ token: lasting, userId, companyId, email, uid }, known)).token
  },
}

const references: References = {
  unknownIds: ['00000000-0000-4000-8000-999999999999'],
  names: /(^id|Id|Ids)$/,
  fixtures: {
    clientId: 'client',
    ownerId: 'client',
    propertyId: 'property',
    contractId: 'contract',
    brokerId: 'broker',
    condominiumId: 'condominium',
    proposalId: 'proposal',
  },
  // The company is the caller's or a new one; a tax id is no reference.
  exempt: new Set(['companyId', 'resourceId', 'syndicId', 'taxId']),
  inBody: (id) => id,
}

const hostile: Hostile<EstateTestApi> = {
  asker: 'clients.show',
  storedAs: (name, text) => (name === 'creci' ? text.toUpperCase().normalize('NFC') : text),
  dialectsAt: (_, target) => (/googleapis/i.test(target) ? ['google', 'estate'] : ['estate']),
}

// Only the declarations of these rows are read; the app under test has a real issuer.
const issuerRows = devIssuerRows({} as DevIssuer, { keys: [] })

/**
 * Ids, unique codes, days, instants, tokens, people and files; figures that depend on how much a fixture has in store.
 */
const VARIES = new RegExp(
  [
    String.raw`(\.(id|code|period|email|creci|taxId|url|since|message)|[a-z](Id|At|By|On|Date|Uid|Url|Line|Code|Token))$`,
    String.raw`_(id|token)$|^body\.(name|keys\[\]\.(kid|x|y))$|(syndic|owner)\.name$|\.(fileName|storagePath|sizeBytes)$`,
    String.raw`^body\.(total|totalRevenue|fine|interest|daysLate|remainingMonths|paymentsDefaulted|notificationsCreated)$`,
    String.raw`^body\.(financial|visits|proposals|reasons|brokers\[\])\.\w+$|\.(payments|created)\[\]\.status$`,
    // A text contains some of them.
    '^body$',
  ].join('|'),
)

/** The real-estate API, with its development issuer, for the generated tests. */
const estate: ApiUnderTest<EstateTestApi> = {
  rows: [...rows, ...panelRows(DEV_SIGN_IN), ...issuerRows],
  dialects,
  given,
  start: (t, { env, open }) => openEstateApi(t, { env, open }),
  collections: realEstate.collections,
  counts: { collections: [httpRates.name, devThrottle.throttles.name], fields: [] },
  keyless: new Set(['public']),
  varies: VARIES,
  wording,
  tokens,
  roles,
  references,
  withFreshValues: anew,
  hostile,
}

export const estateRows = suiteOf(estate)
