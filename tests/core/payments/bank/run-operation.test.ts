import test from 'ava'
import { isLeft, left, right } from '../../../../core/failure.ts'
import { always, patch } from '../../../../core/kernel/records/record.ts'
import { unavailable } from '../../../../core/kernel/running/use-case.ts'
import { worker } from '../../../../core/kernel/running/worker.ts'
import { bankOperations } from '../../../../core/payments/bank/operation.ts'
import { operationQueues } from '../../../../core/payments/bank/run-operation.ts'
import type { AnyOperations } from '../../../../core/payments/payments-ports.ts'
import { deferred, until } from '../../kernel/running/tasks.ts'
import { failureOf, right as sure } from '../world.ts'
import { sales, toyShop } from './toy-operations.ts'

const CARD = { last4: '1111' }
const approving = async () => ({ outcome: 'done', value: true }) as const
const silent = async () => ({ outcome: 'unknown' }) as const

test('stores its order sealed, asks the bank by its own id and ends once', async (t) => {
  const { sell, begin, payOut, bank, operationOf, saleOf } = toyShop()
  const sale = await sell()
  const started = sure(await begin(payOut, 'P1', sale, 'P1')())
  t.like(await operationOf('P1'), {
    kind: 'pay-out',
    subject: ['test.sales', sale],
    order: 'payments.bank-operations/P1#"P1"',
    state: 'asking',
    dueAt: '2026-11-23T13:01:00.000Z',
    attempts: 0,
  })
  t.is((await saleOf(sale))?.operationId, 'P1')
  sure(await payOut.send(started, async () => ({ outcome: 'done', value: null }))())
  t.like(await operationOf('P1'), { state: 'done', dueAt: null, expiresAt: '2026-12-23T13:00:00.000Z' })
  t.is((await saleOf(sale))?.operationId, null)
  // A later call returns the stored outcome and does not ask the bank.
  t.is(sure(await payOut.repeat('P1')()).id, sale)
  t.deepEqual(bank.asked, [])
  t.is(failureOf(await payOut.repeat('P2')())?.code, 'sale.unknown')
})

test('refuses a second operation while one of the subject is running', async (t) => {
  const { sell, begin, payOut, voiding, drain } = toyShop()
  const sale = await sell()
  const both = await Promise.all([begin(payOut, 'P1', sale, 'P1')(), begin(voiding, 'V1', sale, 'V1')()])
  t.is(both.filter(isLeft).length, 1)
  t.is(failureOf(both.find(isLeft) ?? right(null))?.code, 'sale.busy')
  const again = await begin(payOut, 'P2', sale, 'P2')()
  t.is(failureOf(again)?.code, 'sale.busy')
  await drain()
})

test('allows several refunds at once, up to the paid amount', async (t) => {
  const { sell, begin, refund, saleOf, bank, drain, clock, reports } = toyShop()
  const sale = await sell()
  const ids = ['R1', 'R2', 'R3', 'R4']
  const started = await Promise.all(ids.map((id) => begin(refund, id, sale, '400')()))
  t.deepEqual(started.map(isLeft), [false, false, true, true])
  t.is((await saleOf(sale))?.refundableCents, 200)
  bank.script.push('unknown', 'refused')
  clock.advance(60)
  await drain()
  // A refused amount is available for another refund, an undecided one is not.
  t.is((await saleOf(sale))?.refundableCents, 600)
  clock.advance(600)
  await drain()
  t.is((await saleOf(sale))?.refundableCents, 600)
  t.is(bank.known.size, 1)
  t.deepEqual(reports, [])
})

test('fails a card charge that the bank does not have, without sending it again', async (t) => {
  const { sell, begin, card, saleOf, operationOf, bank, drain, clock } = toyShop()
  const sale = await sell()
  const started = sure(await begin(card, 'C1', sale, CARD)())
  t.is(sure(await card.send(started, silent)()).status, 'new')
  await drain()
  t.deepEqual(bank.asked, [], 'its wait is not over')
  clock.advance(1)
  await drain()
  t.deepEqual(bank.asked, ['find 1111'])
  t.like(await saleOf(sale), { status: 'failed', operationId: null })
  t.like(await operationOf('C1'), { state: 'refused', reason: 'O banco não conhece a operação.' })
})

test('finds an approval whose answer was lost', async (t) => {
  const { sell, begin, card, saleOf, bank, drain, clock } = toyShop()
  const sale = await sell()
  const started = sure(await begin(card, 'C1', sale, CARD)())
  await card.send(started, silent)()
  bank.known.add('1111')
  clock.advance(1)
  await drain()
  t.like(await saleOf(sale), { status: 'approved', operationId: null })
})

test('voids a late approval of a failed charge by an operation of its own', async (t) => {
  const { sell, begin, card, saleOf, bank, drain, clock } = toyShop()
  const sale = await sell()
  const started = sure(await begin(card, 'C1', sale, CARD)())
  const approved = deferred()
  const late = card.send(started, () => approved.promise.then(approving))()
  clock.advance(60)
  await drain()
  t.is((await saleOf(sale))?.status, 'failed')
  approved.resolve()
  sure(await late)
  t.not((await saleOf(sale))?.operationId, null)
  bank.script.push('unavailable')
  await drain()
  t.is((await saleOf(sale))?.status, 'failed', 'the bank is away, and asked again')
  clock.advance(3_600)
  await drain()
  t.like(await saleOf(sale), { status: 'voided', operationId: null })
})

test('runs other kinds while one kind is stuck', async (t) => {
  const { sell, begin, refund, payOut, clock, drain, bank, operationOf } = toyShop()
  const [stuck, other] = [await sell(), await sell()]
  const ids = ['R1', 'R2', 'R3', 'R4', 'R5']
  t.true(refund.atOnce < ids.length)
  for (const id of ids) await begin(refund, id, stuck, '100')()
  await begin(payOut, 'P1', other, 'P1')()
  clock.advance(60)
  const held = deferred()
  bank.holds = (what) => (what === 'refund' ? held.promise : Promise.resolve())
  const working = drain()
  await until(() => bank.asked.length > 0)
  t.deepEqual(bank.asked, ['pay-out P1'])
  t.is((await operationOf('R5'))?.attempts, 0, 'no place is left for it')
  held.resolve()
  await working
  t.is((await operationOf('R5'))?.state, 'done')
})

test('doubles the wait up to ten minutes, and retries after the lease of a dead process', async (t) => {
  const { sell, begin, payOut, bank, clock, drain, operationOf } = toyShop()
  await begin(payOut, 'P1', await sell(), 'P1')()
  clock.advance(59)
  t.is(await drain(), 0)
  bank.script.push(...Array.from({ length: 12 }, () => 'unknown' as const))
  const waits: number[] = []
  clock.advance(1)
  for (let tries = 0; tries < 12; tries += 1) {
    t.is(await drain(), 1)
    const wait = (Date.parse((await operationOf('P1'))?.dueAt ?? '') - Date.parse(clock.now())) / 1_000
    waits.push(wait)
    clock.advance(wait)
  }
  t.deepEqual(waits.slice(0, 4), [2, 4, 8, 16])
  t.is(waits.at(-1), 600)
  await drain()
  t.is((await operationOf('P1'))?.state, 'done')
})

test('stores a refusal with unstorable characters replaced and its reason cut', async (t) => {
  const { sell, begin, card, operationOf } = toyShop()
  const reasons = ['Na\u0303o\u0000 \ud800', 'x'.repeat(1_000_000)]
  const kept = []
  for (const [at, reason] of reasons.entries()) {
    const started = sure(await begin(card, `C${at}`, await sell(), CARD)())
    t.is(failureOf(await card.send(started, async () => ({ outcome: 'refused', reason }))())?.code, 'bank.refused')
    kept.push((await operationOf(`C${at}`))?.reason)
  }
  t.deepEqual(kept, ['N\u00e3o\ufffd \ufffd', 'x'.repeat(1_000)])
})

test('ignores the id of an operation of another kind', async (t) => {
  const { sell, begin, payOut, card, operationOf, drain, clock } = toyShop()
  await begin(payOut, 'P1', await sell(), 'P1')()
  t.is(failureOf(await card.repeat('P1')())?.code, 'sale.unknown')
  t.like(await operationOf('P1'), { state: 'asking', attempts: 0 })
  clock.advance(60)
  await drain()
  t.is((await operationOf('P1'))?.state, 'done')
})

test('withdraws an operation whose subject ended before it was sent', async (t) => {
  const { sell, begin, payOut, bank, clock, drain, operationOf, ports } = toyShop()
  const sale = await sell()
  await begin(payOut, 'P1', sale, 'P1')()
  await ports.store.commit([patch(sales, sale, { set: { status: 'gone' }, when: always })])
  clock.advance(60)
  await drain()
  t.deepEqual(bank.asked, [])
  t.is((await operationOf('P1'))?.state, 'withdrawn')
})

test('withdraws an order that may still arrive only if it was looked for after its time', async (t) => {
  const { sell, begin, card, bank, clock, drain, operationOf, ports } = toyShop()
  const sale = await sell()
  await begin(card, 'C1', sale, CARD)()
  await ports.store.commit([patch(sales, sale, { set: { status: 'gone' }, when: always })])
  clock.advance(60)
  await drain()
  t.like(await operationOf('C1'), { state: 'asking', inFlightUntil: '2026-11-23T16:01:00.000Z' })
  clock.advance(3 * 3_600 - 1)
  // The process is suspended for a day between the bank's answer and its decision; meanwhile the order arrives.
  bank.holds = async () => {
    bank.holds = async () => {}
    clock.advance(86_400)
    bank.known.add(CARD.last4)
  }
  await drain()
  t.like(await operationOf('C1'), { state: 'asking' })
  clock.advance(3_600)
  await drain()
  t.like(await operationOf('C1'), { state: 'done' })
  t.deepEqual(bank.asked, ['find 1111', 'find 1111', 'find 1111'])
})

test('applies an outcome once if two processes resume an operation at the same time', async (t) => {
  const { sell, begin, refund, bank, saleOf } = toyShop()
  const sale = await sell()
  sure(await begin(refund, 'R1', sale, '400')())
  bank.script.push('refused', 'refused')
  await Promise.all([refund.resume('R1')(), refund.resume('R1')()])
  t.is((await saleOf(sale))?.refundableCents, 1_000)
})

test('asks the bank again if a request that was not sent is overtaken by a repeated one', async (t) => {
  const { sell, begin, payOut, bank, operationOf } = toyShop()
  const begun = sure(await begin(payOut, 'P1', await sell(), 'P1')())
  bank.script.push('unknown')
  const overtaken = async () => {
    sure(await payOut.repeat('P1')())
    return { outcome: 'unavailable' } as const
  }
  sure(await payOut.send(begun, overtaken)())
  t.like(await operationOf('P1'), { state: 'asking', attempts: 1 })
})

test('asks the bank again after the usual wait if an order that it does not have cannot be resent', async (t) => {
  const { sell, begin, title, bank, clock, drain, operationOf } = toyShop()
  await begin(title, 'T1', await sell(), 'T1')()
  bank.script.push('unavailable')
  clock.advance(60)
  await drain()
  t.like(await operationOf('T1'), { state: 'asking', attempts: 1, dueAt: '2026-11-23T13:01:02.000Z' })
})

test('ends an order that counted as lost as done once the bank has it', async (t) => {
  const { sell, begin, sentOnce, bank, clock, drain, operationOf } = toyShop()
  sure(await begin(sentOnce, 'S1', await sell(), 'S1')())
  clock.advance(60)
  await drain()
  t.like(await operationOf('S1'), { state: 'refused', dueAt: '2026-11-23T13:02:00.000Z' })
  bank.known.add('S1')
  clock.advance(60)
  await drain()
  t.like(await operationOf('S1'), { state: 'done', reason: null, dueAt: null })
})

test('looks a late order up again after a minute while another operation of its subject runs', async (t) => {
  const { sell, begin, card, operationOf, saleOf, bank, drain, clock, ports } = toyShop()
  const sale = await sell()
  sure(await begin(card, 'C1', sale, CARD)())
  const inFlight = { state: 'refused', dueAt: clock.now(), inFlightUntil: '2026-11-24T13:00:00.000Z' } as const
  await ports.store.commit([patch(bankOperations, 'C1', { set: inFlight, when: always })])
  bank.known.add(CARD.last4)
  await drain()
  t.like(await operationOf('C1'), { state: 'refused', dueAt: '2026-11-23T13:01:00.000Z' })
  await ports.store.commit([patch(sales, sale, { set: { operationId: null }, when: always })])
  clock.advance(60)
  await drain()
  t.like(await operationOf('C1'), { state: 'done', dueAt: null })
  t.like(await saleOf(sale), { status: 'voided' })
})

test('a late refusal of an order that counts as lost does not move its next check', async (t) => {
  const { sell, begin, sentOnce, clock, drain, operationOf } = toyShop()
  const started = sure(await begin(sentOnce, 'S1', await sell(), 'S1')())
  const answer = deferred()
  const late = sentOnce.send(started, () => answer.promise.then(() => ({ outcome: 'refused', reason: 'Não.' })))()
  clock.advance(60)
  await drain()
  const lost = await operationOf('S1')
  clock.advance(10)
  answer.resolve()
  sure(await late)
  t.deepEqual(await operationOf('S1'), lost)
})

test('reports an operation whose outcome could not be stored, and keeps it due', async (t) => {
  const { sell, begin, payOut, clock, operationOf, ports } = toyShop()
  sure(await begin(payOut, 'P1', await sell(), 'P1')())
  clock.advance(60)
  const unstored = { ...payOut, resume: () => async () => left(unavailable('store.busy')) }
  const reports: string[] = []
  const queues = operationQueues([unstored as AnyOperations])
  const { drain } = worker({ runtime: ports, queues, report: (error) => reports.push(`${error}`) })
  await drain()
  t.is(reports.length, 1)
  t.like(await operationOf('P1'), { state: 'asking', attempts: 1 })
})
