import test, { type ExecutionContext } from 'ava'
import { jwtIdentity } from '../../../adapters/identity/jwt-identity.ts'
import { remoteKeys } from '../../../adapters/identity/remote-keys.ts'
import { epochSeconds } from '../../../core/kernel/values/day.ts'
import { IdentityUnavailable } from '../../../core/ports/identity.ts'
import { answerKeys, keyServer, type TestKey, testKey } from './key-server.ts'

const NOW = '2026-11-23T13:05:09.123Z'
const issuer = 'https://id.example.com'
const audience = 'aurora'
const iat = epochSeconds(NOW)
const CLAIMS = { iss: issuer, aud: audience, sub: 'ana', iat, exp: iat + 3_600 }
const MINUTE = 60_000
const HOUR = 60 * MINUTE

const [first, second, third] = [testKey('k1'), testKey('k2', 'RS256'), testKey('k3')]

/** Longer than the test: a wait for the provider fails it. */
const ENDLESS_MS = 600_000

/** An identity provider with a key server and a manual clock. */
const openKeys = async (t: ExecutionContext, keys: readonly TestKey[], timeoutMs = 1_000) => {
  const server = await keyServer(t, answerKeys(...keys))
  const lines: string[] = []
  const time = { now: 0 }
  const identity = jwtIdentity({
    issuer,
    audience,
    keys: remoteKeys({
      url: server.url,
      timeoutMs,
      elapsed: () => time.now,
      report: (line) => lines.push(line.replace(/http\S*keys/, 'URL')),
    }),
  })
  /** The user of a token of a key; null if it is invalid, `unavailable` without keys. */
  const verify = async (key: TestKey): Promise<string | null> => {
    try {
      return (await identity.verify(await key.sign(CLAIMS), NOW))?.uid ?? null
    } catch (error) {
      if (error instanceof IdentityUnavailable) return 'unavailable'
      throw error
    }
  }
  return { server, lines, time, verify }
}

test('requests the keys once in ten minutes', async (t) => {
  const { server, time, verify } = await openKeys(t, [first, second])
  const tokens = Array.from({ length: 20 }, (_, index) => verify(index % 2 === 0 ? first : second))
  t.deepEqual([...new Set(await Promise.all(tokens))], ['ana'])
  t.is(server.requests, 1)
  time.now = 10 * MINUTE - 1
  t.is(await verify(first), 'ana')
  t.is(server.requests, 1)
  time.now = 10 * MINUTE
  t.is(await verify(first), 'ana')
  t.is(server.requests, 2)
})

test('accepts a new key at once, and a removed one for ten minutes at most', async (t) => {
  const { server, time, verify } = await openKeys(t, [first])
  t.is(await verify(first), 'ana')
  time.now = MINUTE
  server.answer = answerKeys(second)
  t.is(await verify(second), 'ana')
  t.is(await verify(first), null)
  server.answer = answerKeys(third)
  time.now += 10 * MINUTE
  t.is(await verify(second), null)
  t.is(await verify(third), 'ana')
})

test('tokens of unknown keys cause one request in half a minute', async (t) => {
  const { server, time, verify } = await openKeys(t, [first])
  t.is(await verify(first), 'ana')
  const verifyUnknown = async (count: number) =>
    Promise.all(Array.from({ length: count }, () => verify(second))).then((got) => [...new Set(got)])
  t.deepEqual(await verifyUnknown(10), [null])
  t.is(server.requests, 1)
  time.now = 30_000
  t.deepEqual(await verifyUnknown(10), [null])
  t.is(server.requests, 2)
  t.is(await verify(first), 'ana')
  t.deepEqual(await verifyUnknown(10), [null])
  t.is(server.requests, 2)
})

const faults: Readonly<Record<string, Parameters<typeof keyServer>[1]>> = {
  'an error': (response) => void response.writeHead(500).end('{"keys":[]}'),
  'no keys': (response) => void response.end('{"keys":[]}'),
  'keys of other kinds': (response) => void response.end('{"keys":[{"kty":"oct","k":"AA"},null,7,{"kty":"OKP"}]}'),
  'a private key': (response) => void response.end(JSON.stringify({ keys: [{ ...first.jwk, d: 'AA' }] })),
  'no JSON': (response) => void response.end('<html>'),
  'a list': (response) => void response.end('[]'),
  nothing: (response) => void response.end(),
  'a redirect': (response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
  'a megabyte': (response) => void response.end(`{"keys":[],"x":"${'x'.repeat(1_048_576)}"}`),
  silence: () => {},
  'half an answer': (response) => void response.write('{"keys":['),
  'a broken connection': (response) => void response.destroy(),
}

for (const [name, answer] of Object.entries(faults))
  test(`keeps the keys for a day if the provider answers ${name}`, async (t) => {
    const { server, lines, time, verify } = await openKeys(t, [first])
    t.is(await verify(first), 'ana')
    server.answer = answer
    time.now = 10 * MINUTE
    t.is(await verify(first), 'ana')
    t.is(server.requests, 2)
    t.deepEqual([await verify(first), await verify(second), server.requests], ['ana', null, 2])
    t.is(lines.length, 1)
    t.regex(lines[0] ?? '', /^the keys of the identity provider are unavailable at URL: \S/)
    time.now = 24 * HOUR - 1
    t.is(await verify(first), 'ana')
    time.now = 24 * HOUR + MINUTE
    t.is(await verify(first), 'unavailable')
    server.answer = answerKeys(second)
    time.now += MINUTE
    t.is(await verify(second), 'ana')
    t.is(await verify(first), null)
    t.deepEqual(lines.slice(1), ['the keys of the identity provider are available again at URL'])
  })

test('without keys, requests them every five seconds at most, and is unavailable', async (t) => {
  const { server, lines, time, verify } = await openKeys(t, [])
  const all = () => Promise.all([first, second, first].map(verify))
  t.deepEqual(await all(), ['unavailable', 'unavailable', 'unavailable'])
  t.deepEqual(await all(), ['unavailable', 'unavailable', 'unavailable'])
  t.is(server.requests, 1)
  time.now = 5_000
  t.deepEqual(await all(), ['unavailable', 'unavailable', 'unavailable'])
  t.is(server.requests, 2)
  t.is(lines.length, 1)
  server.answer = answerKeys(first)
  time.now = 10_000
  t.deepEqual(await all(), ['ana', null, 'ana'])
})

test('does not wait for a failed provider while the keys are valid', async (t) => {
  const { server, time, verify } = await openKeys(t, [first], ENDLESS_MS)
  await verify(first)
  server.answer = (response) => void response.writeHead(500).end()
  time.now = 10 * MINUTE
  t.is(await verify(first), 'ana')
  // The request is sent nevertheless.
  const requested = new Promise<void>((resolve) => {
    server.answer = () => resolve()
  })
  time.now = 20 * MINUTE
  t.is(await verify(first), 'ana')
  await requested
  t.is(server.requests, 3)
})

test('is unavailable if the first request fails', async (t) => {
  const { server, verify } = await openKeys(t, [first])
  server.close()
  t.is(await verify(first), 'unavailable')
})
