import test, { type ExecutionContext } from 'ava'
import { pixApi, pixApiBank } from '../../../../adapters/bank/pix-api/mod.ts'
import { setClock } from '../../../../adapters/clock/set-clock.ts'
import type { Movement, RefundOrder } from '../../../../core/ports/bank.ts'
import { type Fault, openPixApiServer, PIX_KEY } from './pix-api-server.ts'

const NOW = '2026-11-23T13:05:09.123Z'
const ID = 'a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5d6'
const UNKNOWN_PIX = 'E0118152120261123130599999999999'
const FIRST_PAGE = { from: '2026-11-23T03:00:00.000Z', to: '2026-11-24T03:00:00.000Z', cursor: null }

const open = async (t: ExecutionContext) => {
  let now = NOW
  const server = await openPixApiServer(() => new Date(now))
  const api = pixApi({ ...server.settings, timeoutMs: 60_000 })
  t.teardown(async () => {
    await api.close()
    await server.close()
    // All requests and answers follow the document of the API.
    if (server.violations.length > 0) throw new Error(server.violations.join('\n'))
  })
  const { refunds, movements } = pixApiBank(api)({ clock: setClock(NOW) })
  if (!refunds || !movements) throw new Error('the bank has no refunds or no movements')
  const pix = server.books.receive(10_000)
  const usual = { id: ID, endToEndId: pix.endToEndId, valueCents: 4_000, reason: 'Desistência' }
  const order = (over: Partial<RefundOrder> = {}): RefundOrder => ({ ...usual, ...over })
  const later = (at: string): void => {
    now = at
  }
  return { server, refunds, movements, pix, order, later }
}

test('refunds under our own id, with the reason if there is one', async (t) => {
  const { server, refunds, pix, order } = await open(t)
  t.like(await refunds.refund(order()), { outcome: 'done', value: { status: 'returned', reason: null } })
  t.like(pix.devolucoes, { 0: { id: ID, valor: '40.00', descricao: 'Desistência' }, length: 1 })
  t.true(server.requests.includes(`PUT /pix/${pix.endToEndId}/devolucao/${ID}`))
  t.like(await refunds.refund(order({ id: 'outra', reason: null, valueCents: 6_000 })), { outcome: 'done' })
  t.false('descricao' in (pix.devolucoes?.[1] ?? {}))
})

test('returns the reason of the bank for a refused refund', async (t) => {
  const { refunds, order } = await open(t)
  t.deepEqual(await refunds.refund(order({ valueCents: 10_001 })), {
    outcome: 'refused',
    reason: 'A devolução não respeita o schema. O valor excede o Pix. (devolucao.valor)',
  })
  const unknown = order({ endToEndId: UNKNOWN_PIX })
  t.deepEqual(await refunds.refund(unknown), { outcome: 'refused', reason: 'Pix não encontrado.' })
  // Ids that do not fit in a path are not sent.
  for (const wrong of [{ endToEndId: '../cob/1' }, { id: 'a/b' }]) {
    t.deepEqual(await refunds.refund(order(wrong)), { outcome: 'refused', reason: 'Pix desconhecido.' })
    t.deepEqual(await refunds.findRefund(order(wrong)), { outcome: 'done', value: null })
  }
})

test('a refund of another amount under the same id is unreadable', async (t) => {
  const { refunds, order } = await open(t)
  await refunds.refund(order())
  const unreadable = { kind: 'refund', id: ID, txid: null, pixKey: PIX_KEY }
  t.deepEqual(await refunds.refund(order({ valueCents: 1 })), { outcome: 'unknown', unreadable })
})

test('reads the amount of a refund with fewer decimals, and names an unreadable one', async (t) => {
  const { server, refunds, order } = await open(t)
  const returned = { outcome: 'done', value: { status: 'returned' } }
  const answers = { '40.0': returned, '40': returned, quarenta: { outcome: 'unknown', unreadable: { id: ID } } }
  await refunds.refund(order())
  for (const [valor, answer] of Object.entries(answers)) {
    server.fail({ of: 'GET /pix', answer: (body) => ({ ...Object(body), valor }) })
    t.like(await refunds.findRefund(order()), answer, valor)
  }
})

for (const [status, value] of [
  ['EM_PROCESSAMENTO', { status: 'processing', reason: null }],
  ['NAO_REALIZADO', { status: 'failed', reason: 'Negado por timeout' }],
] as const)
  test(`reads ${status} as ${value.status}`, async (t) => {
    const { server, refunds, order } = await open(t)
    for (const of of ['PUT /pix', 'GET /pix']) {
      server.fail({ of, answer: (body) => ({ ...Object(body), status, motivo: 'Negado por timeout' }) })
      const refund = of === 'PUT /pix' ? refunds.refund : refunds.findRefund
      t.like(await refund(order()), { outcome: 'done', value }, of)
    }
  })

for (const [name, fault, outcome, isMade] of [
  ['a connection that ends after the execution', { acts: true, answer: 'drop' }, 'unknown', true],
  ['429', { answer: { status: 429 } }, 'unavailable', false],
] as const)
  test(`${name} is ${outcome}, and a repeated order makes one refund`, async (t) => {
    const { server, refunds, pix, order } = await open(t)
    server.fail({ of: 'PUT /pix', ...fault })
    t.is((await refunds.refund(order())).outcome, outcome)
    t.is(pix.devolucoes?.length ?? 0, isMade ? 1 : 0)
    t.like(await refunds.refund(order()), { outcome: 'done', value: { status: 'returned' } })
    t.is(pix.devolucoes?.length, 1)
  })

test('lists received Pix page by page with their refunds, and finds none of another id', async (t) => {
  const { server, refunds, movements, pix, order, later } = await open(t)
  later('2026-11-24T02:59:59.999Z')
  for (let count = 0; count < 120; count += 1) server.books.receive(count + 1)
  later('2026-11-24T03:00:00.000Z')
  server.books.receive(777)
  await refunds.refund(order())
  const all: Movement[] = []
  const cursors: (string | null)[] = []
  for (let cursor: string | null = null; ; ) {
    const page = await movements.list({ ...FIRST_PAGE, cursor })
    if (page.outcome !== 'done') return t.fail(page.outcome)
    all.push(...page.value.movements)
    cursors.push(cursor)
    cursor = page.value.next
    if (cursor === null) break
  }
  t.deepEqual(cursors, [null, '1'])
  t.is(all.length, 122)
  const { endToEndId } = pix
  const [first, second] = all
  const from = { txid: null, endToEndId }
  t.deepEqual(first, { ...from, kind: 'pix', id: endToEndId, pixKey: PIX_KEY, valueCents: 10_000, at: NOW })
  t.like(second, { ...from, kind: 'refund', id: ID, valueCents: 4_000 })
  const absent = { outcome: 'done', value: null }
  t.deepEqual(await movements.findMovement({ kind: 'refund', id: 'outra', endToEndId }), absent)
  const ofBoleto = { kind: 'boleto', id: '123', endToEndId: '123' } as const
  t.deepEqual(await movements.findMovement(ofBoleto), absent)
  t.deepEqual(await movements.findMovement({ ...ofBoleto, kind: 'pix', endToEndId: UNKNOWN_PIX }), absent)
})

test('the outcome of a malformed list is unknown', async (t) => {
  const { server, movements } = await open(t)
  const wrong: readonly Fault['answer'][] = [
    { status: 500 },
    { status: 200, text: '<p>' },
    (body) => ({ ...Object(body), pix: { endToEndId: 'x' } }),
    (body) => ({ ...Object(body), parametros: {} }),
  ]
  for (const answer of wrong) {
    server.fail({ of: 'GET /pix', answer })
    t.like(await movements.list(FIRST_PAGE), { outcome: 'unknown' })
  }
})

test('names an unreadable record of the list, and lists the others', async (t) => {
  const { server, movements, refunds, pix, order } = await open(t)
  await refunds.refund(order())
  const second = server.books.receive(500)
  const broken = (body: unknown) => {
    const [first, ...others]: readonly object[] = Object(body).pix
    return { ...Object(body), pix: [{ ...first, valor: 'cem' }, ...others, { endToEndId: 7 }] }
  }
  server.fail({ of: 'GET /pix', answer: broken })
  const page = await movements.list(FIRST_PAGE)
  if (page.outcome !== 'done') return t.fail(page.outcome)
  t.deepEqual(
    page.value.movements.map(({ kind, id }) => [kind, id]),
    [
      ['refund', ID],
      ['pix', second.endToEndId],
    ],
  )
  t.deepEqual(
    page.value.unreadable?.map(({ kind, id }) => [kind, id]),
    [
      ['pix', pix.endToEndId],
      ['pix', 'GET /pix'],
    ],
  )
  const { endToEndId } = pix
  const key = (kind: Movement['kind'], id: string) => ({ kind, id, endToEndId })
  const lost = (body: unknown) => ({ ...Object(body), devolucoes: [{ id: ID, status: 'DEVOLVIDO', valor: 'x' }] })
  server.fail({ of: 'GET /pix/', answer: lost, times: 2 })
  t.like(await movements.findMovement(key('pix', endToEndId)), { outcome: 'done', value: { valueCents: 10_000 } })
  t.like(await movements.findMovement(key('refund', ID)), {
    outcome: 'unknown',
    unreadable: { kind: 'refund', id: ID },
  })
})
