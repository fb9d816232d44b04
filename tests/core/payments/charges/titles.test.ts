import test from 'ava'
import { isLeft } from '../../../../core/failure.ts'
import { always, patch } from '../../../../core/kernel/records/record.ts'
import { accounts } from '../../../../core/payments/accounts/account.ts'
import { type BankReply, bankOperations, type Operation } from '../../../../core/payments/bank/operation.ts'
import { type Charge, charges } from '../../../../core/payments/charges/charge.ts'
import { decideCancellation } from '../../../../core/payments/charges/end.ts'
import {
  type CheckedTitle,
  decideLateTitle,
  decideTitle,
  postOwedFee,
  resumeTitle,
  titleOrder,
} from '../../../../core/payments/charges/titles.ts'
import { MISMATCHED_TITLE } from '../../../../core/payments/charges/write.ts'
import { entries, ledgerAccounts } from '../../../../core/payments/ledger/ledger.ts'
import {
  aCharge,
  aClient,
  anAccount,
  anOperation,
  aPix,
  applyTo,
  detailOf,
  eventsIn,
  freshAt,
  inserted,
  patched,
  TXID,
  unsealed,
} from '../records.ts'
import { failureOf, NOW, openPayments, right } from '../world.ts'

const asking: Partial<Charge> = { operationId: TXID, pix: null }
const done = (over: Partial<CheckedTitle> = {}): BankReply<CheckedTitle> => ({
  outcome: 'done',
  value: { pix: aPix, boleto: null, isCancelled: false, mismatch: null, ...over },
})
const REFUSED: BankReply<CheckedTitle> = { outcome: 'refused', reason: 'Sem limite.' }
const decide = (reply: BankReply<CheckedTitle>, over: Partial<Charge> = {}, operation: Partial<Operation> = {}) => {
  const {
    is,
    value,
    changes = [],
  } = decideTitle(unsealed, anOperation(operation), detailOf({ ...asking, ...over }), reply, freshAt())
  return {
    is,
    charge: isLeft(value) ? null : value.right.charge,
    failure: isLeft(value) ? value.left : null,
    changes,
    set: patched(changes)[0]?.set,
    recorded: eventsIn(changes).map(({ type, status, hasPix }) => [type, status, hasPix]),
    started: inserted(changes, bankOperations),
  }
}

const NEXT_YEAR = { lapsesAt: '2027-01-01T03:00:00.000Z', updatedAt: '2027-01-01T03:00:01.000Z' } as const
const bankRefused = (reason: string) => ({ tag: 'refused', code: 'bank.refused', reason })
type Becomes = Partial<Omit<ReturnType<typeof decide>, 'set' | 'charge'>> & {
  readonly set?: object
  readonly charge?: object
}

const replies: readonly (readonly [
  name: string,
  reply: BankReply<CheckedTitle>,
  becomes: Becomes,
  over?: Partial<Charge>,
  operation?: Partial<Operation>,
])[] = [
  [
    'stores the Pix of a created title, ends the operation and records charge.created',
    done(),
    {
      is: 'done',
      set: { pix: aPix, operationId: null },
      recorded: [['charge.created', 'pending', true]],
      charge: { status: 'pending', pix: aPix, operationId: null },
    },
  ],
  [
    'stores the title of a charge that was paid before the answer',
    done(),
    { set: { pix: aPix, operationId: null, status: undefined }, recorded: [['charge.created', 'paid', true]] },
    { status: 'paid' },
  ],
  [
    'does not treat a pending charge as closed because of the time of its last write',
    done(),
    { set: { pix: aPix, failure: undefined }, recorded: [['charge.created', 'pending', true]] },
    NEXT_YEAR,
  ],
  [
    'ends an unwanted operation that the bank does not know without an event',
    { outcome: 'withdrawn' },
    { is: 'withdrawn', set: { operationId: null, failure: 'withdrawn' }, charge: { status: 'expired', pix: null } },
    { status: 'expired' },
  ],
  [
    'fails the charge at a refusal, stores and records the reason, and returns it',
    REFUSED,
    {
      is: 'refused',
      set: { status: 'failed', failure: 'Sem limite.', operationId: null },
      recorded: [['charge.failed', 'failed', false]],
      failure: bankRefused('Sem limite.') as never,
    },
  ],
  [
    'fails the charge if the request was certainly not sent',
    { outcome: 'unavailable' },
    {
      is: 'refused',
      set: { status: 'failed', failure: 'unavailable' },
      recorded: [['charge.failed', 'failed', false]],
      failure: { tag: 'refused', code: 'bank.unavailable' } as never,
    },
  ],
  [
    'decides nothing at an unavailable bank if another attempt has run since',
    { outcome: 'unavailable' },
    { is: 'superseded', changes: [], charge: { status: 'pending', operationId: TXID } },
    {},
    { attempts: 1 },
  ],
  [
    'leaves the charge unchanged at a time-out',
    { outcome: 'unknown' },
    { is: 'asking', changes: [], charge: { status: 'pending', pix: null, operationId: TXID } },
  ],
]
for (const [name, reply, becomes, over, operation] of replies)
  test(name, (t) => {
    const decided = decide(reply, over, operation)
    t.deepEqual([decided.recorded, decided.started], [becomes.recorded ?? [], []])
    t.like(decided, becomes)
  })

test('treats a charge as closed that was written after its end, even if the bank was asked before', (t) => {
  const { set, recorded, started } = decide(done(), { status: 'paid', ...NEXT_YEAR })
  t.like(set, { pix: undefined, failure: 'withdrawn' })
  t.deepEqual(recorded, [])
  t.is(started.length, 1)
})

const LAPSED = '2026-11-23T13:05:09.000Z'
const OVER: readonly Partial<Charge>[] = [
  { status: 'expired' },
  { status: 'cancelled' },
  { status: 'failed' },
  { status: 'DELETED' },
  // The job has not moved it yet.
  { lapsesAt: LAPSED },
  // It had expired when it was paid.
  { status: 'paid', lapsesAt: LAPSED },
]
for (const over of OVER) {
  const name = [over.status ?? 'pending', ...(over.lapsesAt ? ['and over'] : [])].join(' ')

  test(`closes the title of a charge that is ${name} in the same commit, without an event`, (t) => {
    const { is, set, recorded, started, charge } = decide(done(), over)
    t.is(is, 'done')
    t.deepEqual(recorded, [])
    t.like(started, [{ kind: 'cancel-title', subject: [charges.name, 7], state: 'asking', dueAt: NOW, accountId: 1 }])
    t.is(started[0]?.order, JSON.stringify({ txid: TXID }))
    t.like(set, { operationId: started[0]?.id, failure: 'withdrawn' })
    t.like(charge, { pix: null, status: over.status ?? 'pending' })
  })

  test(`does not close a title again that the bank has closed: ${name}`, (t) => {
    const { started, set, recorded } = decide(done({ isCancelled: true }), over)
    t.deepEqual([started, recorded], [[], []])
    t.like(set, { operationId: null, failure: 'withdrawn' })
  })
}

test('fails the charge of a title that differs from the order, and closes the title in the same commit', (t) => {
  const { is, set, recorded, started, failure } = decide(done({ mismatch: 'value' }))
  t.is(is, 'refused')
  t.like(started, [{ kind: 'cancel-title', state: 'asking' }])
  t.like(set, { status: 'failed', failure: MISMATCHED_TITLE, operationId: started[0]?.id, pix: undefined })
  t.deepEqual(recorded, [['charge.failed', 'failed', false]])
  t.deepEqual<unknown, unknown>(failure, bankRefused(MISMATCHED_TITLE))
  const closed = decide(done({ mismatch: 'value', isCancelled: true }))
  t.deepEqual(closed.started, [])
  t.like(closed.set, { status: 'failed', failure: MISMATCHED_TITLE, operationId: null })
})

test('releases the issue fee if the bank refuses the title, and posts it for a created one', (t) => {
  const issueFee = { cents: 250, state: 'reserved' } as const
  const books = (reply: BankReply<CheckedTitle>) =>
    patched(decide(reply, { issueFee }).changes, ledgerAccounts).map(({ add }) => add)
  t.deepEqual(books(REFUSED), [{ availableCents: 250 }])
  t.deepEqual(books(done()), [{ availableCents: 250 }, { balanceCents: -250, availableCents: -250, seq: 1 }])
})

test('does not move a closed charge at a refusal, and records no event', (t) => {
  for (const status of ['expired', 'cancelled', 'DELETED', 'paid'] as const) {
    const { set, recorded, failure } = decide(REFUSED, { status })
    t.is(set?.status, undefined)
    t.deepEqual(recorded, [])
    t.like(failure, { code: 'bank.refused' })
  }
})

test('records an answer once, and only on the status of the decision', (t) => {
  const { changes } = decide(REFUSED)
  const asked = detailOf(asking).charge
  t.like(applyTo(asked, changes), { status: 'failed', operationId: null })
  t.is(applyTo({ ...asked, operationId: null }, changes), null)
  t.is(applyTo({ ...asked, operationId: 'another' }, changes), null)
  t.is(applyTo({ ...asked, status: 'paid' }, changes), null)
})

const late = (reply: BankReply<CheckedTitle> | null, over: Partial<Charge>, state: Operation['state'] = 'refused') => {
  const { value, changes = [] } = decideLateTitle(unsealed, anOperation({ state }), detailOf(over), reply, freshAt())
  return {
    recorded: isLeft(value) ? value.left : value.right.charge.status,
    started: inserted(changes, bankOperations),
    changes,
  }
}

test('returns the same result after the answer and changes nothing', (t) => {
  for (const reply of [done(), REFUSED, null]) {
    t.deepEqual(late(reply, { pix: aPix }, 'done'), { recorded: 'pending', started: [], changes: [] })
  }
  const failed = { status: 'failed', pix: null } as const
  t.like(late(null, { ...failed, failure: 'Sem limite.' }), {
    recorded: { code: 'bank.refused', reason: 'Sem limite.' },
    changes: [],
  })
  t.like(late(REFUSED, { ...failed, failure: 'unavailable' }), { recorded: { code: 'bank.unavailable' }, changes: [] })
  t.like(late(null, { status: 'expired', pix: null, failure: 'withdrawn' }), { recorded: 'expired', changes: [] })
  t.like(decideLateTitle(unsealed, anOperation({ state: 'done' }), null, null, freshAt()), {
    value: { left: { code: 'charge.unknown' } },
  })
})

test('closes the title of a delayed call after a refusal, unless another operation runs', (t) => {
  const failed = { status: 'failed', pix: null, failure: 'Sem limite.' } as const
  const { started, changes } = late(done(), failed)
  t.like(started, [{ kind: 'cancel-title' }])
  t.like(applyTo(aCharge(failed), changes), { operationId: started[0]?.id, status: 'failed' })
  t.is(applyTo(aCharge({ ...failed, operationId: 'another' }), changes), null)
  t.deepEqual(late(done(), { ...failed, operationId: 'another' }).changes, [])
  t.deepEqual(late(done({ isCancelled: true }), failed).changes, [])
})

test('fails with charge.unknown when resuming an unknown charge', async (t) => {
  const { ports } = openPayments()
  for (const id of [7, Number.NaN, 1.5, -1, '7', 'nunca', ''])
    t.like(await resumeTitle(ports)(id)(), { left: { code: 'charge.unknown' } }, `${id}`)
})

test('a Pix has the amount due on its due day, and a boleto the face value', (t) => {
  const charge = { valueCents: 10_000, discountHundredths: 500, typeDiscount: 'ABSOLUTE' } as const
  const orderedCents = (paymentMethod: 'PIX' | 'BOLETO') =>
    titleOrder('T1', paymentMethod, {
      charge: aCharge({ ...charge, paymentMethod }),
      account: anAccount(),
      client: aClient,
    }).valueCents
  t.deepEqual([orderedCents('PIX'), orderedCents('BOLETO')], [9_500, 10_000])
})

test('orders a title with the due day and the rates of its charge', (t) => {
  const rates = {
    ...({ amountRateHundredths: 100, typeRate: 'PERCENTAGE', fineHundredths: 200 } as const),
    ...({ typeFine: 'PERCENTAGE', discountHundredths: 500, typeDiscount: 'ABSOLUTE' } as const),
    dueDate: '2026-12-30',
  }
  t.like(titleOrder('T1', 'BOLETO', { charge: aCharge(rates), account: anAccount(), client: aClient }), rates)
})

test('posts an owed fee up to the rest of the payment', (t) => {
  const charge = aCharge({ issueFee: { state: 'owed', cents: 200 } })
  const posted = (leftCents: number) =>
    inserted(postOwedFee(freshAt(), charge, leftCents), entries).map((entry) => Reflect.get(entry, 'valueCents'))
  t.deepEqual([posted(300), posted(150), posted(0)], [[-200], [-150], []])
})

test('a title that the bank closed cancels its charge only if it is the current one', (t) => {
  const changesAt = (txid: string) =>
    right(decideCancellation(detailOf({ txid: 'NEW' }), txid, freshAt())).changes.length
  t.true(changesAt('NEW') > 0)
  t.is(changesAt('OLD'), 0)
})

/** A boleto of R$ 150.50 in a test account, of which R$ 100.50 were paid. */
const withPart = async () => {
  const world = openPayments()
  const merchant = await world.merchant()
  await world.store.commit([patch(accounts, merchant.id, { set: { acceptPartial: true }, when: always })])
  const { id, txid } = await world.charge(merchant, { paymentMethod: 'BOLETO', dueDate: '2026-12-31' })
  return {
    ...world,
    payPart: async () => right(await world.bank.pay({ txid: txid ?? '', valueCents: 10_050 })()),
    simulate: () => world.pay.charges.simulatePayment(merchant.member, `${id}`)(),
    stored: async () => right(await world.pay.charges.read(merchant.member, `${id}`)()).charge,
  }
}

test('simulates the payment of the rest of a boleto once the boleto of the rest is registered', async (t) => {
  const { payPart, simulate, drain } = await withPart()
  await payPart()
  t.is(failureOf(await simulate())?.code, 'charge.busy')
  await drain()
  t.like(right(await simulate()).charge, { status: 'paid', amountPaidCents: 15_050 })
})

test('simulates no payment of a rest whose boleto the bank refused', async (t) => {
  const { payPart, simulate, drain, bank, stored } = await withPart()
  right(await bank.fail({ id: 'create_boleto', mode: 'refuse', times: 1 })())
  await payPart()
  await drain()
  t.is(failureOf(await simulate())?.code, 'boleto.unknown')
  t.like(await stored(), { status: 'pending', amountPaidCents: 10_050 })
})
