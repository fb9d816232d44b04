import type { FakeAcquirerConsole } from '../../../../adapters/bank/fake/acquirer.ts'
import type { FakeBankConsole } from '../../../../adapters/bank/fake/console.ts'
import { aesCipher } from '../../../../adapters/crypto/cipher.ts'
import { httpRates } from '../../../../apps/http/rates.ts'
import { payments } from '../../../../apps/payments/app.ts'
import { fakeBankRows } from '../../../../apps/payments/bank.ts'
import { dialects } from '../../../../apps/payments/dialects.ts'
import { rows } from '../../../../apps/payments/rows.ts'
import { addSeconds } from '../../../../core/kernel/values/day.ts'
import { codeTryCounts } from '../../../../core/payments/access/code-tries.ts'
import { throttles } from '../../../../core/payments/access/log-in.ts'
import { ACCESS_TOKEN_SECONDS } from '../../../../core/payments/access/session.ts'
import { mails, templateOf } from '../../../../core/payments/office.ts'
import { given } from '../../given/given.ts'
import type { ApiUnderTest, Hostile, References, Roles, Tokens, Wording } from '../../rows/api-under-test.ts'
import { suiteOf } from '../../rows/suite.ts'
import { openTestApi, type TestApi } from '../test-api.ts'
import { anew, saidAs } from './anew.ts'
import { wrongFailure } from './failures.ts'
import { accountOf, changeMembership, claimsOf, teamMember, tokenOf } from './principals.ts'

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
  usual: 'envelope',
  unauthenticated: UNAUTHENTICATED,
  lacking: failureOf(403, 'Permissão insuficiente.', 'permission.lacking'),
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
  none: new Set([
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
  async sealed(api) {
    const cipher = aesCipher(api.host.secrets.dataKey)
    return (await api.every(mails)).map((mail) => templateOf(cipher, mail))
  },
  saysNo: (body) => body?.success === false,
  excuses: ({ name }, { status, body }) =>
    // More than there is, and nothing that is found by it.
    ['card-balance.insufficient', 'export.empty'].includes(body?.error_code) ||
    // What narrows a list is kept in no field of its own.
    (status < 300 && name === 'consolidation.export-transactions'),
  saidAs,
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
  fewMay: new Set(['charges.simulate-payment']),
  keyless: new Set(['public', 'refresh']),
  wording,
  tokens,
  roles,
  references,
  anew,
  hostile,
}

export const paymentsRows = suiteOf(payed)
