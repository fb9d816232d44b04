import test, { type ExecutionContext } from 'ava'
import { type PixApiSettings, pixApi, pixApiBank } from '../../../../adapters/bank/pix-api/mod.ts'
import { setClock } from '../../../../adapters/clock/set-clock.ts'
import type { TitleOrder } from '../../../../core/ports/bank.ts'
import { recordingTracer } from '../../tracing/collector.ts'
import { aTitleOrder } from '../title-order.ts'
import { type Fault, openPixApiServer, PIX_KEY, pem } from './pix-api-server.ts'

const NOW = '2026-11-23T13:05:09.123Z'
const TXID = 'a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5d6'

const order = (over: Partial<TitleOrder> = {}): TitleOrder =>
  aTitleOrder({ txid: TXID, pixKey: PIX_KEY, valueCents: 12_345, ...over })

const open = async (t: ExecutionContext, over: (known: PixApiSettings) => Partial<PixApiSettings> = () => ({})) => {
  const server = await openPixApiServer(() => new Date(NOW))
  // Enough for an answer on a busy machine.
  const settings = { ...server.settings, timeoutMs: 60_000, ...over(server.settings) }
  const opened: { close(): Promise<void> }[] = [server]
  t.teardown(() => Promise.all(opened.map(({ close }) => close())))
  const bankWith = (more: Partial<PixApiSettings> = {}, now = NOW) => {
    const api = pixApi({ ...settings, ...more })
    opened.push(api)
    return pixApiBank(api)({ clock: setClock(now) })
  }
  return { server, bankWith, bank: bankWith() }
}

const IMPATIENT = { timeoutMs: 2_500 }

const UNKNOWN = { outcome: 'unknown' }
const UNAVAILABLE = { outcome: 'unavailable' }
const html = '<html>Manutenção</html>'

const put = (answer: Fault['answer'], more: Partial<Fault> = {}): Fault => ({ of: 'PUT /cob', answer, ...more })
const tokens = (answer: Fault['answer']): Fault => ({ of: 'POST /oauth', answer, times: 9 })
const otherTitle = (body: unknown) => ({ ...Object(body), txid: `${TXID}0` })

const createFaults: readonly (readonly [name: string, fault: Fault, answer: object, isMade: boolean])[] = [
  ['a timeout after the execution', put('hang', { acts: true }), UNKNOWN, true],
  ['a timeout without an execution', put('hang'), UNKNOWN, false],
  ['a connection that ends after the execution', put('drop', { acts: true }), UNKNOWN, true],
  ['a connection that ends before the execution', put('drop'), UNKNOWN, false],
  ['a success that is not JSON', put({ status: 201, text: html }, { acts: true }), UNKNOWN, true],
  ['a success with another title', put(otherTitle), UNKNOWN, true],
  ['500', put({ status: 500, text: html }), UNKNOWN, false],
  ['503', put({ status: 503 }), UNKNOWN, false],
  ['a redirect', put({ status: 302 }), UNKNOWN, false],
  ['429', put({ status: 429 }), UNAVAILABLE, false],
  ['401 with any token', put({ status: 401 }, { times: 2 }), UNAVAILABLE, false],
  ['no tokens', tokens({ status: 503 }), UNAVAILABLE, false],
  ['a token answer that is not JSON', tokens({ status: 200, text: html }), UNAVAILABLE, false],
  ['a token request without an answer', tokens('hang'), UNAVAILABLE, false],
  ['403', put({ status: 403 }), { outcome: 'refused', reason: 'O banco respondeu 403.' }, false],
]
for (const [name, fault, answer, isMade] of createFaults)
  test(`${name} is ${Reflect.get(answer, 'outcome')}, and a repeated order creates one title`, async (t) => {
    const { server, bank, bankWith } = await open(t)
    server.fail(fault)
    const client = fault.answer === 'hang' ? bankWith(IMPATIENT) : bank
    t.like(await client.createTitle(order()), answer)
    t.is(server.books.cobs.has(TXID), isMade)
    const isLasting = (fault.times ?? 1) > 2
    if (isLasting) return
    t.like(await bank.findTitle(TXID), { outcome: 'done', value: isMade ? { txid: TXID, cancelled: false } : null })
    t.like(await bank.createTitle(order()), { outcome: 'done', value: { txid: TXID, payments: [] } })
    t.is(server.books.cobs.size, 1)
    t.deepEqual(server.violations, [])
  })

test('closes and refuses a title whose code is missing, malformed, of a wrong CRC or static', async (t) => {
  const isStatic =
    '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***63041D3D'
  for (const pixCopiaECola of [undefined, 'não é um código', `${'0'.repeat(40)}63041234`, isStatic]) {
    const { server, bank } = await open(t)
    server.fail(put((body) => ({ ...Object(body), pixCopiaECola })))
    t.deepEqual(await bank.createTitle(order()), { outcome: 'refused', reason: 'O banco deu um código Pix inválido.' })
    t.is(server.books.cobs.get(TXID)?.status, 'REMOVIDA_PELO_USUARIO_RECEBEDOR')
  }
})

test('the outcome is unknown if a title of another amount cannot be closed', async (t) => {
  const { server, bank } = await open(t)
  server.fail(put((body) => ({ ...Object(body), valor: { original: '123.46' } })))
  server.fail({ of: 'PATCH /cob', answer: { status: 503 } })
  t.deepEqual(await bank.createTitle(order()), { outcome: 'unknown' })
  t.is(server.books.cobs.get(TXID)?.status, 'ATIVA')
})

test('returns the reason and the violations of the bank, or its own for orders that are not sent', async (t) => {
  const { bank } = await open(t)
  const reason = 'A cobrança não respeita o schema. O valor não é válido. (cob.valor.original)'
  t.deepEqual(await bank.createTitle(order({ valueCents: 0 })), { outcome: 'refused', reason })
  const reasonOf = async (over: Partial<TitleOrder>) => Reflect.get(await bank.createTitle(order(over)), 'reason')
  t.is(await reasonOf({ pixKey: 'outra@example.com' }), 'A chave Pix da conta não é a deste banco.')
  const short = 'A1b2C3d4E5f6G7h8I9j0K1l2M'
  t.is(await reasonOf({ txid: short }), `O txid ${short} não tem de 26 a 35 letras e números.`)
  for (const method of ['BOLETO', 'BOLEPIX'] as const)
    t.is(await reasonOf({ method }), 'Operação não disponível neste banco.')
})

const tokenRequests = ({ requests }: Awaited<ReturnType<typeof open>>['server']): number =>
  requests.filter((request) => request.startsWith('POST /oauth')).length

test('concurrent requests share one token request, also after the bank rejected the token', async (t) => {
  const { server, bank } = await open(t)
  const txids = [1, 2, 3, 4].map((digit) => `${digit}`.repeat(32))
  const make = () => Promise.all(txids.map((txid) => bank.createTitle(order({ txid }))))
  for (const requests of [1, 2]) {
    for (const { outcome } of await make()) t.is(outcome, 'done')
    t.is(tokenRequests(server), requests)
    server.revoke()
  }
})

test('replaces an expired token', async (t) => {
  const { server, bank } = await open(t)
  const brief = (body: unknown) => ({ ...Object(body), expires_in: 0.000_001 })
  server.fail({ of: 'POST /oauth', answer: brief, times: 2 })
  for (const txid of ['a', 'b', 'c'])
    t.like(await bank.createTitle(order({ txid: txid.repeat(32) })), { outcome: 'done' })
  t.is(tokenRequests(server), 3)
})

const settingFaults: readonly (readonly [name: string, over: (known: PixApiSettings) => Partial<PixApiSettings>])[] = [
  ['a certificate of another authority', () => ({ cert: pem('stranger.crt'), key: pem('stranger.key') })],
  ['a key that is not that of the certificate', () => ({ key: pem('stranger.key') })],
  ['a server certificate of an unknown authority', () => ({ ca: null })],
  ['a refused connection', () => ({ url: 'https://127.0.0.1:9/api/v2', tokenUrl: 'https://127.0.0.1:9/oauth/token' })],
  ['an unknown host name', () => ({ tokenUrl: 'https://banco.invalid/oauth/token' })],
  ['a wrong client secret', () => ({ clientSecret: 'outro' })],
  ['a refused connection to the API only', () => ({ url: 'https://127.0.0.1:9/api/v2' })],
]
for (const [name, over] of settingFaults)
  test(`with ${name} the bank is unavailable`, async (t) => {
    const { server, bank } = await open(t, over)
    for (const answer of [await bank.createTitle(order()), await bank.findTitle(TXID), await bank.cancelTitle(TXID)])
      t.deepEqual(answer, { outcome: 'unavailable' })
    t.is(server.books.cobs.size, 0)
  })

test('closes a title once, and refuses to close a paid one', async (t) => {
  const { server, bank } = await open(t)
  const [first, paid] = ['f'.repeat(32), 'e'.repeat(32)]
  for (const txid of [first, paid]) await bank.createTitle(order({ txid }))
  server.books.receive(12_345, { txid: paid })
  t.deepEqual(await bank.cancelTitle(paid), { outcome: 'refused', reason: 'A cobrança já foi paga.' })
  t.like(await bank.findTitle(paid), { value: { cancelled: false, payments: [{ txid: paid, valueCents: 12_345 }] } })
  server.fail({ of: 'PATCH /cob', acts: true, answer: 'drop' })
  t.deepEqual(await bank.cancelTitle(first), { outcome: 'unknown' })
  t.deepEqual(await bank.cancelTitle(first), { outcome: 'done', value: null })
  t.deepEqual(await bank.cancelTitle('d'.repeat(32)), { outcome: 'refused', reason: 'Título desconhecido.' })
  t.deepEqual(await bank.cancelTitle('curto'), { outcome: 'refused', reason: 'Título desconhecido.' })
  t.deepEqual(await bank.findTitle('../pix'), { outcome: 'done', value: null })
  t.deepEqual(server.violations, [])
})

test('an unreadable answer about a title is unknown, and names the record', async (t) => {
  const { server, bank, bankWith } = await open(t)
  await bank.createTitle(order())
  const unreadable = { kind: 'title', id: TXID, txid: TXID, pixKey: PIX_KEY }
  const named = { outcome: 'unknown', unreadable }
  for (const [answer, expected] of [
    [{ status: 200, text: html }, named],
    [{ status: 500 }, UNKNOWN],
    ['hang', UNKNOWN],
    [(body: unknown) => ({ ...Object(body), status: 'OUTRA' }), named],
    [(body: unknown) => ({ ...Object(body), valor: { original: 'cem' } }), named],
  ] as const) {
    server.fail({ of: 'GET /cob', answer })
    const client = answer === 'hang' ? bankWith(IMPATIENT) : bank
    t.deepEqual(await client.findTitle(TXID), expected)
  }
})

for (const original of ['123.450', '123.4', '123', 123.4, 'cem', undefined])
  test(`accepts the amount ${original} (${typeof original}) of a title if readable, else leaves it open`, async (t) => {
    const { server, bank } = await open(t)
    const valueCents = `${original}`.startsWith('123.4') ? 12_340 : 12_300
    server.fail(put((body) => ({ ...Object(body), valor: { original } })))
    const isReadable = ['123.4', '123', 123.4].includes(original ?? '')
    const made = await bank.createTitle(order({ valueCents }))
    t.like(made, isReadable ? { outcome: 'done' } : { outcome: 'unknown', unreadable: { kind: 'title', id: TXID } })
    t.is(server.books.cobs.get(TXID)?.status, 'ATIVA')
    t.like(await bank.findTitle(TXID), { outcome: 'done', value: { txid: TXID } })
  })

test('a repeated order keeps the expiry of its cob', async (t) => {
  const { server, bank, bankWith } = await open(t)
  t.like(await bank.createTitle(order()), { outcome: 'done' })
  const expiracao = () => Reflect.get(Object(server.books.cobs.get(TXID)?.order.calendario), 'expiracao')
  // From 10:05:09 in São Paulo to the midnight that ends the 30th.
  t.is(expiracao(), 7 * 86_400 + 13 * 3_600 + 54 * 60 + 51)
  const later = bankWith({}, '2026-11-30T13:00:00.000Z')
  t.like(await later.createTitle(order()), { outcome: 'done' })
  t.is(expiracao(), 7 * 86_400 + 13 * 3_600 + 54 * 60 + 51)
  t.deepEqual(server.violations, [])
})

test('the bank receives the trace of each exchange, whose span has no path', async (t) => {
  const { server } = await open(t)
  const context = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01 vendor=abc'
  const { tracer, spans } = recordingTracer(context)
  const api = pixApi({ ...server.settings, timeoutMs: 60_000 }, tracer)
  t.teardown(api.close)
  t.like(await pixApiBank(api)({ clock: setClock(NOW) }).findTitle(TXID), { outcome: 'done', value: null })
  t.deepEqual(
    server.traces,
    server.requests.map(() => context),
  )
  const exchange = (method: string, status: number, failed: string | null = null) => {
    const of = { 'http.request.method': method, 'server.address': 'localhost', 'http.response.status_code': status }
    return { kind: 'client', name: method, attributes: of, failed, isEnded: true }
  }
  t.deepEqual<unknown, unknown>(spans, [
    exchange('POST', 200),
    exchange('GET', 404, '404'),
    exchange('GET', 404, '404'),
  ])
})
