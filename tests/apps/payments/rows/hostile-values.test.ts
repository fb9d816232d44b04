import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import test, { type ExecutionContext } from 'ava'
import { httpSender } from '../../../../adapters/webhooks/http-sender.ts'
import { all } from '../../../../core/kernel/records/record.ts'
import { deliveries } from '../../../../core/payments/webhooks/deliveries.ts'
import { printSeed, some } from '../../../size.ts'
import { bodyLeaves, withAt } from '../../rows/fields.ts'
import { injectionSuite, PATTERNS } from '../../rows/hostile/injection.ts'
import { valuesSuite } from '../../rows/hostile/values.ts'
import { verbsSuite } from '../../rows/hostile/verbs.ts'
import { askAt, ownStatuses, placeOf } from '../../rows/places.ts'
import { openTestApi, wrongFields } from '../test-api.ts'
import { paymentsRows } from './payments-rows.ts'

// One process for these suites: each would take longer to start than to run.
test.before((t) => printSeed(t))

injectionSuite(paymentsRows)
valuesSuite(paymentsRows)
verbsSuite(paymentsRows)

const { rows, open, prepare, withFreshValues: anew } = paymentsRows

test.serial('searches for pattern characters literally', async (t) => {
  const api = await open(t, 'file')
  const charges = rows.find(({ name }) => name === 'charges.issue')
  if (!charges) return t.fail('no row charges.issue')
  const { token = '', body } = await prepare(api, placeOf(charges))
  const name = PATTERNS.join(' ')
  await api.ask('POST', '/invoices', { token, body: { ...body, name } })
  await api.ask('POST', '/invoices', { token, body: { ...body, document: '529.982.247-25' } })
  for (const pattern of PATTERNS) {
    const { body: found } = await api.ask('GET', `/invoices?${new URLSearchParams({ search: pattern })}`, { token })
    t.deepEqual(
      found.data.map(({ client }: { client: { name: string } }) => client.name),
      [name],
      pattern,
    )
  }
})

test.serial('compares e-mails in Unicode normal form without case', async (t) => {
  const api = await open(t, 'file')
  const register = (email: string) =>
    api.ask('POST', '/v1/auth/register', {
      body: { name: 'José', email, password: 'correto e longo', password_confirmation: 'correto e longo' },
    })
  t.is((await register('Jos\u00e9.\u0130@example.com')).status, 201)
  for (const same of [
    'jose\u0301.\u0130@example.com',
    'JOS\u00c9.i\u0307@EXAMPLE.com',
    'JOSE\u0301.\u0130@example.COM ',
  ]) {
    t.deepEqual(wrongFields(await register(same)), ['email'], same)
  }
})

/** Listens on this machine, and counts the connections that the API must not make. */
const listener = async (t: ExecutionContext) => {
  let connections = 0
  const server = createServer((socket) => {
    connections += 1
    socket.destroy()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  return { port: (server.address() as AddressInfo).port, connections: () => connections }
}

/** Spellings of internal hosts, and a name that resolves to this machine. */
const INSIDE = `
  127.0.0.1 127.1 127.0.1 0 0.0.0.0 2130706433 0x7f.1 0x7f000001 017700000001 0177.0.0.1 127.0.0.1. %31%32%37.0.0.1
  １２７.０.０.１ ①②⑦.0.0.1 127。0。0。1 [::1] [::] [::ffff:127.0.0.1] [::ffff:7f00:1] [::127.0.0.1] [64:ff9b::127.0.0.1]
  [2002:7f00:1::] [fe80::1] [fd00::1] [fc00::1] 10.0.0.1 172.16.0.1 172.31.255.254 192.168.0.1 100.64.0.1
  169.254.169.254 198.18.0.1 224.0.0.1 localhost localhost. LOCALHOST loc%61lhost metadata.google.internal
  127.0.0.1.nip.io ⓛocalhost`
  .trim()
  .split(/\s+/)

const WRONG = [
  'file:///etc/passwd',
  'gopher://127.0.0.1/',
  'data:text/plain,x',
  'javascript:alert(1)',
  'ftp://127.0.0.1/',
  '//127.0.0.1/',
  'http:127.0.0.1',
  'http:/\\127.0.0.1/',
  'http://a@127.0.0.1/',
  'http://a:b@127.0.0.1/',
  'http://example.com\\@127.0.0.1/',
  'http://[::1',
  'http://[fe80::1%25eth0]/',
  'http://256.1.1.1/',
  'http://example.com:99999/',
  'http://a b/',
  'http://a.example/\r\nX-Injected: 1',
]

/** The number of internal hosts that are tried in each field, at random. */
const MOST = 40

const OTHER_PORTS = [22, 25, 3306, 5432, 6379, 27017]

for (const row of rows) {
  const leaves = bodyLeaves(row).filter(({ schema }) => schema.format === 'uri')
  if (leaves.length === 0) continue

  test.serial(`${row.name} never calls an internal address`, async (t) => {
    const { port, connections } = await listener(t)
    const webhooks = httpSender({ allowPrivate: false, timeoutMs: 5_000, lookup: async () => ['127.0.0.1'] })
    t.teardown(() => webhooks.close())
    const api = await openTestApi(t, { env: { WEBHOOKS_ALLOW_PRIVATE: 'false' }, instead: () => ({ webhooks }) })
    const sent = await prepare(api, placeOf(row))
    const inside = [
      ...INSIDE.flatMap((host) => [`http://${host}:${port}/`, `https://${host}:${port}/`]),
      ...OTHER_PORTS.map((other) => `http://example.com:${other}/`),
    ]
    const saved = new Set<string>()
    for (const { path, name } of leaves) {
      for (const url of [...some(inside, MOST), ...WRONG]) {
        const body = withAt(anew(row, sent.body), path, url)
        const answer = await askAt(api, placeOf(row), { ...sent, body })
        if (answer.status < 300 || ownStatuses(row).includes(answer.status)) saved.add(url)
        else t.deepEqual([answer.status, Object.keys(answer.body.errors)], [422, [name]], url)
      }
    }
    t.deepEqual(
      WRONG.filter((url) => saved.has(url)),
      [],
    )
    await api.drain()
    t.is(connections(), 0)
    const tried = []
    for await (const delivery of api.host.store.scan(deliveries, all())) tried.push(delivery)
    t.deepEqual(
      tried.filter(({ url }) => !saved.has(url)),
      [],
    )
    // Only the webhook of a charge is called at once. Other URLs are called after an event, or never.
    if (leaves.some(({ name }) => name === 'webhook')) t.is(new Set(tried.map(({ url }) => url)).size, saved.size)
    for (const { url, status, response } of tried) {
      t.is(status, 'pending', url)
      t.is(response?.status, null, url)
      t.regex(response?.error ?? '', /^(dns$|(private address|refused port): .*WEBHOOKS_ALLOW_PRIVATE)/, url)
    }
  })
}
