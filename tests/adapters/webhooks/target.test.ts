import test, { type ExecutionContext } from 'ava'
import fc from 'fast-check'
import { type HttpSenderOptions, httpSender } from '../../../adapters/webhooks/http-sender.ts'
import { isPublicAddress, type NameServers, parseTarget, resolveHost } from '../../../adapters/webhooks/target.ts'
import { receiver } from './receiver.ts'

/** Enough for the engine to optimize the code. */
const CALLS = 10_000

test('parses a host with non-ASCII letters in every call', (t) => {
  const wrong: string[] = []
  for (let call = 0; call < CALLS; call += 1) {
    // A parsed text, as from a store: the engine represents concatenated texts differently.
    const text: string = JSON.parse(`"https://ação${call % 7}.example/hook"`)
    try {
      if (!parseTarget(text, true).hostname.startsWith('xn--')) wrong.push(text)
    } catch (error) {
      wrong.push(`${text}, call ${call}: ${error}`)
    }
  }
  t.deepEqual(wrong.slice(0, 3), [])
})

const words = (text: string): readonly string[] => text.trim().split(/\s+/)

const PUBLIC = words(`
  1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 172.15.255.255 172.32.0.0 192.167.255.255
  192.169.0.0 223.255.255.255 2001:4860:4860::8888 2606:4700:4700::1111 2804:14c::1 ::ffff:8.8.8.8 64:ff9b::8.8.8.8
`)
const SPECIAL = words(`
  0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 100.127.255.255 127.0.0.1 127.255.255.255 169.254.169.254
  172.16.0.1 172.31.255.255 192.0.0.1 192.0.2.1 192.88.99.1 192.168.0.1 198.18.0.1 198.51.100.1 203.0.113.1 224.0.0.1
  239.255.255.255 240.0.0.1 255.255.255.255 :: ::1 ::127.0.0.1 ::8.8.8.8 ::ffff:127.0.0.1 ::ffff:10.0.0.1
  ::ffff:169.254.169.254 ::ffff:0:8.8.8.8 64:ff9b::127.0.0.1 64:ff9b::10.0.0.1 64:ff9b:1::8.8.8.8 100::1 2001::1
  2001:2::1 2001:10::1 2001:20::1 2001:db8::1 2002:7f00:1::1 2002:808:808::1 3fff::1 4000::1 5f00::1 fc00::1 fd00::1
  fd00:ec2::254 fe80::1 fe80::1%eth0 fec0::1 ff02::1
`)

const NO_ADDRESSES = [
  ...words('localhost example.com [::1] 1.1.1.1/8 1.1.1.1.1 ::g 8.8 010.8.8.8 0x8.8.8.8 134744072'),
  ...['', '8.8.8.8 '],
]

test('reports public addresses as public, and special ones and other texts as not public', (t) => {
  for (const address of PUBLIC) t.true(isPublicAddress(address), address)
  for (const address of [...SPECIAL, ...NO_ADDRESSES]) t.false(isPublicAddress(address), address)
})

test('an IPv4 address in IPv6 is as public as by itself', (t) => {
  const isEqual = fc.property(fc.ipV4(), (address) => {
    const alone = isPublicAddress(address)
    return alone === isPublicAddress(`::ffff:${address}`) && alone === isPublicAddress(`64:ff9b::${address}`)
  })
  t.notThrows(() => fc.assert(isEqual, { numRuns: 1000 }))
})

const failing = (code: string) => async (): Promise<never> => {
  throw Object.assign(new Error(code), { code })
}

const servers = (four: () => Promise<string[]>, six: () => Promise<string[]> = failing('ENODATA')): NameServers =>
  ({ resolve4: four, resolve6: six }) as unknown as NameServers

test('returns the addresses of both families, or of one if the other has none', async (t) => {
  const [four, six] = [async () => ['192.0.2.1', '192.0.2.2'], async () => ['2001:db8::1']]
  t.deepEqual(await resolveHost('a.test', servers(four, six)), ['192.0.2.1', '192.0.2.2', '2001:db8::1'])
  t.deepEqual(await resolveHost('a.test', servers(four)), ['192.0.2.1', '192.0.2.2'])
  t.deepEqual(await resolveHost('a.test', servers(failing('ETIMEOUT'), six)), ['2001:db8::1'])
})

test('asks the system for names unknown to the name servers, or without name servers', async (t) => {
  for (const code of ['ENOTFOUND', 'ENODATA', 'ECONNREFUSED'])
    t.true((await resolveHost('localhost', servers(failing(code)))).includes('127.0.0.1'), code)
})

test('does not ask the system for a name whose servers fail', async (t) => {
  for (const code of ['ETIMEOUT', 'ESERVFAIL'])
    await t.throwsAsync(resolveHost('localhost', servers(failing(code))), { message: code })
})

/** An unassigned public address, where nothing answers. */
const UNASSIGNED = '2d00::1'

const guarded = (t: ExecutionContext, options: Partial<HttpSenderOptions> = {}) => {
  const made = httpSender({ allowPrivate: false, timeoutMs: 5_000, ...options })
  t.teardown(() => made.close())
  return made
}

const recordedLookup = (answer: (count: number) => string[]) => {
  const names: string[] = []
  const lookup = async (hostname: string) => answer(names.push(hostname))
  return { names, lookup }
}

const PRIVATE = { error: 'private address: only WEBHOOKS_ALLOW_PRIVATE=true allows it' }

const webhook = (url: string) => ({ url, headers: {}, body: '{}' })

const LITERALS = words(`
  127.0.0.1 127.1 127.0.1 0 0.0.0.0 2130706433 0x7f.1 0x7f000001 0X7F.0.0.1 017700000001 0177.0.0.1 127.0.0.1.
  %31%32%37.0.0.1 １２７.０.０.１ ①②⑦.0.0.1 127。0。0。1 [::1] [::] [0:0:0:0:0:0:0:1] [::127.0.0.1] [::ffff:127.0.0.1]
  [::ffff:7f00:1] [64:ff9b::127.0.0.1] [2002:7f00:1::] [fe80::1] [fd00::1] [fc00::1] [fec0::1] [ff02::1] [2001:db8::1]
  10.0.0.1 10.255.255.255 172.16.0.1 172.31.255.254 192.168.0.1 100.64.0.1 169.254.169.254 192.0.2.1 198.18.0.1
  224.0.0.1 240.0.0.1 255.255.255.255
`)

test('refuses private addresses in any notation', async (t) => {
  const { port, connections } = await receiver(t)
  const { post } = guarded(t)
  for (const host of LITERALS) {
    for (const url of [`http://${host}:${port}/`, `https://${host}:${port}/`, `http://${host}/`]) {
      t.deepEqual(await post(webhook(url)), PRIVATE, url)
    }
  }
  t.is(connections(), 0)
})

test('refuses names of private addresses', async (t) => {
  const { port, connections } = await receiver(t)
  const { post } = guarded(t)
  for (const host of ['localhost', 'LOCALHOST', 'loc%61lhost', 'localhost.']) {
    const answer = await post(webhook(`http://${host}:${port}/`))
    // Not every system's resolver knows the last form of it.
    t.true('error' in answer && [PRIVATE.error, 'dns'].includes(answer.error), host)
  }
  for (const address of ['127.0.0.1', '10.0.0.1', '169.254.169.254', '::1', '::ffff:127.0.0.1', 'fd00::1']) {
    const { post } = guarded(t, { lookup: async () => [address] })
    t.deepEqual(await post(webhook(`http://metadata.test:${port}/`)), PRIVATE, address)
  }
  t.is(connections(), 0)
})

test('refuses a name with one private address among public ones', async (t) => {
  const { port, connections } = await receiver(t)
  for (const addresses of [
    [UNASSIGNED, '127.0.0.1'],
    ['127.0.0.1', UNASSIGNED],
    ['8.8.8.8', UNASSIGNED, '::1'],
    ['8.8.8.8', 'not an address'],
  ]) {
    const { post } = guarded(t, { lookup: async () => addresses })
    t.deepEqual(await post(webhook(`http://mixed.test:${port}/`)), PRIVATE, addresses.join())
  }
  t.is(connections(), 0)
})

test('connects to the checked addresses, even if the name resolves differently afterwards', async (t) => {
  const { port, connections } = await receiver(t)
  const { names, lookup } = recordedLookup((count) => [count === 1 ? UNASSIGNED : '127.0.0.1'])
  const { post } = guarded(t, { lookup })
  const answer = await post(webhook(`http://rebinding.test:${port}/`))
  t.true('error' in answer && ['network', 'timeout'].includes(answer.error), JSON.stringify(answer))
  t.deepEqual(names, ['rebinding.test'])
  t.deepEqual(await post(webhook(`http://rebinding.test:${port}/`)), PRIVATE)
  t.is(connections(), 0)
})

test('connects to the resolved address with the host name of the URL', async (t) => {
  const { port, seen } = await receiver(t)
  const { names, lookup } = recordedLookup(() => ['127.0.0.1'])
  const { post } = guarded(t, { allowPrivate: true, lookup })
  t.deepEqual(await post(webhook(`http://hook.test:${port}/`)), { status: 200, body: 'ok', retryAfterSeconds: null })
  t.deepEqual(names, ['hook.test'])
  t.is(seen[0]?.headers.host, `hook.test:${port}`)
})

test('accepts only well-formed http and https URLs without credentials', async (t) => {
  const { port, connections } = await receiver(t)
  const urls = words(`
    hook //127.0.0.1/ ftp://127.0.0.1:${port}/ ws://127.0.0.1:${port}/ gopher://127.0.0.1:${port}/ file:///etc/passwd
    data:text/plain,x javascript:alert(1) unix:/var/run/docker.sock http:// http://[::1 http://[fe80::1%25eth0]/
    http://1.2.3.4.5/ http://256.1.1.1/ http://example.com:99999/ http://a@127.0.0.1:${port}/
    http://a:b@127.0.0.1:${port}/ http://:b@127.0.0.1:${port}/ http://example.com@127.0.0.1:${port}/
  `).concat('', 'http://a b/')
  for (const allowPrivate of [true, false]) {
    const { post } = guarded(t, { allowPrivate })
    for (const url of urls) t.deepEqual(await post(webhook(url)), { error: 'bad url' }, url)
  }
  t.is(connections(), 0)
})

test('refuses ports of other services unless private addresses are allowed', async (t) => {
  const { names, lookup } = recordedLookup(() => [])
  const ports = [22, 25, 3306, 5432, 6379, 27017]
  const { post } = guarded(t, { lookup })
  for (const port of ports)
    t.deepEqual(await post(webhook(`http://a.test:${port}/`)), {
      error: 'refused port: only WEBHOOKS_ALLOW_PRIVATE=true allows it',
    })
  t.deepEqual(names, [])
  const open = guarded(t, { lookup, allowPrivate: true })
  for (const port of ports) t.deepEqual(await open.post(webhook(`http://a.test:${port}/`)), { error: 'dns' })
  t.is(names.length, ports.length)
})

test('reports the setting that would allow a refused host, once per host', async (t) => {
  const lines: string[] = []
  const { post } = guarded(t, { lookup: async () => ['10.0.0.1'], report: (line) => lines.push(line) })
  for (const url of ['http://localhost:3955/a', 'http://localhost:3955/b', 'http://127.0.0.1/', 'http://a.test:22/'])
    await post(webhook(url))
  await post(webhook('no address'))
  const line = (host: string, fault: string) =>
    `webhooks to ${host} are refused: ${fault}: only WEBHOOKS_ALLOW_PRIVATE=true allows it`
  t.deepEqual(lines, [
    line('localhost:3955', 'private address'),
    line('127.0.0.1', 'private address'),
    line('a.test:22', 'refused port'),
  ])
})
