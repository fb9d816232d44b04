import test from 'ava'
import { setClock } from '../../../../adapters/clock/set-clock.ts'
import { isLeft } from '../../../../core/failure.ts'
import { type BankReply, bankOperations } from '../../../../core/payments/bank/operation.ts'
import { cardOf } from '../../../../core/payments/cards/card.ts'
import {
  type CardCharge,
  type CardFacts,
  CHARGE_CARD,
  cardResult,
  chargeCard,
  decideCardReply,
  decideLateCard,
  sendCard,
} from '../../../../core/payments/charges/card.ts'
import { type Charge, type ChargeStatus, charges } from '../../../../core/payments/charges/charge.ts'
import { decideNotice } from '../../../../core/payments/charges/notifications.ts'
import { entries } from '../../../../core/payments/ledger/ledger.ts'
import type { Acquirer, CardDecision } from '../../../../core/ports/acquirer.ts'
import { byId } from '../../../../core/ports/store.ts'
import { cardBody } from '../../../apps/given/cards.ts'
import { anAccount, anOperation, applyTo, detailOf, eventsIn, freshAt, inserted, unsealed } from '../records.ts'
import { NOW, openPayments, PAYER, right } from '../world.ts'

const BEFORE_LOST = '2026-11-23T13:06:08.123Z'
const LOST = '2026-11-23T13:06:09.123Z'
const PRINTED = { cardNumber: '4111111111111111', cvv: '737', cardholderName: 'MARIA', expiry: '12/30' }
const ORDER = {
  id: 'kVh2aQ0mZr8TgW5xYc3LdP',
  valueCents: 100,
  installments: 1,
  brand: 'visa',
  last4: '1111',
  payeeName: 'Padaria',
  lostAt: LOST,
} as const

const silent: Acquirer = {
  charge: async () => ({ outcome: 'unknown' }),
  find: async () => ({ outcome: 'done', value: null }),
  void: async () => ({ outcome: 'done', value: null }),
}

test('does not send a card that could arrive after its order counts as lost', async (t) => {
  const sentAt = async (now: string) =>
    (await sendCard({ acquirer: silent, clock: setClock(now) }, cardOf(PRINTED))(ORDER)).outcome
  t.is(await sentAt(NOW), 'unknown')
  t.is(await sentAt('2026-11-23T13:05:39.122Z'), 'unknown')
  t.is(await sentAt('2026-11-23T13:05:39.123Z'), 'unavailable')
  t.is(await sentAt('2026-11-23T14:00:00.000Z'), 'unavailable')
  // A clock ahead of the wall clock.
  const ahead = setClock(NOW)
  ahead.jump(3_600)
  t.is((await sendCard({ acquirer: silent, clock: ahead }, cardOf(PRINTED))(ORDER)).outcome, 'unavailable')
})

/** A charge without an answer: the acquirer is asked at one time and answers at another. */
const askedAbout = async (askedAt: string, heardAt: string) => {
  const clock = setClock(NOW)
  const find: Acquirer['find'] = async () => {
    clock.set(heardAt)
    return { outcome: 'done', value: null }
  }
  const { pay, ports, merchant } = openPayments({ clock, instead: () => ({ acquirer: { ...silent, find } }) })
  const { member } = await merchant()
  const { expiry: _, ...plastic } = PRINTED
  const issued = right(
    await pay.charges.issue(member, {
      valueCents: 100,
      paymentMethod: 'CREDIT_CARD',
      dueDate: '2026-11-30',
      payer: PAYER,
      address: cardBody().address,
      card: { ...plastic, expiryMonth: 12, expiryYear: 2030 },
    })(),
  )
  const { id, code } = issued.charge
  clock.set(askedAt)
  await chargeCard(ports).resume(code)()
  return (await ports.store.find(byId(charges, id)))?.status
}

test('keeps an order open that was in flight when the acquirer did not know it, even if that answer is late', async (t) => {
  t.is(await askedAbout(BEFORE_LOST, BEFORE_LOST), 'pending')
  t.is(await askedAbout(BEFORE_LOST, LOST), 'pending')
  t.is(await askedAbout(LOST, LOST), 'failed')
})

const CODE = 'kVh2aQ0mZr8TgW5xYc3LdP'
const CARD = {
  brand: 'visa',
  last4: '1111',
  holder: 'MARIA',
  installments: 1,
  valueCents: 15_050,
  token: null,
  feeCents: null,
  netCents: null,
} as const
const ONCE_PAID = { paymentDate: '2026-11-23', amountPaidCents: 15_050 } as const
const OF_CARD = { paymentMethod: 'CREDIT_CARD', txid: null, pix: null, lapsesAt: null } as const

/** A charge whose card is being charged, on an account that pays 2%. */
const factsOf = (over: Partial<Charge> = {}): CardFacts => {
  const detail = detailOf({ ...OF_CARD, operationId: CODE, ...over })
  const charge: CardCharge = { ...detail.charge, card: CARD }
  const account = anAccount({ taxes: { ...anAccount().taxes, feeHundredths: 200 } })
  return { detail: { ...detail, charge }, account, tries: [], place: null, receivers: [] }
}

const operation = anOperation({ id: CODE, kind: CHARGE_CARD.kind })

const done = (status: CardDecision['status']): BankReply<CardDecision> => ({
  outcome: 'done',
  value: { status, token: 'tok', reason: status === 'declined' ? 'Sem limite.' : null },
})

const seen = (
  facts: CardFacts,
  { value, changes = [] }: Pick<ReturnType<typeof decideLateCard>, 'value' | 'changes'>,
) => {
  const after = applyTo(facts.detail.charge, changes)
  return {
    status: after?.status,
    isFree: after?.operationId === null,
    started: inserted(changes, bankOperations).map(({ kind }) => kind),
    posted: inserted(changes, entries).map(({ typeId, status, valueCents }) => [typeId, status, valueCents].join(' ')),
    recorded: eventsIn(changes).map(({ type }) => type),
    failure: isLeft(value) ? value.left.code : null,
  }
}

const decide = (reply: BankReply<CardDecision>, over: Partial<Charge> = {}, attempts = 0) => {
  const facts = factsOf(over)
  const verdict = decideCardReply(unsealed, { ...operation, attempts }, facts, reply, freshAt(NOW))
  return { is: verdict.is, ...seen(facts, verdict) }
}

const NOTHING = { started: [], posted: [], recorded: [], failure: null }
const PAID = { posted: ['16 5 14749'], recorded: ['charge.created', 'charge.paid'] }

type Seen = ReturnType<typeof decide>
const FAILED: Partial<Seen> = { is: 'refused', status: 'failed', recorded: ['charge.failed'], failure: 'card.declined' }

const replies: readonly (readonly [
  name: string,
  reply: BankReply<CardDecision>,
  becomes: Partial<Seen>,
  over?: Partial<Charge>,
  attempts?: number,
])[] = [
  ['approved', done('approved'), { is: 'done', status: 'paid', ...PAID }],
  ['pending', done('pending'), { is: 'done', status: 'pending', recorded: ['charge.created'] }],
  ['declined', done('declined'), FAILED],
  ['voided there', done('voided'), { is: 'done', status: 'cancelled', recorded: ['charge.cancelled'] }],
  ['refused', { outcome: 'refused', reason: 'Não.' }, FAILED],
  ['unavailable', { outcome: 'unavailable' }, { ...FAILED, failure: 'bank.unavailable' }],
  [
    'unavailable to the first attempt while another runs',
    { outcome: 'unavailable' },
    { is: 'superseded', status: 'pending', isFree: false },
    {},
    1,
  ],
  ['unknown', { outcome: 'unknown' }, { is: 'asking', status: 'pending', isFree: false }],
  [
    'withdrawn from a deleted charge',
    { outcome: 'withdrawn' },
    { is: 'withdrawn', status: 'DELETED' },
    { status: 'DELETED' },
  ],
  ['declined for a deleted charge', done('declined'), { is: 'refused', status: 'DELETED' }, { status: 'DELETED' }],
]
for (const [name, reply, becomes, over, attempts] of replies)
  test(`${name}: ${becomes.status}, ${becomes.recorded?.join(' and ') ?? 'no event'}`, (t) => {
    t.deepEqual(decide(reply, over, attempts), { ...NOTHING, isFree: true, ...becomes } as Seen)
  })

for (const status of ['DELETED', 'cancelled', 'failed', 'expired'] satisfies ChargeStatus[])
  for (const decision of ['approved', 'pending'] as const)
    test(`voids a sale that is ${decision} for a ${status} charge, without an event`, (t) => {
      const made = decide(done(decision), { status })
      t.like(made, { status, isFree: false, started: ['cancel-title'], posted: [], recorded: [] })
    })

test('applies a late answer if the charge still waits for it; otherwise changes nothing', (t) => {
  const late = (decision: CardDecision['status'] | null, over: Partial<Charge>) => {
    const facts = factsOf({ operationId: null, ...over })
    return seen(facts, decideLateCard(unsealed, facts, decision && done(decision), freshAt(NOW)))
  }
  t.like(late('approved', {}), { status: 'paid', recorded: ['charge.paid'], posted: ['16 5 14749'] })
  t.like(late('pending', {}), { status: 'pending', ...NOTHING })
  t.like(late('declined', {}), { status: 'failed', recorded: ['charge.failed'] })
  t.like(late('approved', { status: 'paid', ...ONCE_PAID }), { status: 'paid', ...NOTHING })
  t.like(late('declined', { status: 'paid', ...ONCE_PAID }), { status: 'paid', ...NOTHING })
  t.like(late('approved', { status: 'failed', failure: 'x' }), { status: 'failed', started: ['cancel-title'] })
  // Already being voided.
  t.like(late('approved', { status: 'failed', failure: 'x', operationId: 'V1' }), { started: [], isFree: false })
  t.like(late(null, { status: 'failed', failure: 'unavailable' }), { failure: 'bank.unavailable', started: [] })
  t.is(isLeft(cardResult(factsOf({ failure: 'withdrawn' }).detail)), false)
})

test('keeps the posting of a deleted paid charge when the approval is repeated', (t) => {
  const facts = factsOf({ operationId: null, status: 'DELETED', ...ONCE_PAID })
  const notice = { id: CODE, status: 'approved', token: 'tok', reason: null } as const
  const recorded = decideNotice(unsealed, facts, notice, freshAt(NOW))
  t.deepEqual(isLeft(recorded) ? recorded.left : recorded.right.changes, [])
  const late = seen(facts, decideLateCard(unsealed, facts, done('approved'), freshAt(NOW)))
  t.like(late, { status: 'DELETED', isFree: true, ...NOTHING })
})

test('applies a notice at once, ends the running charge operation, and waits for a running void', (t) => {
  const tell = (over: Partial<Charge>) => {
    const facts = factsOf(over)
    const notice = { id: CODE, status: 'approved', token: 'tok', reason: null } as const
    const made = decideNotice(unsealed, facts, notice, freshAt(NOW))
    if (isLeft(made)) return made.left.tag
    const ends = made.right.changes.some(({ at: [from, id] }) => from === bankOperations.name && id === CODE)
    return `${applyTo(facts.detail.charge, made.right.changes)?.status} ${ends}`
  }
  t.is(tell({ operationId: null }), 'paid false')
  t.is(tell({ operationId: CODE }), 'paid true')
  t.is(tell({ operationId: 'D1' }), 'unavailable')
  t.is(tell({ operationId: null, status: 'paid', ...ONCE_PAID }), 'paid false')
  const none = decideNotice(unsealed, null, { id: CODE, status: 'approved', token: null, reason: null }, freshAt(NOW))
  t.is(isLeft(none) ? none.left.code : null, 'charge.unknown')
})
