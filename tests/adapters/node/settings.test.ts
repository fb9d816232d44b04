import test from 'ava'
import {
  address,
  anyText,
  flag,
  listOf,
  matching,
  oneOf,
  optional,
  origin,
  portNumber,
  readSettings,
  secret,
  secretBytes,
  secretText,
  wholeNumber,
  withDefault,
} from '../../../adapters/node/settings.ts'
import { left, right } from '../../../core/failure.ts'

const table = {
  HOST: withDefault(anyText(), '127.0.0.1'),
  PORT: withDefault(portNumber(), 3000),
  MODE: withDefault(oneOf(['development', 'production']), 'development'),
  TRUST: withDefault(flag(), false),
  ORIGINS: withDefault(listOf(origin()), []),
  DAY: optional(wholeNumber({ min: 1, max: 28 })),
  AT: withDefault(matching(/^([01]\d|2[0-3]):[0-5]\d$/, 'a time such as 07:00'), '07:00'),
  URL: optional(address(['http:', 'https:'])),
  JWT: optional(secretText({ minBytes: 32 })),
  KEY: optional(secretBytes({ bytes: 32 })),
  STORE: withDefault(secret(address(['mongodb:', 'sqlite:'])), 'sqlite:./data'),
}

test('returns the defaults if nothing is set', (t) => {
  const unset = { DAY: null, URL: null, JWT: null, KEY: null }
  const named = { HOST: '127.0.0.1', PORT: 3000, MODE: 'development', TRUST: false, ORIGINS: [], AT: '07:00' }
  const usual = { ...named, ...unset, STORE: 'sqlite:./data' }
  t.deepEqual(readSettings(table, {}), right(usual as never))
  t.deepEqual(readSettings(table, { PORT: '', MODE: '  ' }), right(usual as never))
})

const ACCEPTED: Readonly<Record<string, readonly [text: string, value: unknown]>> = {
  HOST: ['::1', '::1'],
  PORT: ['0', 0],
  MODE: ['production', 'production'],
  TRUST: ['true', true],
  ORIGINS: ['https://a.example.com, http://localhost:5173,', ['https://a.example.com', 'http://localhost:5173']],
  DAY: ['28', 28],
  AT: ['23:59', '23:59'],
  URL: ['https://api.example.com/', 'https://api.example.com'],
  JWT: ['ç'.repeat(16), 'ç'.repeat(16)],
  KEY: [Buffer.alloc(32, 1).toString('base64'), new Uint8Array(32).fill(1)],
  STORE: ['mongodb://user:pass@host/db', 'mongodb://user:pass@host/db'],
}

const entriesOf = <A, B>(rows: Readonly<Record<string, readonly [A, B]>>, at: 0 | 1) =>
  Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, row[at]]))

test('reads accepted values', (t) => {
  t.deepEqual(readSettings(table, entriesOf(ACCEPTED, 0) as never), right(entriesOf(ACCEPTED, 1) as never))
})

const REJECTED: Readonly<Record<string, readonly [text: string, accepts: string]>> = {
  PORT: ['65536', 'an integer from 0 to 65535'],
  MODE: ['Production', 'development or production'],
  TRUST: ['yes', 'true or false'],
  ORIGINS: ['https://a.example.com/path', 'a comma-separated list: each an origin such as https://app.example.com'],
  DAY: ['1e1', 'an integer from 1 to 28'],
  AT: ['7:00', 'a time such as 07:00'],
  URL: ['ftp://x', 'an absolute address that begins with http:// or https://'],
}

test('returns a line for each wrong value: its name, the received and the accepted values', (t) => {
  const lines = Object.entries(REJECTED).map(([name, [text, accepts]]) => `${name}: got "${text}", accepts ${accepts}`)
  t.deepEqual(readSettings(table, entriesOf(REJECTED, 0) as never), left(lines))
})

test('shows no secret, and names missing settings', (t) => {
  t.deepEqual(
    readSettings(
      { JWT: secretText({ minBytes: 32 }), KEY: secretBytes({ bytes: 32 }), STORE: table.STORE, NAME: anyText() },
      { JWT: 'hunter2', KEY: 'aHVudGVyMg==', STORE: 'postgres://root:hunter2@host' },
    ),
    left([
      'JWT: got a secret, accepts at least 32 bytes',
      'KEY: got a secret, accepts 32 bytes in base64',
      'STORE: got a secret, accepts an absolute address that begins with mongodb:// or sqlite://',
      'NAME: got nothing, accepts any text',
    ]),
  )
})
