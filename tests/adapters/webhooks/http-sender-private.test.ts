import test, { type ExecutionContext } from 'ava'
import { type HttpSenderOptions, httpSender } from '../../../adapters/webhooks/http-sender.ts'
import { receiver } from './receiver.ts'

/** A public address that nobody was ever given, so that nothing answers there. */
const NOBODY = '2d00::1'

const guarded = (t: ExecutionContext, options: Partial<HttpSenderOptions> = {}) => {
  const made = httpSender({ allowPrivate: false, timeoutMs: 5_000, ...options })
  t.teardown(() => made.close())
  return made
}

const PRIVATE = { error: 'private address: only WEBHOOKS_ALLOW_PRIVATE=true allows it' }

const webhook = (url: string) => ({ url, headers: {}, body: '{}' })

const LITERALS = [
  '127.0.0.1',
  '127.1',
  '127.0.1',
  '0',
  '0.0.0.0',
  '2130706433',
  '0x7f.1',
  '0x7f000001',
  '0X7F.0.0.1',
  '017700000001',
  '0177.0.0.1',
  '127.0.0.1.',
  '%31%32%37.0.0.1',
  '１２７.０.０.１',
  '①②⑦.0.0.1',
  '127。0。0。1',
  '[::1]',
  '[::]',
  '[0:0:0:0:0:0:0:1]',
  '[::127.0.0.1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[64:ff9b::127.0.0.1]',
  '[2002:7f00:1::]',
  '[fe80::1]',
  '[fd00::1]',
  '[fc00::1]',
  '[fec0::1]',
  '[ff02::1]',
  '[2001:db8::1]',
  '10.0.0.1',
  '10.255.255.255',
  '172.16.0.1',
  '172.31.255.254',
  '192.168.0.1',
  '100.64.0.1',
  '169.254.169.254',
  '192.0.2.1',
  '198.18.0.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
]

test('no literal address inside is called, however it is written', async (t) => {
  const { port, connections } = await receiver(t)
  const { post } = guarded(t)
  for (const host of LITERALS) {
    for (const url of [`http://${host}:${port}/`, `https://${host}:${port}/`, `http://${host}/`]) {
      t.deepEqual(await post(webhook(url)), PRIVATE, url)
    }
  }
  t.is(connections(), 0)
})

test('no name that leads inside is called', async (t) => {
  const { port, connections } = await receiver(t)
  const { post } = guarded(t)
  for (const host of ['localhost', 'LOCALHOST', 'loc%61lhost', 'localhost.']) {
    const answer = await post(webhook(`http://${host}:${port}/`))
    // Not every system's resolver knows the last form of it.
    t.true('error' in answer && [PRIVATE.error, 'dns'].includes(answer.error), host)
  }
  for (const address of LITERALS.filter((host) => /^\d+(\.\d+){3}$/.test(host)).concat(
    '::1',
    '::ffff:127.0.0.1',
    'fd00::1',
  )) {
    const { post } = guarded(t, { lookup: async () => [address] })
    t.deepEqual(await post(webhook(`http://metadata.test:${port}/`)), PRIVATE, address)
  }
  t.is(connections(), 0)
})

test('one private address among public ones is enough to refuse', async (t) => {
  const { port, connections } = await receiver(t)
  for (const addresses of [
    [NOBODY, '127.0.0.1'],
    ['127.0.0.1', NOBODY],
    ['8.8.8.8', NOBODY, '::1'],
    ['8.8.8.8', 'not an address'],
  ]) {
    const { post } = guarded(t, { lookup: async () => addresses })
    t.deepEqual(await post(webhook(`http://mixed.test:${port}/`)), PRIVATE, addresses.join())
  }
  t.is(connections(), 0)
})

test('a name that turns inward between check and connection gains nothing: it is asked once, and that is dialled', async (t) => {
  const { port, connections } = await receiver(t)
  const asked: string[] = []
  const lookup = async (hostname: string) => {
    asked.push(hostname)
    return asked.length === 1 ? [NOBODY] : ['127.0.0.1']
  }
  const { post } = guarded(t, { lookup })
  const answer = await post(webhook(`http://rebinding.test:${port}/`))
  t.true('error' in answer && ['network', 'timeout'].includes(answer.error), JSON.stringify(answer))
  t.deepEqual(asked, ['rebinding.test'])
  t.deepEqual(await post(webhook(`http://rebinding.test:${port}/`)), PRIVATE)
  t.is(connections(), 0)
})

test('what the resolver says is dialled, under the name that was asked for', async (t) => {
  const { port, seen } = await receiver(t)
  const asked: string[] = []
  const lookup = async (hostname: string) => {
    asked.push(hostname)
    return ['127.0.0.1']
  }
  const { post } = guarded(t, { allowPrivate: true, lookup })
  t.deepEqual(await post(webhook(`http://hook.test:${port}/`)), { status: 200, body: 'ok', retryAfterSeconds: null })
  t.deepEqual(asked, ['hook.test'])
  t.is(seen[0]?.headers.host, `hook.test:${port}`)
})

test('only http and https, without user or password, and well-formed', async (t) => {
  const { port, connections } = await receiver(t)
  const urls = [
    '',
    'hook',
    '//127.0.0.1/',
    `ftp://127.0.0.1:${port}/`,
    `ws://127.0.0.1:${port}/`,
    `gopher://127.0.0.1:${port}/`,
    'file:///etc/passwd',
    'data:text/plain,x',
    'javascript:alert(1)',
    'unix:/var/run/docker.sock',
    'http://',
    'http://[::1',
    'http://[fe80::1%25eth0]/',
    'http://1.2.3.4.5/',
    'http://256.1.1.1/',
    'http://a b/',
    'http://example.com:99999/',
    `http://a@127.0.0.1:${port}/`,
    `http://a:b@127.0.0.1:${port}/`,
    `http://:b@127.0.0.1:${port}/`,
    `http://example.com@127.0.0.1:${port}/`,
  ]
  for (const allowPrivate of [true, false]) {
    const { post } = guarded(t, { allowPrivate })
    for (const url of urls) t.deepEqual(await post(webhook(url)), { error: 'bad url' }, url)
  }
  t.is(connections(), 0)
})

test('ports of other services are refused, unless private addresses are allowed', async (t) => {
  const asked: string[] = []
  const lookup = async (hostname: string) => {
    asked.push(hostname)
    return []
  }
  const ports = [22, 25, 3306, 5432, 6379, 27017]
  const { post } = guarded(t, { lookup })
  for (const port of ports)
    t.deepEqual(await post(webhook(`http://a.test:${port}/`)), {
      error: 'refused port: only WEBHOOKS_ALLOW_PRIVATE=true allows it',
    })
  t.deepEqual(asked, [])
  const open = guarded(t, { lookup, allowPrivate: true })
  for (const port of ports) t.deepEqual(await open.post(webhook(`http://a.test:${port}/`)), { error: 'dns' })
  t.is(asked.length, ports.length)
})

test('one line for each host says which setting allows it', async (t) => {
  const lines: string[] = []
  const { post } = guarded(t, { lookup: async () => ['10.0.0.1'], report: (line) => lines.push(line) })
  for (const url of ['http://localhost:3955/a', 'http://localhost:3955/b', 'http://127.0.0.1/', 'http://a.test:22/'])
    await post(webhook(url))
  await post(webhook('no address'))
  const told = (host: string, fault: string) =>
    `webhooks to ${host} are refused: ${fault}: only WEBHOOKS_ALLOW_PRIVATE=true allows it`
  t.deepEqual(lines, [
    told('localhost:3955', 'private address'),
    told('127.0.0.1', 'private address'),
    told('a.test:22', 'refused port'),
  ])
})
