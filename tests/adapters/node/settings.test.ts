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

test('reads accepted values', (t) => {
  const got = readSettings(table, {
    HOST: '::1',
    PORT: '0',
    MODE: 'production',
    TRUST: 'true',
    ORIGINS: 'https://a.example.com, http://localhost:5173,',
    DAY: '28',
    AT: '23:59',
    URL: 'https://api.example.com/',
    JWT: 'ç'.repeat(16),
    KEY: Buffer.alloc(32, 1).toString('base64'),
    STORE: 'mongodb://user:pass@host/db',
  })
  t.deepEqual(
    got,
    right({
      HOST: '::1',
      PORT: 0,
      MODE: 'production',
      TRUST: true,
      ORIGINS: ['https://a.example.com', 'http://localhost:5173'],
      DAY: 28,
      AT: '23:59',
      URL: 'https://api.example.com',
      JWT: 'ç'.repeat(16),
      KEY: new Uint8Array(32).fill(1),
      STORE: 'mongodb://user:pass@host/db',
    } as never),
  )
})

test('returns a line for each wrong value: its name, the received and the accepted values', (t) => {
  const got = readSettings(table, {
    PORT: '65536',
    MODE: 'Production',
    TRUST: 'yes',
    ORIGINS: 'https://a.example.com/path',
    DAY: '1e1',
    AT: '7:00',
    URL: 'ftp://x',
  })
  t.deepEqual(
    got,
    left([
      'PORT: got "65536", accepts an integer from 0 to 65535',
      'MODE: got "Production", accepts development or production',
      'TRUST: got "yes", accepts true or false',
      'ORIGINS: got "https://a.example.com/path", accepts a comma-separated list: each an origin such as https://app.example.com',
      'DAY: got "1e1", accepts an integer from 1 to 28',
      'AT: got "7:00", accepts a time such as 07:00',
      'URL: got "ftp://x", accepts an absolute address that begins with http:// or https://',
    ]),
  )
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
