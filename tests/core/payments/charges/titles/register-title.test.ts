import test from 'ava'
import { setClock } from '../../../../../adapters/clock/set-clock.ts'
import { memoryPorts } from '../../../../../adapters/memory/memory-ports.ts'
import type { Failure } from '../../../../../core/failure.ts'
import type { Either } from '../../../../../core/fp.ts'
import type { Charge } from '../../../../../core/payments/charges/charge.ts'
import type { ChargeDetail } from '../../../../../core/payments/charges/find-charge.ts'
import { type BankReply, decideTitle, resumeTitle } from '../../../../../core/payments/charges/titles/register-title.ts'
import type { BankAnswer, PixTitle } from '../../../../../core/ports/bank.ts'
import {
  answerOf,
  aPix,
  become,
  decisionOf,
  detailOf,
  failureOf,
  freshAt,
  NOW,
  patched,
  TXID,
  toldBy,
} from '../billing-fixtures.ts'

const order: BankReply['order'] = {
  txid: TXID,
  pixKey: aPix.key,
  payeeName: 'Padaria',
  payeeCity: 'BRASIL',
  valueCents: 15_050,
  dueDate: '2026-11-30',
}
const title: PixTitle = { txid: TXID, dynamicCode: null, cancelled: false, payments: [] }
const done: BankAnswer<PixTitle> = { outcome: 'done', value: title }
const asking: Partial<Charge> = { operation: 'create', dueAt: '2026-11-23T13:06:09.123Z', pix: null }
const decide = (answer: BankAnswer<PixTitle> | null, over: Partial<Charge> = {}) =>
  decideTitle(detailOf({ ...asking, ...over }), answer && { order, answer }, freshAt())
const outcome = (made: ReturnType<typeof decide>): Either<Failure, ChargeDetail> => answerOf(made)
const chargeOf = (made: ReturnType<typeof decide>): Charge => {
  const got = outcome(made)
  if (got._tag === 'Left') throw new Error(got.left.code)
  return got.right.charge
}

test('the title is there: the charge has its Pix, nothing more is asked, and charge.created is told', (t) => {
  const made = decide(done)
  const { changes } = decisionOf(made)
  t.like(patched(changes)[0], { set: { pix: aPix, operation: null, dueAt: null } })
  t.deepEqual(
    toldBy(changes).map(({ type, status, hasPix }) => [type, status, hasPix]),
    [['charge.created', 'pending', true]],
  )
  t.like(chargeOf(made), { status: 'pending', pix: aPix, operation: null })
})

test("the bank's own code is kept where it makes one", (t) => {
  const made = decide({ outcome: 'done', value: { ...title, dynamicCode: '000201…' } })
  t.is(chargeOf(made).pix?.dynamicCode, '000201…')
})

test('a refusal fails the charge, keeps why, tells it, and is the answer', (t) => {
  const made = decide({ outcome: 'refused', reason: 'Sem limite.' })
  const { changes } = decisionOf(made)
  t.like(patched(changes)[0], { set: { status: 'failed', failure: 'Sem limite.', operation: null, dueAt: null } })
  t.deepEqual(
    toldBy(changes).map(({ type, status }) => [type, status]),
    [['charge.failed', 'failed']],
  )
  t.deepEqual(failureOf(outcome(made)), { tag: 'refused', code: 'bank.refused', reason: 'Sem limite.' })
})

test('a bank that was certainly not asked fails it likewise', (t) => {
  const made = decide({ outcome: 'unavailable' })
  t.like(patched(decisionOf(made).changes)[0], { set: { status: 'failed', failure: 'unavailable' } })
  t.deepEqual(failureOf(outcome(made)), { tag: 'refused', code: 'bank.unavailable' })
})

test('a bank that the first could not reach may have been asked by another since: then nothing is decided', (t) => {
  const made = decide({ outcome: 'unavailable' }, { attempts: 1 })
  t.deepEqual(decisionOf(made).changes, [])
  t.like(chargeOf(made), { status: 'pending', operation: 'create' })
  const { changes } = decisionOf(decide({ outcome: 'unavailable' }))
  t.is(become({ ...detailOf(asking).charge, attempts: 1 }, changes), null)
})

test('a time-out changes nothing but when it is asked again: after 5 s, doubling to ten minutes', (t) => {
  const waits = [0, 1, 2, 6, 7, 1_000].map((attempts) => {
    const made = decide({ outcome: 'unknown' }, { attempts })
    const { changes } = decisionOf(made)
    t.is(changes.length, 1)
    t.like(chargeOf(made), { status: 'pending', pix: null, operation: 'create' })
    const dueAt = patched(changes)[0]?.set?.dueAt
    return (Date.parse(String(dueAt)) - Date.parse('2026-11-23T13:05:09.123Z')) / 1_000
  })
  t.deepEqual(waits, [5, 10, 20, 320, 600, 600])
})

test('whoever comes after the answer changes nothing and is told the same', (t) => {
  for (const answer of [done, null]) {
    const made = decide(answer, { operation: null, pix: aPix })
    t.deepEqual(decisionOf(made).changes, [])
    t.like(chargeOf(made), { status: 'pending', pix: aPix })
    const failed = decide(answer, { operation: null, status: 'failed', failure: 'Sem limite.' })
    t.deepEqual(decisionOf(failed).changes, [])
    t.like(failureOf(outcome(failed)), { code: 'bank.refused', reason: 'Sem limite.' })
    const away = decide(answer, { operation: null, status: 'failed', failure: 'unavailable' })
    t.like(failureOf(outcome(away)), { code: 'bank.unavailable' })
  }
  t.like(failureOf(decideTitle(null, null, freshAt())), { code: 'charge.unknown' })
})

test('a refusal that comes when the charge is over already moves it nowhere and is told to nobody', (t) => {
  for (const status of ['expired', 'cancelled', 'DELETED', 'paid'] as const) {
    const made = decide({ outcome: 'refused', reason: 'Tarde.' }, { status })
    const { changes } = decisionOf(made)
    t.is(patched(changes)[0]?.set?.status, undefined)
    t.deepEqual(toldBy(changes), [])
    t.like(failureOf(outcome(made)), { code: 'bank.refused' })
  }
})

test('an answer is recorded once, and never over a status that it was not decided on', (t) => {
  const { changes } = decisionOf(decide({ outcome: 'refused', reason: 'Não.' }))
  const asked = detailOf(asking).charge
  t.like(become(asked, changes), { status: 'failed', operation: null })
  t.is(become({ ...asked, operation: null }, changes), null)
  t.is(become({ ...asked, status: 'paid' }, changes), null)
})

test('a charge that is none is unknown to whoever carries it on', async (t) => {
  const ports = memoryPorts({ clock: setClock(NOW) })
  for (const id of [7, Number.NaN, 1.5, -1])
    t.like(await resumeTitle(ports)(id)(), { left: { code: 'charge.unknown' } }, `${id}`)
})
