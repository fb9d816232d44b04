import test from 'ava'
import { isLeft } from '../../../../core/failure.ts'
import { always, eq, insert, patch } from '../../../../core/kernel/records/record.ts'
import type { Fresh } from '../../../../core/kernel/running/use-case.ts'
import { accounts } from '../../../../core/payments/accounts/account.ts'
import {
  CHARGE_STATUSES,
  type Charge,
  type ChargeStatus,
  chargeMoves,
  chargeStatusView,
  charges,
  lapsesAtOf,
  statusAt,
} from '../../../../core/payments/charges/charge.ts'
import type { ChargeDetail } from '../../../../core/payments/charges/detail.ts'
import { decideCancellation, decideExpiry } from '../../../../core/payments/charges/end.ts'
import { partsAfterRefund } from '../../../../core/payments/charges/partial.ts'
import { decideConfirmation } from '../../../../core/payments/charges/payment.ts'
import { clients } from '../../../../core/payments/customers/client.ts'
import { events } from '../../../../core/payments/events.ts'
import { type Entry, entries, journals, newLedgerAccount } from '../../../../core/payments/ledger/ledger.ts'
import type { payments } from '../../../../core/payments/payments.ts'
import type { PaymentNotice, ReceivedPix } from '../../../../core/ports/bank.ts'
import { byId, groupOf } from '../../../../core/ports/store.ts'
import { onWire } from '../../kernel/input/reads.ts'
import {
  aCharge,
  aClient,
  aNotice,
  anAccount,
  answerOf,
  applyTo,
  detailOf,
  eventsIn,
  freshAt,
  inserted,
  paymentFacts,
  TXID,
  unsealed,
} from '../records.ts'
import { column, failureOf, NOW, openPayments, right } from '../world.ts'

const HOOKS = ['https://merchant.example/hook']
const accountWith = (pixInCents: number) => anAccount({ taxes: { ...anAccount().taxes, pixInCents } })
const confirm = (over: Partial<Charge> = {}, notice: Partial<PaymentNotice> = {}, pixInCents = 0) => {
  const facts = paymentFacts(over, accountWith(pixInCents))
  return decideConfirmation(unsealed, facts, aNotice(notice), freshAt('2026-11-24T03:00:00.000Z'))
}

const afterPayment: Readonly<
  Record<ChargeStatus, readonly [status: ChargeStatus, event: string, paid: number | null]>
> = {
  pending: ['paid', 'charge.paid', 15_050],
  expired: ['paid', 'charge.paid', 15_050],
  paid: ['paid', 'pix.received', 25_050],
  paidwithpix: ['paidwithpix', 'pix.received', 25_050],
  cancelled: ['cancelled', 'pix.received', 15_050],
  DELETED: ['DELETED', 'pix.received', 15_050],
  failed: ['failed', 'pix.received', 15_050],
}
for (const status of CHARGE_STATUSES)
  test(`posts and records a payment of a ${status} charge, which is ${afterPayment[status][0]} after it`, (t) => {
    const isPaid = status.startsWith('paid')
    const before = isPaid ? { status, amountPaidCents: 10_000, paymentDate: '2026-11-20' } : { status }
    const { changes } = right(confirm(before))
    const [expected, event, paid] = afterPayment[status]
    const after = applyTo(aCharge(before), changes)
    const paidOn = { pending: '2026-11-23', expired: '2026-11-23', paid: '2026-11-20', paidwithpix: '2026-11-20' }
    t.like(after, { status: expected, amountPaidCents: paid, paymentDate: Reflect.get(paidOn, status) ?? null })
    const reais = paid === null ? null : paid / 100
    t.deepEqual(eventsIn(changes), [{ type: event, status: expected, hasPix: true, paid: reais, urls: HOOKS }])
    t.is(inserted(changes, journals).length, 1)
    t.deepEqual(column(inserted(changes, entries), 'valueCents'), [15_050])
    // The commit fails if the status has changed since the decision.
    for (const other of CHARGE_STATUSES)
      t.is(applyTo(aCharge({ ...before, status: other }), changes) !== null, other === status, other)
  })

test('records a late payment as an over-payment of a paid charge only, and decides it again after another payment', (t) => {
  const late = (status: ChargeStatus) => {
    const charge = aCharge({ status, amountPaidCents: 10_000 })
    const facts = paymentFacts(charge, anAccount({ acceptPartial: true }))
    const { changes } = right(decideConfirmation(unsealed, facts, aNotice(), freshAt()))
    const after = applyTo(charge, changes)
    const isStale = applyTo({ ...charge, amountPaidCents: 20_000 }, changes) === null
    return [after?.overpaidCents, column(eventsIn(changes), 'type'), isStale]
  }
  t.deepEqual(late('paid'), [15_050, ['pix.received', 'charge.overpaid'], true])
  t.deepEqual(late('cancelled'), [null, ['pix.received'], false])
})

test('takes a refund out of the newest payments of an open charge, so that interest counts from the same days as before them', (t) => {
  const received = [
    { day: '2026-11-20', cents: 5_000 },
    { day: '2026-12-04', cents: 2_000 },
    { day: '2026-12-07', cents: 1_000 },
  ]
  const charge = aCharge({ received })
  const again = (valueCents: number) => partsAfterRefund(charge, { valueCents, overCents: null })
  t.deepEqual(again(2_500)?.received, [
    { day: '2026-11-20', cents: 5_000 },
    { day: '2026-12-04', cents: 500 },
  ])
  t.deepEqual(again(8_000), { received: [], valuePaidCents: 0 })
  t.is(partsAfterRefund(aCharge({ received, status: 'paid' }), { valueCents: 1, overCents: null }), null)
})

test('stores the day of the payment in São Paulo, not that of the notice', (t) => {
  const paidOn = (paidAt: string) => applyTo(aCharge(), right(confirm({}, { paidAt })).changes)?.paymentDate
  t.is(paidOn('2026-11-23T02:59:59.999Z'), '2026-11-22')
  t.is(paidOn('2026-11-23T03:00:00.000Z'), '2026-11-23')
})

const fees: readonly (readonly [value: number, fee: number, values: readonly number[]])[] = [
  [15_050, 0, [15_050]],
  [15_050, 99, [15_050, -99]],
  [99, 99, [99, -99]],
  [1, 99, [1, -1]],
]
for (const [valueCents, fee, values] of fees)
  test(`posts ${values.join(' and ')} for ${valueCents} cents at a fee of ${fee}`, (t) => {
    const { changes } = right(confirm({ description: 'Aula' }, { valueCents }, fee))
    const posted = inserted(changes, entries)
    t.deepEqual(column(posted, 'valueCents'), values)
    t.deepEqual(column(posted, 'typeId'), [1, 3].slice(0, values.length))
    for (const entry of posted)
      t.like(entry, { chargeId: 7, txid: TXID, endToEnd: aNotice().endToEndId, description: 'Aula', status: 1 })
    t.is(inserted(changes, journals)[0]?.cause, `pix-in:${aNotice().endToEndId}`)
  })

test('changes nothing for a posted payment, and refuses one of an unknown title', (t) => {
  const [posted] = inserted(right(confirm()).changes, entries) as unknown as readonly Entry[]
  const facts = { ...paymentFacts({ status: 'paid' }), posted: posted ?? null }
  const again = decideConfirmation(unsealed, facts, aNotice(), freshAt())
  t.deepEqual(right(again).changes, [])
  t.deepEqual(answerOf(again), { chargeId: 7, posted: false })
  t.deepEqual(answerOf(confirm()), { chargeId: 7, posted: true })
  t.like(failureOf(decideConfirmation(unsealed, null, aNotice(), freshAt())), { code: 'title.unknown' })
  const other = decideConfirmation(unsealed, facts, aNotice({ valueCents: 1 }), freshAt())
  t.like(failureOf(other), { tag: 'conflict', code: 'payment.contradictory' })
  const elsewhere = decideConfirmation(unsealed, { ...facts, detail: detailOf({ id: 8 }) }, aNotice(), freshAt())
  t.like(failureOf(elsewhere), { tag: 'conflict', code: 'payment.elsewhere' })
})

const LAST = '2026-12-01T02:59:59.999Z'
const OVER = '2026-12-01T03:00:00.000Z'

const ENDS = [
  ['cancelled', (of: ChargeDetail | null, at: Fresh) => decideCancellation(of, TXID, at), LAST, OVER, 'title.unknown'],
  ['expired', decideExpiry, OVER, LAST, 'charge.unknown'],
] as const
for (const [ended, decide, at, otherTime, unknown] of ENDS)
  test(`moves only a pending charge to ${ended}, and records it`, (t) => {
    const { changes } = right(decide(detailOf(), freshAt(at)))
    t.like(applyTo(aCharge(), changes), { status: ended, updatedAt: at })
    t.like(eventsIn(changes), [{ type: `charge.${ended}`, status: ended }])
    t.is(applyTo(aCharge({ status: 'paid' }), changes), null)
    for (const status of CHARGE_STATUSES.filter((each) => each !== 'pending')) {
      const made = decide(detailOf({ status }), freshAt(at))
      t.deepEqual([right(made).changes, answerOf(made).status], [[], status])
    }
    t.deepEqual(right(decide(detailOf(), freshAt(otherTime))).changes, [])
    t.like(failureOf(decide(null, freshAt())), { code: unknown })
  })

test('expires a Pix at the end of its due day in São Paulo, moved to a business day', (t) => {
  const dueDate = '2026-11-30'
  t.is(lapsesAtOf({ paymentMethod: 'PIX', dueDate }), OVER)
  // A Saturday, Christmas on a Friday, and Carnival's Monday after a Sunday.
  t.is(lapsesAtOf({ paymentMethod: 'PIX', dueDate: '2026-12-19' }), '2026-12-22T03:00:00.000Z')
  t.is(lapsesAtOf({ paymentMethod: 'PIX', dueDate: '2026-12-25' }), '2026-12-29T03:00:00.000Z')
  t.is(lapsesAtOf({ paymentMethod: 'PIX', dueDate: '2027-02-07' }), '2027-02-11T03:00:00.000Z')
  t.is(lapsesAtOf({ paymentMethod: 'BOLETO', dueDate: '2026-12-19' }), '2027-01-19T03:00:00.000Z')
  t.is(lapsesAtOf({ paymentMethod: 'BOLETO', dueDate }), '2026-12-31T03:00:00.000Z')
  t.is(lapsesAtOf({ paymentMethod: 'BOLEPIX', dueDate }), '2026-12-31T03:00:00.000Z')
  t.is(lapsesAtOf({ paymentMethod: 'CREDIT_CARD', dueDate }), null)
  t.is(statusAt(aCharge(), LAST), 'pending')
  t.is(statusAt(aCharge(), OVER), 'expired')
  t.is(statusAt(aCharge({ status: 'paid' }), OVER), 'paid')
  t.is(statusAt(aCharge({ lapsesAt: null }), OVER), 'pending')
  t.deepEqual(right(decideExpiry(detailOf({ lapsesAt: null }), freshAt(OVER))).changes, [])
})

test('shows the ids and descriptions of statuses, and allows only the moves of the table', (t) => {
  const views = CHARGE_STATUSES.map((status) => Object.values(onWire(chargeStatusView, status)).join(' '))
  t.deepEqual(views, [
    '1 pending Pendente',
    '2 paid Pago',
    '3 cancelled Cancelado',
    '4 expired Expirado',
    '5 failed Falhou',
    '6 DELETED Apagado',
    '7 paidwithpix Pago com Pix',
  ])
  for (const status of CHARGE_STATUSES) t.is(chargeMoves.can(status, 'DELETED'), status !== 'DELETED')
  t.deepEqual([...chargeMoves.next('pending')].sort(), [
    'DELETED',
    'cancelled',
    'expired',
    'failed',
    'paid',
    'paidwithpix',
  ])
  t.is(charges.keys?.txid?.(aCharge()), TXID)
})

const KEY = '7d9f0335-8dcc-4054-9bf9-0dbd61d36906'
const FEES = { ...anAccount().taxes, pixInCents: 99 }

const aPix = (over: Partial<ReceivedPix> = {}): ReceivedPix => ({
  endToEndId: 'E01181521202611231305AAAAAAAAAAA',
  txid: null,
  pixKey: KEY,
  valueCents: 5_000,
  paidAt: NOW,
  payer: { name: 'José', document: '11144477735', bank: null, branch: null, account: null },
  ...over,
})

/** An account with a key and a fee, another without; a charge of the first. */
const fixtures = async () => {
  const { pay, ports, every } = openPayments()
  await ports.store.commit([
    insert(accounts, anAccount({ id: 1, uuid: 'u1', codeAccount: 'c1', pixKey: KEY, taxes: FEES })),
    insert(accounts, anAccount({ id: 2, uuid: 'u2', codeAccount: 'c2', pixKey: null })),
    newLedgerAccount(1, 'main', NOW),
    insert(clients, { ...aClient, id: 1, accountId: 1 }),
    insert(charges, aCharge({ id: 1, accountId: 1, clientId: 1, txid: 'T1' })),
  ])
  const lines = async () =>
    (await every(entries)).map((line) => [line.accountId, line.chargeId, line.txid, line.typeId, line.valueCents])
  const recorded = async () =>
    (await every(events)).map(({ type, data, subjectId }) => ({ type, subjectId, data: JSON.parse(data) }))
  return { pay, lines, recorded }
}

const codeOf = (outcome: Awaited<ReturnType<ReturnType<ReturnType<typeof payments>['bank']['received']>>>) =>
  isLeft(outcome) ? outcome.left.code : outcome.right

test('does not post a payment both for a charge and without one', async (t) => {
  const { pay, lines } = await fixtures()
  const notice = aNotice({ txid: 'T1', valueCents: 5_000 })
  await pay.bank.paid(notice)()
  const { endToEndId } = notice
  t.deepEqual(codeOf(await pay.bank.received(aPix({ endToEndId }))()), { accountId: 1, posted: false })
  t.is(codeOf(await pay.bank.received(aPix({ endToEndId, valueCents: 1 }))()), 'payment.contradictory')
  t.is((await lines()).length, 2)
  await pay.bank.received(aPix())()
  const paid = await pay.bank.paid(aNotice({ txid: 'T1', endToEndId: aPix().endToEndId, valueCents: 5_000 }))()
  t.like(paid, { left: { code: 'payment.elsewhere' } })
  t.is((await lines()).length, 4)
})

test('caps the fee at the payment, and refuses a Pix of an unknown key', async (t) => {
  const { pay, lines, recorded } = await fixtures()
  t.is(codeOf(await pay.bank.received(aPix({ pixKey: 'outra@example.com' }))()), 'account.unknown')
  for (const wrong of [{ valueCents: 0 }, { endToEndId: '' }, { paidAt: 'ontem' }, { pixKey: ' ' }])
    t.is(codeOf(await pay.bank.received(aPix(wrong))()), 'fields')
  t.deepEqual([await lines(), await recorded()], [[], []])
  await pay.bank.received(aPix({ valueCents: 1 }))()
  t.deepEqual(
    (await lines()).map((line) => line.at(-1)),
    [1, -1],
  )
})

/** A deleted charge of R$ 100.00 that was paid before, and one that was not, each with a payment after the deletion. */
const opened = async () => {
  const world = openPayments()
  const { pay, store, bank, charge } = world
  const merchant = await world.merchant()
  const deleted = async (isPaidBefore: boolean) => {
    const { id, txid } = await charge(merchant, { valueCents: 10_000 })
    const payBy = async (valueCents: number) => right(await bank.pay({ txid: txid ?? '', valueCents })())
    if (isPaidBefore) await payBy(10_000)
    right(await pay.charges.delete(merchant.member, id)())
    await payBy(2_500)
    return { id, payBy }
  }
  const [paid, unpaid] = [await deleted(true), await deleted(false)]
  const amounts = async () =>
    Promise.all([paid, unpaid].map(async ({ id }) => (await store.find(byId(charges, id)))?.amountPaidCents))
  /** Sets the amounts that releases before 0.22.0 stored. */
  const asBefore = () =>
    store.commit([
      patch(charges, paid.id, { set: { amountPaidCents: 10_000 }, when: always }),
      patch(charges, unpaid.id, { set: { amountPaidCents: null }, when: always }),
    ])
  const tallied = async () => {
    const where = eq('accountId', merchant.id)
    const [row] = await store.group(groupOf(charges, { where, by: [], sum: ['amountPaidCents'] }))
    return row?.sums.amountPaidCents
  }
  /** Runs the jobs and migrations. */
  const work = async () => {
    const worker = pay.worker()
    await worker.prepare()
    await worker.drain()
  }
  return { ...world, paid, unpaid, amounts, asBefore, tallied, work }
}

test('counts the payments of deleted charges, also those that former releases posted without counting them', async (t) => {
  const { work, clock, unpaid, amounts, asBefore, tallied } = await opened()
  t.deepEqual(await amounts(), [12_500, 2_500])
  await asBefore()
  t.is(await tallied(), 10_000)
  await work()
  t.deepEqual(await amounts(), [12_500, 2_500])
  t.is(await tallied(), 15_000)
  await unpaid.payBy(500)
  t.deepEqual(await amounts(), [12_500, 3_000])
  clock.advance(3_600)
  await work()
  t.deepEqual(await amounts(), [12_500, 3_000])
  t.is(await tallied(), 15_500)
})

test('counts a payment that arrives while the former ones are counted', async (t) => {
  const { work, unpaid, amounts, asBefore } = await opened()
  await asBefore()
  await Promise.all([work(), unpaid.payBy(500)])
  t.is((await amounts())[1], 3_000)
})
