import type { FakeAcquirerConsole } from '../../../../adapters/bank/fake/acquirer.ts'
import type { FakeBankConsole } from '../../../../adapters/bank/fake/console.ts'
import { aesCipher } from '../../../../adapters/crypto/cipher.ts'
import { httpRates } from '../../../../apps/http/rates.ts'
import type { AnyRow } from '../../../../apps/http/rows/row.ts'
import { payments } from '../../../../apps/payments/app.ts'
import { fakeBankRows } from '../../../../apps/payments/bank.ts'
import { dialects } from '../../../../apps/payments/dialects.ts'
import { rows } from '../../../../apps/payments/rows.ts'
import { addSeconds } from '../../../../core/kernel/values/day.ts'
import { codeTryCounts } from '../../../../core/payments/access/code-tries.ts'
import { throttles } from '../../../../core/payments/access/log-in.ts'
import { ACCESS_TOKEN_SECONDS } from '../../../../core/payments/access/session.ts'
import { mails, templateOf } from '../../../../core/payments/office.ts'
import { anyDocument, anyEmail } from '../../given/basics.ts'
import { given } from '../../given/given.ts'
import type { ApiUnderTest, Hostile, References, Roles, Tokens, Wording } from '../../rows/api-under-test.ts'
import type { Prepared } from '../../rows/places.ts'
import type { Documented } from '../../rows/schemas.ts'
import { suiteOf } from '../../rows/suite.ts'
import type { Reply } from '../../rows/wire.ts'
import { openTestApi, type TestApi } from '../test-api.ts'
import { accountOf, changeMembership, claimsOf, teamMember, tokenOf } from './principals.ts'

/** Fixtures whose e-mail and document are of somebody who is there: what their rows ask for is about them. */
const SOMEBODY = ['recovering', 'verifying', 'documented', 'applicant', 'patientApplicant', 'confirmedApplicant']

/** Money out is asked for by these names, and the same to the same place is refused for a while. */
const PAID_OUT = ['withdrawer', 'lookedUp', 'transferrer']
let paidOut = 0
const anyValue = (): number => {
  paidOut += 1
  return (100 + (paidOut % 900)) / 100
}

/** The fields of a row's body that no two records share, by what it can fail with: `client.document.taken`. */
const uniqueIn = ({ errors = {} }: AnyRow): readonly string[] =>
  Object.keys(errors).flatMap((code) => /\.(\w+)\.taken$/.exec(code)?.[1] ?? [])

/** What nobody else has: an e-mail is one, and whatever else is a text. */
const unlikeOthers = (name: string): string => (name === 'email' ? anyEmail() : anyDocument())

/** The same body of somebody else, so that nothing is refused for being there already. */
export const anew = (row: AnyRow, body: Prepared['body'] = {}): Readonly<Record<string, unknown>> => {
  const { given = '' } = row.example
  const names = SOMEBODY.includes(given) ? [] : ['document', 'email', ...uniqueIn(row)]
  return {
    ...body,
    ...Object.fromEntries(names.filter((name) => name in body).map((name) => [name, unlikeOthers(name)])),
    ...(PAID_OUT.includes(given) ? otherValue(body) : {}),
    // So little that it can be given back again and again.
    ...(given === 'refundableCharge' ? { value: 0.01 } : {}),
  }
}

const otherValue = (body: NonNullable<Prepared['body']>) => {
  const name = ['value', 'amount', 'mount'].find((each) => each in body)
  return name === undefined ? {} : { [name]: anyValue() }
}

/** Under which names a row says what is wrong with a field: balance and limits of money out are those of `value`. */
export const saidAs = ({ example }: AnyRow, name: string): readonly string[] =>
  PAID_OUT.includes(example.given ?? '') && ['amount', 'mount'].includes(name) ? [name, 'value'] : [name]

const KEYS = new Set(['code', 'success', 'message', 'error_code', 'errors', 'error_codes', 'hint', 'request_id'])

const CODE = /^[a-z0-9]+([.-][a-z0-9]+)*$/
const isCode = (code: unknown): boolean => typeof code === 'string' && CODE.test(code)

/** Whether each message of a field has its code beside it. */
const isSameFields = ({ errors = {}, error_codes: codes = {} }: Reply['body']): boolean =>
  Object.keys(errors).join() === Object.keys(codes).join() &&
  Object.keys(errors).every((path) => errors[path].length === codes[path].length && codes[path].every(isCode))

/** What is wrong with a failure, whatever its cause: null where it is one, well-formed, and none of the server's own. */
export const wrongFailure = (
  { status, headers, body, text }: Pick<Reply, 'status' | 'headers' | 'body' | 'text'>,
  dialect: string,
  document: Documented,
): string | null => {
  const said = `${status} ${text.slice(0, 300)}`
  // One route is specified to fail so.
  if (status >= 500) return body?.error_code === 'withdrawal.boleto' ? null : said
  if (status < 400) return `no failure: ${said}`
  // A page says in words what is wrong.
  if (dialect === 'page')
    return headers['content-type']?.includes('text/html') && body === null ? null : `no page: ${said}`
  if (!headers['content-type']?.includes('application/json')) return `no JSON: ${said}`
  // The legacy instant payment has words of its own for a Pix that is not there.
  if (dialect === 'instant' && body.error_code === 'instant-pix.unknown')
    return Object.keys(body).join() === 'success,message,data,error_code' && body.data === null
      ? null
      : `other: ${said}`
  const wrong = document.wrongFailure(dialect, body)
  if (wrong !== null) return wrong
  // The legacy login says in one key all but which fields are wrong.
  if (dialect === 'login' && !('errors' in body))
    return /^error,error_code(,hint)?$/.test(Object.keys(body).join()) && body.error !== '' && isCode(body.error_code)
      ? null
      : `no error: ${said}`
  const strange = Object.keys(body).filter((key) => !KEYS.has(key))
  if (strange.length > 0) return `${strange} in ${said}`
  if (!isCode(body.error_code)) return `no code: ${said}`
  if (status === 422 && 'errors' in body && body.error_code !== 'fields') return `another code than fields: ${said}`
  if (!isSameFields(body)) return `other fields in error_codes: ${said}`
  return body.code === status && body.success === false && body.message !== '' ? null : `other than its status: ${said}`
}

export const failureOf = (status: number, message: string, code: string) => ({
  code: status,
  success: false,
  message,
  error_code: code,
})

/** The refusal of a request without a token, or with one that is wrong. */
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
  // The legacy login has words of its own.
  failureSchema: (dialect) => (dialect === 'login' ? 'LoginFailure' : 'Failure'),
}

const tokens: Tokens<TestApi> = {
  wrong(api, token, { auth }) {
    const claims = claimsOf(api, token)
    const others = [
      { sid: 'another' },
      { sub: claims.sub + 1 },
      // The door for refreshing takes a token that has run out, and an earlier one ends its session.
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
    if (status !== 200) throw new Error(`nobody is logged out: ${text}`)
  },
}

const EVERYBODY = [1, 2, 3, 4, 5]
const SELLERS = [1, 2, 3, 5]

/** Who was last asked for, and by whose token. */
let colleague = { of: '', token: '' }

/** Source: decisions.md §1, Roles and permissions; §12, Roles. */
const roles: Roles<TestApi> = {
  // Beside the five, one that no table names: it may nothing.
  all: [...EVERYBODY, 9],
  may: {
    'account:write': [1],
    'users:read': [1, 2, 4],
    'users:write': [1],
    'clients:read': EVERYBODY,
    'clients:write': SELLERS,
    'charges:read': EVERYBODY,
    'charges:write': SELLERS,
    'links:read': EVERYBODY,
    'links:write': SELLERS,
    'statements:read': EVERYBODY,
    'withdrawals:read': [1, 2, 4, 5],
    'withdrawals:write': [1, 2, 5],
  },
  async member(api, token, role) {
    // To register somebody takes longer than to give them another role.
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
    // Of a look-up that is to be confirmed: another tenant's is 404, not 422.
    'internal_id',
  ]),
  inBody: Number,
}

const hostile: Hostile<TestApi> = {
  asker: 'charges.show',
  dialectsAt({ headers }, target) {
    // A page of ours is for people, whatever else is asked of it.
    if (headers['content-type']?.startsWith('text/html') && /password|\/pay\//i.test(target)) return ['page']
    // A Pix that is not there has an answer of its own.
    return ['envelope', ...(/\/legacypay\/pix\//i.test(target) ? ['instant'] : [])]
  },
  // A public GET queues this one: that is what it is there for.
  mayWrite: (line) => line.startsWith('payments.jobs/test-job '),
  // What somebody is told is sealed.
  async decrypted(api) {
    const cipher = aesCipher(api.host.secrets.dataKey)
    return (await api.every(mails)).map((mail) => templateOf(cipher, mail))
  },
  isRefusal: (body) => body?.success === false,
  excuses: ({ name }, { status, body }) =>
    // More than there is, and nothing that is found by it.
    ['card-balance.insufficient', 'export.empty'].includes(body?.error_code) ||
    // What narrows a list is kept in no field of its own.
    (status < 300 && name === 'consolidation.export-transactions'),
  errorNames: saidAs,
}

// Drawing takes longer than all the rest of a request.
const blank = () => ({
  qrRenderer: { qrPng: async () => new Uint8Array([137]) },
  invoiceRenderer: { invoicePdf: async () => new Uint8Array([37]) },
  statementRenderer: {
    statementPdf: async () => new Uint8Array([37]),
    receiptPdf: async () => new Uint8Array([37]),
  },
})

// Only what the rows say is read here: whoever runs them has a real console.
const consoleRows = fakeBankRows({} as FakeBankConsole, {} as FakeAcquirerConsole)

/** The payments API, the console of the embedded bank included, as the tests of rows know it. */
const payed: ApiUnderTest<TestApi> = {
  rows: [...rows, ...consoleRows],
  dialects,
  given,
  start: (t, { env, open, draws }) => openTestApi(t, { env, open, ...(draws ? {} : { instead: blank }) }),
  forget(api) {
    api.mailer.sent.length = 0
    api.sender.requests.length = 0
  },
  collections: payments.collections,
  counts: {
    collections: [throttles.name, codeTryCounts.name, httpRates.name],
    // Guesses at a PIN are counted in the account itself, and those at a code in what has it.
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

export const paymentsRows = suiteOf(payed)
