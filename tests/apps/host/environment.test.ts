import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'ava'
import {
  CannotStart,
  isRegistrationOpen,
  readEnvironment,
  unknownVariables,
  VARIABLES,
} from '../../../apps/host/environment.ts'

const lines = (env: Record<string, string>): readonly string[] => {
  try {
    readEnvironment(env)
    return []
  } catch (error) {
    if (!(error instanceof CannotStart)) throw error
    return error.message.split('\n')
  }
}

const wrong: readonly [string, string, RegExp][] = [
  ['PAYMENTS_PORT', '65536', /^PAYMENTS_PORT: got "65536", accepts an integer from 0 to 65535$/],
  ['REAL_ESTATE_PORT', 'x', /^REAL_ESTATE_PORT: got "x", accepts /],
  ['STORE_URL', 'postgres://x', /^STORE_URL: got "postgres:\/\/x", accepts /],
  ['PUBLIC_URL', 'pay.example.com', /^PUBLIC_URL: got "pay.example.com", accepts /],
  ['PUBLIC_URL', 'https://user:secret@pay.example.com', /^PUBLIC_URL: .* without user/],
  ['PUBLIC_URL', 'https://pay.example.com/?shop=1', /^PUBLIC_URL: .* without user, query/],
  ['PUBLIC_URL', 'https://pay.example.com/#top', /^PUBLIC_URL: .* fragment$/],
  ['PUBLIC_URL', 'https://pay.example.com/`id`', /^PUBLIC_URL: got /],
  ['REAL_ESTATE_PUBLIC_URL', 'imoveis.example.com', /^REAL_ESTATE_PUBLIC_URL: got "imoveis.example.com", accepts /],
  ['CORS_ORIGINS', 'https://a.example/path', /^CORS_ORIGINS: got /],
  ['TRUST_PROXY', 'yes', /^TRUST_PROXY: got "yes", accepts true or false$/],
  ['OTEL_SDK_DISABLED', 'maybe', /^OTEL_SDK_DISABLED: got "maybe", accepts true or false$/],
  ['WEBHOOKS_ALLOW_PRIVATE', '1', /^WEBHOOKS_ALLOW_PRIVATE: got "1", accepts true or false$/],
  ['LOG_LEVEL', 'loud', /^LOG_LEVEL: got "loud", accepts /],
  ['BANK', 'real', /^BANK: got "real", accepts fake or pix-api$/],
  ['PIX_API_URL', 'http://pix.example.com', /^PIX_API_URL: got "http:\/\/pix.example.com", accepts .* https:\/\//],
  ['PIX_API_TOKEN_URL', 'pix.example.com', /^PIX_API_TOKEN_URL: got /],
  ['PIX_KEY', 'minha chave', /^PIX_KEY: got "minha chave", accepts a Pix key$/],
  ['ALERTS_AT', '7:00', /^ALERTS_AT: got "7:00", accepts a time of day such as 07:00$/],
  ['ALERTS_AT', '24:00', /^ALERTS_AT: /],
  ['ALERTS_AT', '07:60', /^ALERTS_AT: /],
  ['MESSAGES_PER_DAY', '0', /^MESSAGES_PER_DAY: got "0", accepts an integer from 1 to 1000000$/],
  ['RETENTION_DAYS_SESSIONS', '13', /^RETENTION_DAYS_SESSIONS: got "13", accepts .*14 to 3660$/],
  ['RETENTION_DAYS_SESSIONS', 'never', /^RETENTION_DAYS_SESSIONS: got "never", accepts .*14 to 3660$/],
  ['RETENTION_DAYS_EXPORTS', '91', /^RETENTION_DAYS_EXPORTS: got "91", accepts .*1 to 90$/],
  ['RETENTION_DAYS_EVENTS', '29', /^RETENTION_DAYS_EVENTS: got "29", accepts .*30 to 3660 or never$/],
  ['RETENTION_DAYS_NOTIFICATIONS', '3661', /^RETENTION_DAYS_NOTIFICATIONS: got "3661", accepts .*30 to 3660 or never$/],
  ['RETENTION_DAYS_API_KEYS', '30.5', /^RETENTION_DAYS_API_KEYS: got "30.5", accepts .*30 to 3660 or never$/],
  ['RETENTION_DAYS_REJECTED_REGISTRATIONS', '29', /^RETENTION_DAYS_REJECTED_REGISTRATIONS: .* 30 to 3660 or never$/],
  ['RETENTION_DAYS_ACCESS_RECORDS', '183', /^RETENTION_DAYS_ACCESS_RECORDS: .* accepts .*184 to 3660 or never$/],
  ['RENT_RUN_DAY', '29', /^RENT_RUN_DAY: got "29", accepts /],
  ['RENT_RUN_DAY', '0', /^RENT_RUN_DAY: got "0", accepts /],
  ['FIRESTORE_EMULATOR_HOST', 'localhost', /^FIRESTORE_EMULATOR_HOST: got "localhost", accepts HOST:PORT$/],
  [
    'INTERNAL_TRANSFER_BANK',
    '7480',
    /^INTERNAL_TRANSFER_BANK: got "7480", accepts the three digits of a bank, such as 748$/,
  ],
  ['INTERNAL_TRANSFER_BANK', '999', /^INTERNAL_TRANSFER_BANK: got "999", accepts /],
  ['OPEN_REGISTRATION', 'yes', /^OPEN_REGISTRATION: got "yes", accepts true or false$/],
  ['MAIL_FROM', 'ana', /^MAIL_FROM: got "ana", accepts a sender such as /],
  ['HOST', 'example.com:80', /^HOST: got /],
  ['NODE_ENV', 'staging', /^NODE_ENV: got "staging", accepts /],
]

test('returns one line for a wrong value: the variable, the received and the accepted values', (t) => {
  for (const [name, value, line] of wrong) {
    const [first = '', ...more] = lines({ [name]: value })
    t.regex(first, line)
    t.deepEqual(more, [])
  }
})

test('names all missing variables at once, each once, and the same port for both apps', (t) => {
  const production = { NODE_ENV: 'production', BANK: 'pix-api', IDENTITY_ISSUER: 'https://id.example' }
  const names = lines(production).map((line) => line.split(':')[0])
  for (const name of ['JWT_SECRET', 'DATA_KEY', 'IDENTITY_AUDIENCE', 'PIX_KEY'])
    t.is(names.filter((each) => each === name).length, 1)
  const both = (port: string) => `PAYMENTS_PORT, REAL_ESTATE_PORT: got ${port} for both, accepts two ports`
  t.deepEqual(lines({ PAYMENTS_PORT: '4000', REAL_ESTATE_PORT: '4000' }), [both('4000')])
  t.deepEqual(lines({ PAYMENTS_PORT: '3001' }), [both('3001')])
  t.deepEqual(lines({ PAYMENTS_PORT: '0', REAL_ESTATE_PORT: '0' }), [])
})

test('requires all or none of the settings of an identity provider', (t) => {
  const whole = {
    IDENTITY_ISSUER: 'https://securetoken.google.com/aurora',
    IDENTITY_AUDIENCE: 'aurora',
    IDENTITY_JWKS_URL: 'https://id.example.com/keys',
  }
  t.deepEqual(lines(whole), [])
  for (const missing of Object.keys(whole)) {
    const { [missing as keyof typeof whole]: _, ...rest } = whole
    t.deepEqual(lines(rest), [`${missing}: got nothing, but the other IDENTITY_* require it`])
  }
  t.is(lines({ IDENTITY_API_KEY: 'x' }).length, 3)
  t.is(lines({ IDENTITY_AUDIENCE: 'aurora' }).length, 2)
  // Issuers are compared literally, and some addresses of keys have a query.
  const exact = { IDENTITY_ISSUER: 'https://id.example.com/', IDENTITY_JWKS_URL: 'https://id.example.com/keys/?p=1' }
  t.like(readEnvironment({ ...whole, ...exact }), exact)
  for (const IDENTITY_JWKS_URL of ['ftp://id.example.com/keys', 'https://ana:hunter2@id.example.com/keys']) {
    const [line = ''] = lines({ ...whole, IDENTITY_JWKS_URL })
    t.regex(line, /^IDENTITY_JWKS_URL: got ".*", accepts /)
    t.notRegex(line, /hunter2/)
  }
  t.regex(lines({ ...whole, IDENTITY_JWKS_URL: 'keys' })[0] ?? '', /^IDENTITY_JWKS_URL: got "keys", accepts /)
})

test('requires all settings of BANK=pix-api, a line each', (t) => {
  const settings = {
    BANK: 'pix-api',
    PIX_API_URL: 'https://pix.example.com/api/v2/',
    PIX_API_TOKEN_URL: 'https://pix.example.com/oauth/token',
    PIX_API_CLIENT_ID: 'portico',
    PIX_API_CLIENT_SECRET: 'hunter2',
    PIX_API_CERT: 'client.crt',
    PIX_API_KEY: 'client.key',
    PIX_KEY: '+55 (51) 99825-9765',
  }
  t.deepEqual(lines(settings), [])
  t.like(readEnvironment(settings), { PIX_API_URL: 'https://pix.example.com/api/v2', PIX_KEY: '+5551998259765' })
  for (const name of Object.keys(settings).slice(1))
    t.deepEqual(lines({ ...settings, [name]: ' ' }), [`${name}: got nothing, but BANK=pix-api requires it`])
  t.is(lines({ BANK: 'pix-api' }).length, 7)
  t.deepEqual(unknownVariables({ PIX_API_CERTS: 'x' }, VARIABLES), [
    'PIX_API_CERTS is not a variable of Portico: did you mean PIX_API_CERT?',
  ])
})

test('shows no wrong secret', (t) => {
  for (const [name, value] of [
    ['JWT_SECRET', 'too short'],
    ['DATA_KEY', 'c2hvcnQ='],
    ['SMTP_URL', 'http://user:hunter2@host'],
  ] as const) {
    const [line = ''] = lines({ [name]: value })
    t.true(line.startsWith(`${name}: got a secret, accepts `), line)
    t.false(line.includes(value))
  }
})

/** An accepted value of each setting that is secret or has a secret part. */
const SECRETS = {
  STORE_URL: 'mongodb://ana:hunter2@db.example.com/portico',
  JWT_SECRET: 'a secret of the tests, long enough to sign with',
  DATA_KEY: Buffer.alloc(32, 2).toString('base64'),
  SMTP_URL: 'smtp://ana:hunter2@mail.example.com',
  PIX_API_CLIENT_SECRET: 'hunter2',
  IDENTITY_API_KEY: 'hunter3',
  BOLETO_SEARCH_CODE: 'hunter4',
  OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20hunter5, x-tenant = 7',
}

test('reads each secret from its variable or from a file, but not from both', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'portico-secrets-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const inFile = (text: string): string => {
    const path = join(folder, 'secret')
    writeFileSync(path, text)
    return path
  }
  const provider = { IDENTITY_ISSUER: 'i', IDENTITY_AUDIENCE: 'a', IDENTITY_JWKS_URL: 'https://id.example.com/keys' }
  const beside = { ...provider, JWT_SECRET: SECRETS.JWT_SECRET, DATA_KEY: SECRETS.DATA_KEY }
  for (const [name, value] of Object.entries(SECRETS)) {
    const env = { ...beside, [name]: ' ' }
    const file = `${name}_FILE`
    const expected = readEnvironment({ ...env, [name]: value })
    t.deepEqual(readEnvironment({ ...env, [file]: inFile(`${value}\r\n`) }), expected)
    t.deepEqual(lines({ ...env, [name]: value, [file]: inFile(value) }), [
      `${file}: ${name} is set too: remove one of the two`,
    ])
    const [missing, empty] = [join(folder, 'missing'), inFile('\n')]
    t.deepEqual(lines({ ...env, [file]: missing }), [`${file}: ${missing} cannot be read (ENOENT)`])
    t.deepEqual(lines({ ...env, [file]: folder }), [`${file}: ${folder} cannot be read (EISDIR)`])
    t.deepEqual(lines({ ...env, [file]: empty }), [`${file}: ${empty} is empty`])
  }
  t.deepEqual(
    VARIABLES.filter((name) => name.endsWith('_FILE')).toSorted(),
    Object.keys(SECRETS)
      .map((name) => `${name}_FILE`)
      .toSorted(),
  )
  t.regex(lines({ DATA_KEY_FILE: inFile('hunter2') })[0] ?? '', /^DATA_KEY_FILE: got a secret, accepts 32 bytes/)
})

test('hides the password of a rejected address', (t) => {
  for (const [name, address, shown] of [
    ['PUBLIC_URL', 'https://ana:hunter2@pay.example.com', 'https://…@pay.example.com'],
    ['PUBLIC_URL', 'ana:hunt/er2@pay.example.com', '…@pay.example.com'],
    ['STORE_URL', 'mongo://ana:hunt@er2@db.example.com/portico', 'mongo://…@db.example.com/portico'],
    ['CORS_ORIGINS', 'https://a.example,https://ana:hunter2@b.example', 'https://…@b.example'],
  ] as const)
    t.true(
      lines({ [name]: address })[0]?.startsWith(`${name}: got "${shown}", accepts `),
      lines({ [name]: address })[0],
    )
})

test('accepts names and addresses as HOST', (t) => {
  for (const HOST of ['localhost', 'Pay_1.Example.com', '0.0.0.0', '::', 'fe80::1%eth0'])
    t.is(readEnvironment({ HOST }).HOST, HOST)
})

test('treats blank variables as missing', (t) => {
  t.like(readEnvironment({ HOST: ' ', PAYMENTS_PORT: '' }), {
    HOST: '127.0.0.1',
    PAYMENTS_PORT: 3000,
    ALERTS_AT: '07:00',
  })
})

test('lets staff register itself as set, by default except in production', (t) => {
  for (const [NODE_ENV, said, isOpen] of [
    ['development', null, true],
    ['test', null, true],
    ['production', null, false],
    ['production', true, true],
    ['development', false, false],
  ] as const)
    t.is(isRegistrationOpen({ NODE_ENV, OPEN_REGISTRATION: said }), isOpen)
})

const typos: readonly [string, string][] = [
  ['PAYMENT_PORT', 'PAYMENTS_PORT'],
  ['REALESTATE_PORT', 'REAL_ESTATE_PORT'],
  ['payments_port', 'PAYMENTS_PORT'],
  ['PAYMENTS_HOST', 'PAYMENTS_PORT'],
  ['NODE_EVN', 'NODE_ENV'],
  ['STORE_URI', 'STORE_URL'],
  ['SMTP_HOST', 'SMTP_URL'],
  ['PUBLIC_URL_FILE', 'PUBLIC_URL'],
  ['JWT_SECRET_FIEL', 'JWT_SECRET_FILE'],
  ['DATA_KEYS', 'DATA_KEY'],
  ['RATE_LIMIT_PER_SECOND', 'RATE_LIMIT_PER_MINUTE'],
  ['LOGLEVEL', 'LOG_LEVEL'],
]

test('names the variable that a misspelt one resembles, without its value', (t) => {
  for (const [name, meant] of typos)
    t.deepEqual(unknownVariables({ [name]: 'hunter2', PATH: '/bin' }, VARIABLES), [
      `${name} is not a variable of Portico: did you mean ${meant}?`,
    ])
  t.is(unknownVariables({ PAYMENT_PORT: '1', DATA_DRI: './x' }, VARIABLES).length, 2)
})

test('ignores variables of other programs, and blank and known ones', (t) => {
  const others =
    'PORT HOME HOSTNAME HOSTS MAIL MAILTO BANKS NODE_OPTIONS NODE_PATH NODE_VERSION HTTP_PROXY LANG LOGNAME'
  const ofKubernetes = 'PAYMENTS_SERVICE_HOST PAYMENTS_SERVICE_PORT PAYMENTS_PORT_80_TCP PAYMENTS_PORT_80_TCP_PORT'
  const env = Object.fromEntries([...others.split(' '), ...ofKubernetes.split(' ')].map((name) => [name, 'x']))
  t.deepEqual(unknownVariables({ ...env, PAYMENT_PORT: ' ', PAYMENTS_PORT: '1', HOST: 'x' }, VARIABLES), [])
})
