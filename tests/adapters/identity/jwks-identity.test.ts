import test, { type ExecutionContext } from 'ava'
import { remoteKeys } from '../../../adapters/identity/jwks-identity.ts'
import { jwtIdentity } from '../../../adapters/identity/jwt-identity.ts'
import { epochSeconds } from '../../../core/kernel/values/day.ts'
import { IdentityUnavailable } from '../../../core/ports/identity.ts'
import { keyServer, keysAnswer, type TestKey, testKey } from './key-server.ts'

const NOW = '2026-11-23T13:05:09.123Z'
const issuer = 'https://id.example.com'
const audience = 'aurora'
const iat = epochSeconds(NOW)
const CLAIMS = { iss: issuer, aud: audience, sub: 'ana', iat, exp: iat + 3_600 }
const MINUTE = 60_000
const HOUR = 60 * MINUTE

const [first, second, third] = [testKey('k1'), testKey('k2', 'RS256'), testKey('k3')]

/** So long that whoever waits for it, where nobody should, waits beyond the end of the test. */
const ENDLESS_MS = 600_000

/** A provider that asks a server of keys, by a clock that is set. */
const openKeys = async (t: ExecutionContext, keys: readonly TestKey[], timeoutMs = 2_500) => {
  const server = await keyServer(t, keysAnswer(...keys))
  const said: string[] = []
  const time = { now: 0 }
  const identity = jwtIdentity({
    issuer,
    audience,
    keys: remoteKeys({
      url: server.url,
      timeoutMs,
      elapsed: () => time.now,
      report: (line) => said.push(line.replace(/http\S*keys/, 'URL')),
    }),
  })
  /** The user whose token it is, null for none, or that nobody knows. */
  const verify = async (key: TestKey): Promise<string | null> => {
    try {
      return (await identity.verify(await key.sign(CLAIMS), NOW))?.uid ?? null
    } catch (error) {
      if (error instanceof IdentityUnavailable) return 'unavailable'
      throw error
    }
  }
  return { server, said, time, verify }
}

test('keys are asked for once in ten minutes, however many tokens come', async (t) => {
  const { server, time, verify } = await openKeys(t, [first, second])
  const tokens = Array.from({ length: 20 }, (_, index) => verify(index % 2 === 0 ? first : second))
  t.deepEqual([...new Set(await Promise.all(tokens))], ['ana'])
  t.is(server.asked, 1)
  time.now = 10 * MINUTE - 1
  t.is(await verify(first), 'ana')
  t.is(server.asked, 1)
  time.now = 10 * MINUTE
  t.is(await verify(first), 'ana')
  t.is(server.asked, 2)
})

test('a key that is new is taken at once, and one that is gone for ten minutes at most', async (t) => {
  const { server, time, verify } = await openKeys(t, [first])
  t.is(await verify(first), 'ana')
  time.now = MINUTE
  server.answer = keysAnswer(second)
  t.is(await verify(second), 'ana')
  t.is(await verify(first), null)
  server.answer = keysAnswer(third)
  time.now += 10 * MINUTE
  t.is(await verify(second), null)
  t.is(await verify(third), 'ana')
})

test('tokens of keys that there are not make one request in half a minute', async (t) => {
  const { server, time, verify } = await openKeys(t, [first])
  t.is(await verify(first), 'ana')
  const strangers = async (count: number) =>
    Promise.all(Array.from({ length: count }, () => verify(second))).then((got) => [...new Set(got)])
  t.deepEqual(await strangers(10), [null])
  t.is(server.asked, 1)
  time.now = 30_000
  t.deepEqual(await strangers(10), [null])
  t.is(server.asked, 2)
  t.is(await verify(first), 'ana')
  t.deepEqual(await strangers(10), [null])
  t.is(server.asked, 2)
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
  test(`a provider that answers ${name} leaves the keys that it had serving for a day`, async (t) => {
    const { server, said, time, verify } = await openKeys(t, [first])
    t.is(await verify(first), 'ana')
    server.answer = answer
    time.now = 10 * MINUTE
    t.is(await verify(first), 'ana')
    t.is(server.asked, 2)
    t.deepEqual([await verify(first), await verify(second), server.asked], ['ana', null, 2])
    t.is(said.length, 1)
    t.regex(said[0] ?? '', /^the keys of the identity provider are unavailable at URL: \S/)
    time.now = 24 * HOUR - 1
    t.is(await verify(first), 'ana')
    time.now = 24 * HOUR + MINUTE
    t.is(await verify(first), 'unavailable')
    server.answer = keysAnswer(second)
    time.now += MINUTE
    t.is(await verify(second), 'ana')
    t.is(await verify(first), null)
    t.deepEqual(said.slice(1), ['the keys of the identity provider are available again at URL'])
  })

test('a provider that never answered is asked every five seconds at most, and nobody is let in', async (t) => {
  const { server, said, time, verify } = await openKeys(t, [])
  const all = () => Promise.all([first, second, first].map(verify))
  t.deepEqual(await all(), ['unavailable', 'unavailable', 'unavailable'])
  t.deepEqual(await all(), ['unavailable', 'unavailable', 'unavailable'])
  t.is(server.asked, 1)
  time.now = 5_000
  t.deepEqual(await all(), ['unavailable', 'unavailable', 'unavailable'])
  t.is(server.asked, 2)
  t.is(said.length, 1)
  server.answer = keysAnswer(first)
  time.now = 10_000
  t.deepEqual(await all(), ['ana', null, 'ana'])
})

test('nobody waits for a silent provider whom old keys serve', async (t) => {
  const { server, time, verify } = await openKeys(t, [first], ENDLESS_MS)
  await verify(first)
  server.answer = (response) => void response.writeHead(500).end()
  time.now = 10 * MINUTE
  t.is(await verify(first), 'ana')
  // It is asked all the same, by the way.
  const asked = new Promise<void>((resolve) => {
    server.answer = () => resolve()
  })
  time.now = 20 * MINUTE
  t.is(await verify(first), 'ana')
  await asked
  t.is(server.asked, 3)
})

test('a provider that cannot be reached is no provider with other keys', async (t) => {
  const { server, verify } = await openKeys(t, [first])
  server.close()
  t.is(await verify(first), 'unavailable')
})
