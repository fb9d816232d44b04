import type { FakeAcquirerConsole } from '../../../../adapters/bank/fake/acquirer.ts'
import type { FakeBankConsole } from '../../../../adapters/bank/fake/console.ts'
import { aesCipher } from '../../../../adapters/crypto/cipher.ts'
import { httpRates } from '../../../../apps/http/rates.ts'
import type { AnyRow } from '../../../../apps/http/rows/row.ts'
import { payments } from '../../../../apps/payments/app.ts'
import { fakeBankRows } from '../../../../apps/payments/bank.ts'
import { rows } from '../../../../apps/payments/catalogue.ts'
import { dialects } from '../../../../apps/payments/dialects.ts'
import { panelRows } from '../../../../apps/payments/panel.ts'
import { addSeconds } from '../../../../core/kernel/values/day.ts'
import { codeTryCounts } from '../../../../core/payments/access/code-tries.ts'
import { throttles } from '../../../../core/payments/access/log-in.ts'
import { ACCESS_TOKEN_SECONDS } from '../../../../core/payments/access/session.ts'
import { mails, templateOf } from '../../../../core/payments/office.ts'
import { anyDocument, anyEmail } from '../../../core/payments/world.ts'
import type { ApiUnderTest, Hostile, References, Roles, Tokens, Wording } from '../../rows/api-under-test.ts'
import type { Prepared } from '../../rows/places.ts'
import type { Documented } from '../../rows/schemas.ts'
import { suiteOf } from '../../rows/suite.ts'
import type { Reply } from '../../rows/wire.ts'
import { given } from '../given/given.ts'
import { openTestApi, type TestApi } from '../test-api.ts'
import { accountOf, changeMembership, claimsOf, teamMember, tokenOf } from './principals.ts'

/** Fixtures whose e-mail and document belong to an existing user or registration. */
const EXISTING = ['recovering', 'verifying', 'documented', 'applicant', 'patientApplicant', 'confirmedApplicant']

/** Fixtures of pay-outs, of which equal ones are rejected for a while. */
const PAID_OUT = ['withdrawer', 'lookedUp', 'transferrer']
let paidOut = 0
const anyValue = (): number => {
  paidOut += 1
  return (100 + (paidOut % 900)) / 100
}

/** Returns the unique fields of a row's body, by its failure codes: `client.document.taken`. */
const uniqueIn = ({ errors = {} }: AnyRow): readonly string[] =>
  Object.keys(errors).flatMap((code) => /\.(\w+)\.taken$/.exec(code)?.[1] ?? [])

/** Returns a new unique value of a field. */
const newValue = (name: string): string => (name === 'email' ? anyEmail() : anyDocument())

/** Returns the body with new unique values, so that it is not rejected as taken or repeated. */
const anew = (row: AnyRow, body: Prepared['body'] = {}): Readonly<Record<string, unknown>> => {
  const { given = '' } = row.example
  const names = EXISTING.includes(given) ? [] : ['document', 'email', ...uniqueIn(row)]
  return {
    ...body,
    ...Object.fromEntries(names.filter((name) => name in body).map((name) => [name, newValue(name)])),
    ...(PAID_OUT.includes(given) ? otherValue(body) : {}),
    // A refund of a cent can be repeated often.
    ...(given === 'refundableCharge' ? { value: 0.01 } : {}),
  }
}

const otherValue = (body: NonNullable<Prepared['body']>) => {
  const name = ['value', 'amount', 'mount'].find((each) => each in body)
  return name === undefined ? {} : { [name]: anyValue() }
}

/** Returns the names under which a row reports errors of a field: pay-outs report balance and limits as `value`. */
const saidAs = ({ example }: AnyRow, name: string): readonly string[] =>
  PAID_OUT.includes(example.given ?? '') && ['amount', 'mount'].includes(name) ? [name, 'value'] : [name]

const KEYS = new Set(['code', 'success', 'message', 'error_code', 'errors', 'error_codes', 'hint', 'request_id'])

const CODE = /^[a-z0-9]+([.-][a-z0-9]+)*$/
const isCode = (code: unknown): boolean => typeof code === 'string' && CODE.test(code)

/** Reports whether each message of a field has a code. */
const hasCodes = ({ errors = {}, error_codes: codes = {} }: Reply['body']): boolean =>
  Object.keys(errors).join() === Object.keys(codes).join() &&
  Object.keys(errors).every((path) => errors[path].length === codes[path].length && codes[path].every(isCode))

/** Returns the defect of a failure reply; null if it is well-formed and no server error. */
const wrongFailure = (
  { status, headers, body, text }: Pick<Reply, 'status' | 'headers' | 'body' | 'text'>,
  dialect: string,
  document: Documented,
): string | null => {
  const shown = `${status} ${text.slice(0, 300)}`
  // One route is specified to fail with a server error.
  if (status >= 500) return body?.error_code === 'withdrawal.boleto' ? null : shown
  if (status < 400) return `no failure: ${shown}`
  // A page has no error code.
  if (dialect === 'page')
    return headers['content-type']?.includes('text/html') && body === null ? null : `no page: ${shown}`
  if (!headers['content-type']?.includes('application/json')) return `no JSON: ${shown}`
  // The legacy instant payment has its own reply to an unknown Pix.
  if (dialect === 'instant' && body.error_code === 'instant-pix.unknown')
    return Object.keys(body).join() === 'success,message,data,error_code' && body.data === null
      ? null
      : `other: ${shown}`
  const wrong = document.wrongFailure(dialect, body)
  if (wrong !== null) return wrong
  // The legacy login has `error`, except for invalid fields.
  if (dialect === 'login' && !('errors' in body))
    return /^error,error_code(,hint)?$/.test(Object.keys(body).join()) && body.error !== '' && isCode(body.error_code)
      ? null
      : `no error: ${shown}`
  const strange = Object.keys(body).filter((key) => !KEYS.has(key))
  if (strange.length > 0) return `${strange} in ${shown}`
  if (!isCode(body.error_code)) return `no code: ${shown}`
  if (status === 422 && 'errors' in body && body.error_code !== 'fields') return `another code than fields: ${shown}`
  if (!hasCodes(body)) return `other fields in error_codes: ${shown}`
  return body.code === status && body.success === false && body.message !== ''
    ? null
    : `other than its status: ${shown}`
}

export const failureOf = (status: number, message: string, code: string) => ({
  code: status,
  success: false,
  message,
  error_code: code,
})

/** The reply to a request without a valid token. */
export const UNAUTHENTICATED = {
  ...failureOf(401, 'Não autenticado.', 'token.invalid'),
  hint: 'Envie Authorization: Bearer TOKEN, com um token de POST /v1/auth/login que ainda vale.',
}

const wording: Wording = {
  invalid: 422,
  defaultDialect: 'envelope',
  unauthenticated: UNAUTHENTICATED,
  forbidden: failureOf(403, 'Permissão insuficiente.', 'permission.lacking'),
  fieldsIn: (body) => body?.errors ?? {},
  codeIn: (body) => body?.error_code,
  wrongFailure,
  // The legacy login has its own failure schema.
  failureSchema: (dialect) => (dialect === 'login' ? 'LoginFailure' : 'Failure'),
}

const tokens: Tokens<TestApi> = {
  wrong(api, token, { auth }) {
    const claims = claimsOf(api, token)
    const others = [
      { sid: 'another' },
      { sub: claims.sub + 1 },
      // The refresh accepts an expired token, and an earlier token ends the session.
      ...(auth === 'refresh' ? [] : [{ exp: claims.iat }, { jti: 'earlier' }]),
    ]
    return [
      tokenOf(api, claims, new Uint8Array(32).fill(9)),
      ...others.map((other) => tokenOf(api, { ...claims, ...other })),
    ]
  },
  lapsesAt: (api, token) => addSeconds(new Date(claimsOf(api, token).iat * 1_000).toISOString(), ACCESS_TOKEN_SECONDS),
  async end(api, token) {
    const { status, text } = await api.ask('POST', '/v1/auth/logout', { token })
    if (status !== 200) throw new Error(`the token was not signed out: ${text}`)
  },
}

const ALL_ROLES = [1, 2, 3, 4, 5]
const SELLERS = [1, 2, 3, 5]

/** The member of the last test, by the token of the account's owner. */
let colleague = { of: '', token: '' }

const roles: Roles<TestApi> = {
  // An unknown role has no permissions.
  all: [...ALL_ROLES, 9],
  may: {
    'account:write': [1],
    'users:read': [1, 2, 4],
    'users:write': [1],
    'clients:read': ALL_ROLES,
    'clients:write': SELLERS,
    'charges:read': ALL_ROLES,
    'charges:write': SELLERS,
    'links:read': ALL_ROLES,
    'links:write': SELLERS,
    'statements:read': ALL_ROLES,
    'withdrawals:read': [1, 2, 4, 5],
    'withdrawals:write': [1, 2, 5],
  },
  async member(api, token, role) {
    // A change of role is faster than a registration.
    if (colleague.of === token) await changeMembership(api, colleague.token, { roleId: Number(role) })
    else colleague = { of: token, token: await teamMember(api, (await accountOf(api, token)).id, Number(role)) }
    return colleague.token
  },
}

const references: References = {
  unknownIds: ['999999999'],
  names: /(^|_)ids?$/,
  fixtures: {
    client_id: 'client',
    tag_id: null,
    establishment_id: null,
    charge_group_id: 'chargeGroup',
    payment_plan_id: 'paymentPlan',
  },
  exempt: new Set([
    'id',
    'ids',
    'send_client_id',
    'status_id',
    'type_id',
    'type_ids',
    'end_to_end_id',
    'register_id',
    'bank_id',
    'fb_id',
    // A filter of the audit trail.
    'user_id',
    // The id of a look-up: another tenant's gets 404, not 422.
    'internal_id',
  ]),
  inBody: Number,
}

const hostile: Hostile<TestApi> = {
  asker: 'charges.show',
  dialectsAt({ headers }, target) {
    // Pages reply with pages to every request.
    if (headers['content-type']?.startsWith('text/html') && /password|\/pay\//i.test(target)) return ['page']
    // An unknown Pix has its own reply.
    return ['envelope', ...(/\/legacypay\/pix\//i.test(target) ? ['instant'] : [])]
  },
  // A public GET queues this job by design.
  mayWrite: (line) => line.startsWith('payments.jobs/test-job '),
  // E-mails are sealed.
  async decrypted(api) {
    const cipher = aesCipher(api.host.secrets.dataKey)
    return (await api.every(mails)).map((mail) => templateOf(cipher, mail))
  },
  isRefusal: (body) => body?.success === false,
  excuses: ({ name }, { status, body }) =>
    // An insufficient balance, and an export without entries.
    ['card-balance.insufficient', 'export.empty'].includes(body?.error_code) ||
    // A filter is not stored, a quote is computed, and the term of a rotated key is stored as its end.
    (status < 300 && ['consolidation.export-transactions', 'charges.amount-due', 'api-keys.rotate'].includes(name)),
  errorNames: saidAs,
}

// Drawing takes longer than the rest of a request.
const blank = () => ({
  qrRenderer: { qrPng: async () => new Uint8Array([137]) },
  invoiceRenderer: { invoicePdf: async () => new Uint8Array([37]) },
  statementRenderer: {
    statementPdf: async () => new Uint8Array([37]),
    chargeListPdf: async () => new Uint8Array([37]),
    receiptPdf: async () => new Uint8Array([37]),
  },
  personalDataRenderer: { personalDataPdf: async () => new Uint8Array([37]) },
})

// Only the row data is read here; the API under test has a real console.
const consoleRows = [
  ...fakeBankRows({} as FakeBankConsole, {} as FakeAcquirerConsole),
  ...panelRows({ simulates: true, hasPasskeys: true }),
]

/** Names of people and records, codes, days and instants; the status of an account. */
const VARIES = new RegExp(
  [
    '[._](id|uuid|by|at|date|day|email|document|account|agency|branch|token|secret|api_key|code|slug|url|name|phone)$',
    String.raw`(Id|PDF|Line|\.(conta|nome|documento|data|timestamp|datetime|period|date_group|nosso_numero|barcode))$`,
    String.raw`\.(txid|endtoend|endtoendid|end_to_end_id|return_id|qrcode|image|payload|description|code_account)$`,
    String.raw`\.(address|body|device|current|permissions\[\]|labels\[\]|account_number)$`,
    String.raw`^body\.(preview\.text|(data\.)?audit\[\]\.changes\.\w+\.to)$`,
    String.raw`^body\.data\.(ceremony|public_key\.(challenge|\w+\[\]\.id))$`,
    String.raw`^body\.data\.(challenge|uri|qr_code|recovery_codes\[\])$`,
    String.raw`^body\.(api_key|split_receiver)s?(\[\])?\.(ending|key)$`,
    String.raw`^body\.datasets\[\]\.`,
    String.raw`^body(\.account|\.accounts\[\]|\.data\.account)?\.status\.title$|organizations\[\]\.status$`,
  ].join('|'),
)

/** The payments API with the console of the embedded bank, for the generated tests. */
const underTest: ApiUnderTest<TestApi> = {
  rows: [...rows, ...consoleRows],
  dialects,
  varies: VARIES,
  given,
  start: (t, { env, open, draws }) => openTestApi(t, { env, open, ...(draws ? {} : { instead: blank }) }),
  forget(api) {
    api.mailer.sent.length = 0
    api.sender.requests.length = 0
  },
  collections: payments.collections,
  counts: {
    collections: [throttles.name, codeTryCounts.name, httpRates.name],
    // Tries at a PIN are counted in the account, tries at a code in the record with the code.
    fields: ['pinTries', 'pinLockedUntil', 'triesLeft', 'codeTriesLeft'],
  },
  restricted: new Set(['charges.simulate-payment']),
  keyless: new Set(['public', 'refresh']),
  wording,
  tokens,
  roles,
  references,
  withFreshValues: anew,
  hostile,
}

export const paymentsRows = suiteOf(underTest)
