import test from 'ava'
import { isLeft } from '../../../../core/failure.ts'
import { type BankReply, bankOperations, type Operation } from '../../../../core/payments/bank/operation.ts'
import { sicrediBoleto } from '../../../../core/payments/boleto.ts'
import { decideUpdate } from '../../../../core/payments/charges/change.ts'
import type { Charge } from '../../../../core/payments/charges/charge.ts'
import { otherTitles } from '../../../../core/payments/charges/detail.ts'
import { decideDeletion, decideDeletionReply } from '../../../../core/payments/charges/end.ts'
import { decideReplacement, type ReplacedTitle } from '../../../../core/payments/charges/replace-title.ts'
import { checkedTitle, titleOrder } from '../../../../core/payments/charges/titles.ts'
import { decideCancellationReply } from '../../../../core/payments/charges/write.ts'
import { ledgerAccounts } from '../../../../core/payments/ledger/ledger.ts'
import type { TitleOrder } from '../../../../core/ports/bank.ts'
import {
  aCharge,
  anAccount,
  anOperation,
  aPix,
  applyTo,
  aTitle,
  detailOf,
  eventsIn,
  freshAt,
  inserted,
  patched,
  TXID,
  unsealed,
} from '../records.ts'
import { failureOf, NOW, openPayments, right } from '../world.ts'

const NEW = 'Z9y8X7w6V5u4T3s2R1q0P9o8N'
const busy: Partial<Charge> = { operationId: NEW }
const operationOf = (over: Partial<Operation> = {}): Operation =>
  anOperation({ id: NEW, kind: 'replace-title', ...over })
const made = { pix: { ...aPix, txid: NEW }, boleto: null, isCancelled: false, mismatch: null }
const done = (over: Partial<ReplacedTitle> = {}): BankReply<ReplacedTitle> => ({
  outcome: 'done',
  value: { made, formerTxid: TXID, change: { valueCents: 200 }, refusal: null, ...over },
})
const decide = (reply: BankReply<ReplacedTitle>, over: Partial<Charge> = {}, operation: Partial<Operation> = {}) => {
  const {
    is,
    value,
    changes = [],
  } = decideReplacement(unsealed, operationOf(operation), detailOf({ ...busy, ...over }), reply, freshAt())
  return {
    is,
    code: isLeft(value) ? value.left.code : value.right.isAnswered,
    after: applyTo(aCharge({ ...busy, ...over }), changes),
    recorded: eventsIn(changes).map(({ type }) => type),
    started: inserted(changes, bankOperations).map(({ kind }) => kind),
    others: changes.filter(({ at }) => at[0] === otherTitles.name).map(({ at }) => at[1]),
    books: patched(changes, ledgerAccounts).map(({ add }) => add?.availableCents),
  }
}

test('replaces the title and keeps the former one payable', (t) => {
  const { after, ...decided } = decide(done())
  t.like(after, { txid: NEW, pix: { txid: NEW }, valueCents: 200, operationId: null, status: 'pending' })
  t.deepEqual(decided, { is: 'done', code: true, recorded: ['charge.updated'], started: [], others: [TXID], books: [] })
})

const KEPT = { txid: TXID, valueCents: 15_050, pix: aPix, status: 'pending' } as const

test('keeps the charge and closes the new title if the bank refuses', (t) => {
  const cases = [
    [{ outcome: 'refused', reason: 'Sem limite.' }, {}, 'refused', 'bank.refused', []],
    [done({ refusal: 'Título pago.' }), {}, 'refused', 'bank.refused', ['cancel-title']],
    [{ outcome: 'unavailable' }, {}, 'refused', 'bank.unavailable', []],
    [{ outcome: 'unavailable' }, { attempts: 1 }, 'superseded', false, []],
    [{ outcome: 'unknown' }, {}, 'asking', false, []],
    [{ outcome: 'withdrawn' }, {}, 'withdrawn', true, []],
  ] as const
  for (const [reply, operation, is, code, started] of cases) {
    const decided = decide(reply, {}, operation)
    t.deepEqual([decided.is, decided.code, decided.started, decided.recorded], [is, code, [...started], []])
    t.like(decided.after, KEPT)
    if (is === 'refused' && started.length === 0) t.is(decided.after?.operationId, null)
  }
})

test('closes the new title of a charge that ended or was paid meanwhile', (t) => {
  for (const status of ['paid', 'expired', 'cancelled', 'DELETED'] as const) {
    const { is, code, started, recorded, after } = decide(done(), { status })
    t.deepEqual([is, code, started, recorded], ['done', 'charge.not-pending', ['cancel-title'], []], status)
    t.is(decide({ outcome: 'withdrawn' }, { status }).code, 'charge.not-pending')
    t.like(after, { status, txid: TXID })
  }
  t.is(decide(done(), { lapsesAt: NOW }).started.length, 1)
  // Another operation runs by now.
  t.deepEqual(decide(done(), { operationId: 'another' }).started, [])
  // A partial payment leaves nothing to pay of the new value.
  const paid = (cents: number) => decide(done(), { received: [{ day: '2026-11-23', cents }] })
  const { is, code, started, after } = paid(200)
  t.deepEqual([is, code, started], ['done', 'charge.busy', ['cancel-title']])
  t.like(after, KEPT)
  t.is(paid(199).after?.valueCents, 200)
})

test('records the refusal of a title for the rest, unless another operation of the charge runs by now', (t) => {
  const refusal = { outcome: 'refused', reason: 'Sem limite.' } as const
  const inPart: Partial<Charge> = { received: [{ day: '2026-11-23', cents: 100 }] }
  const own = decide(refusal, inPart)
  t.deepEqual([own.recorded, own.after?.restRefusedCents], [['charge.rest_refused'], 100])
  const other = decide(refusal, { ...inPart, operationId: 'another' })
  t.deepEqual([other.code, other.recorded, other.after?.restRefusedCents], ['bank.refused', [], null])
})

test('releases the issue fee of a failed replacement, and posts it after a successful one', (t) => {
  const issueFee = { cents: 600, state: 'reserved' } as const
  const refused = decide({ outcome: 'refused', reason: 'Sem limite.' }, { issueFee })
  t.deepEqual([refused.books, refused.after?.issueFee], [[600], null])
  const posted = decide(done(), { issueFee })
  t.deepEqual(posted.books, [600, -600])
  t.deepEqual(posted.after?.issueFee, { cents: 600, state: 'posted' })
  const before = { cents: 600, state: 'posted' } as const
  t.deepEqual(decide(done(), { issueFee: before }).books, [])
  t.deepEqual(decide({ outcome: 'refused', reason: 'x' }, { issueFee: before }).after?.issueFee, before)
})

const order: TitleOrder = {
  ...titleOrder(TXID, 'BOLEPIX', { ...detailOf({}), account: anAccount() }),
  valueCents: 15_050,
  dueDate: '2026-11-30',
}
const number = { agency: '0101', posto: '01', beneficiary: '12345', year: '26', byte: '2', sequence: 1 }
const boleto = sicrediBoleto({ ...number, valueCents: 15_050, dueDate: '2026-11-30' })
const title = aTitle({ boleto })

test('rejects a boleto whose digits differ from its charge', (t) => {
  t.like(checkedTitle(order, title, '748'), { mismatch: null, boleto, pix: { txid: TXID } })
  const wrong = [
    [{ ...title, boleto: null }, '748', 'none'],
    [
      { ...title, boleto: { ...boleto, digitableLine: boleto.digitableLine.replace(/.$/, '1') } },
      '748',
      'digitable-line',
    ],
    [title, '341', 'bank'],
    [{ ...title, boleto: sicrediBoleto({ ...number, valueCents: 15_051, dueDate: '2026-11-30' }) }, '748', 'value'],
    [{ ...title, boleto: sicrediBoleto({ ...number, valueCents: 15_050, dueDate: '2026-12-01' }) }, '748', 'due-date'],
  ] as const
  for (const [each, compe, mismatch] of wrong) t.is(checkedTitle(order, each, compe).mismatch, mismatch)
  const long = { ...order, txid: 'a'.repeat(32) }
  t.is(checkedTitle(long, { ...title, txid: long.txid }, '748').mismatch, 'code')
  t.is(checkedTitle(long, { ...title, txid: long.txid, dynamicCode: '000201…' }, '748').mismatch, null)
})

const deletion = (charge: Partial<Charge>, running: Operation | null = null) => {
  const made = decideDeletion(unsealed, { detail: detailOf(charge), running }, freshAt())
  if (isLeft(made)) return made.left.code
  const { changes } = made.right
  return [applyTo(aCharge(charge), changes)?.status, inserted(changes, bankOperations).map(({ kind }) => kind)]
}

test('deletes a charge without an open title at once, and closes an open title first', (t) => {
  t.deepEqual(deletion({}), ['pending', ['delete-charge']])
  t.deepEqual(deletion({ status: 'expired' }), ['expired', ['delete-charge']])
  for (const status of ['paid', 'paidwithpix', 'cancelled', 'failed'] as const)
    t.deepEqual(deletion({ status }), ['DELETED', []], status)
  t.deepEqual(deletion({ status: 'DELETED' }), ['DELETED', []])
  t.deepEqual(deletion({ pix: null, operationId: TXID }), ['DELETED', []])
  t.is(deletion({ operationId: 'another' }), 'charge.busy')
  t.is(isLeft(decideDeletion(unsealed, null, freshAt())), true)
})

test('deletes a charge after the bank has closed its title, and keeps it if the bank refuses', (t) => {
  const deleting = { operationId: 'op' }
  const operation = { ...operationOf(), id: 'op', kind: 'delete-charge' }
  const after = (reply: BankReply<null>, over: Partial<Charge> = {}) => {
    const { is, changes = [] } = decideDeletionReply(operation, detailOf({ ...deleting, ...over }), reply, freshAt())
    return [is, applyTo(aCharge({ ...deleting, ...over }), changes)?.status, eventsIn(changes).length]
  }
  t.deepEqual(after({ outcome: 'done', value: null }), ['done', 'DELETED', 1])
  t.deepEqual(after({ outcome: 'withdrawn' }), ['withdrawn', 'DELETED', 1])
  t.deepEqual(after({ outcome: 'refused', reason: 'Título pago.' }), ['refused', 'pending', 0])
  t.deepEqual(after({ outcome: 'unavailable' }), ['refused', 'pending', 0])
  t.deepEqual(after({ outcome: 'unknown' }), ['asking', 'pending', 0])
  // Paid meanwhile: the charge is deleted too, and its payment stays.
  t.deepEqual(after({ outcome: 'done', value: null }, { status: 'paid', amountPaidCents: 1 }), ['done', 'DELETED', 1])
})

const update = (charge: Partial<Charge>, change: Parameters<typeof decideUpdate>[2]) =>
  decideUpdate(
    openPayments().ports,
    { detail: detailOf(charge), account: anAccount(), book: null, place: null },
    change,
    freshAt(),
  )

test('makes the new title payable before the bank has answered', (t) => {
  const { changes = [] } = right(update({}, { valueCents: 200 } as never))
  const [operation] = inserted(changes, bankOperations)
  const other = changes.find(({ at }) => at[0] === otherTitles.name)
  t.truthy(operation)
  t.deepEqual(other?.at, [otherTitles.name, operation?.id])
})

test('refuses to change the value and the due date of a card charge', (t) => {
  const issuesOf = (change: object) => {
    const failed = failureOf(update({ paymentMethod: 'CREDIT_CARD', pix: null }, change as never))
    return failed?.tag === 'invalid' ? failed.issues.map(({ path, code }) => `${path} ${code}`) : []
  }
  for (const change of [{ valueCents: 200 }, { dueDate: '2026-12-01' }])
    t.deepEqual(issuesOf(change), ['valueCents charge.card-value'])
  t.deepEqual(issuesOf({ valueCents: 15_050, dueDate: '2026-11-30' }), [])
})

test('the answer to a cancellation ends no other operation of the charge', (t) => {
  const after = (operationId: string) => {
    const charge = aCharge({ operationId })
    const { changes = [] } = decideCancellationReply(operationOf(), charge, { outcome: 'done', value: null }, freshAt())
    return applyTo(charge, changes)?.operationId
  }
  t.is(after(operationOf().id), null)
  t.is(after('another'), 'another')
})
