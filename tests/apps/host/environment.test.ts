import test from 'ava'
import { CannotStart, readEnvironment, VARIABLES } from '../../../apps/host/environment.ts'
import { unknownVariables } from '../../../apps/host/unknown-variables.ts'

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
  ['CORS_ORIGINS', 'https://a.example/path', /^CORS_ORIGINS: got /],
  ['TRUST_PROXY', 'yes', /^TRUST_PROXY: got "yes", accepts true or false$/],
  ['WEBHOOKS_ALLOW_PRIVATE', '1', /^WEBHOOKS_ALLOW_PRIVATE: got "1", accepts true or false$/],
  ['LOG_LEVEL', 'loud', /^LOG_LEVEL: got "loud", accepts /],
  ['BANK', 'real', /^BANK: got "real", accepts fake$/],
  ['ALERTS_AT', '7:00', /^ALERTS_AT: got "7:00", accepts a time of day such as 07:00$/],
  ['ALERTS_AT', '24:00', /^ALERTS_AT: /],
  ['ALERTS_AT', '07:60', /^ALERTS_AT: /],
  ['MAIL_FROM', 'nobody', /^MAIL_FROM: got "nobody", accepts a sender such as /],
  ['HOST', 'example.com:80', /^HOST: got /],
  ['NODE_ENV', 'staging', /^NODE_ENV: got "staging", accepts /],
]

test('a wrong value is one line: the variable, what it got and what it accepts', (t) => {
  for (const [name, value, line] of wrong) {
    const [first = '', ...more] = lines({ [name]: value })
    t.regex(first, line)
    t.deepEqual(more, [])
  }
})

test('a wrong secret is never shown', (t) => {
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

test('a password in an address that is refused is not shown', (t) => {
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

test('every wrong value is named at once', (t) => {
  t.is(lines({ PAYMENTS_PORT: '-1', BANK: 'x', LOG_LEVEL: 'x' }).length, 3)
})

test('production asks for both secrets', (t) => {
  t.deepEqual(
    lines({ NODE_ENV: 'production' }).map((line) => line.split(':')[0]),
    ['JWT_SECRET', 'DATA_KEY'],
  )
})

test('HOST is a name or an address, however written', (t) => {
  for (const HOST of ['localhost', 'Pay_1.Example.com', '0.0.0.0', '::', 'fe80::1%eth0'])
    t.is(readEnvironment({ HOST }).HOST, HOST)
})

test('blank variables are not set', (t) => {
  t.like(readEnvironment({ HOST: ' ', PAYMENTS_PORT: '' }), {
    HOST: '127.0.0.1',
    PAYMENTS_PORT: 3000,
    ALERTS_AT: '07:00',
  })
})

const slips: readonly [string, string][] = [
  ['PAYMENT_PORT', 'PAYMENTS_PORT'],
  ['REALESTATE_PORT', 'REAL_ESTATE_PORT'],
  ['payments_port', 'PAYMENTS_PORT'],
  ['PAYMENTS_HOST', 'PAYMENTS_PORT'],
  ['NODE_EVN', 'NODE_ENV'],
  ['STORE_URI', 'STORE_URL'],
  ['SMTP_HOST', 'SMTP_URL'],
  ['JWT_SECRET_FILE', 'JWT_SECRET'],
  ['DATA_KEYS', 'DATA_KEY'],
  ['RATE_LIMIT_PER_SECOND', 'RATE_LIMIT_PER_MINUTE'],
  ['LOGLEVEL', 'LOG_LEVEL'],
]

test('a variable that looks like ours and is none is one line with the name that was meant, never with its value', (t) => {
  for (const [name, meant] of slips)
    t.deepEqual(unknownVariables({ [name]: 'hunter2', PATH: '/bin' }, VARIABLES), [`${name} is not known: ${meant}?`])
  t.is(unknownVariables({ PAYMENT_PORT: '1', DATA_DRI: './x' }, VARIABLES).length, 2)
})

test('what other programs use is not warned of, nor what is blank or known', (t) => {
  const others =
    'PORT HOME HOSTNAME HOSTS MAIL MAILTO BANKS NODE_OPTIONS NODE_PATH NODE_VERSION HTTP_PROXY LANG LOGNAME'
  const ofKubernetes = 'PAYMENTS_SERVICE_HOST PAYMENTS_SERVICE_PORT PAYMENTS_PORT_80_TCP PAYMENTS_PORT_80_TCP_PORT'
  const env = Object.fromEntries([...others.split(' '), ...ofKubernetes.split(' ')].map((name) => [name, 'x']))
  t.deepEqual(unknownVariables({ ...env, PAYMENT_PORT: ' ', PAYMENTS_PORT: '1', HOST: 'x' }, VARIABLES), [])
})
