import type { Title } from '../../../adapters/bank/fake/books.ts'
import type { Account } from '../../../core/payments/accounts/account.ts'
import type { Charge } from '../../../core/payments/charges/charge.ts'
import { receivedCents } from '../../../core/payments/charges/detail.ts'
import type { Refund } from '../../../core/payments/charges/refund-records.ts'
import { CHARGE_EVENTS } from '../../../core/payments/charges/write.ts'
import type { Event } from '../../../core/payments/events.ts'
import { type Entry, PIX_IN, PIX_REFUND } from '../../../core/payments/ledger/ledger.ts'
import { groupBy, sumOf } from '../../simulation/invariants/judged.ts'

type Terms = Pick<Account, 'acceptPartial' | 'partialToleranceCents'>

/** A charge after its entries. */
interface Replayed {
  readonly status: 'pending' | 'paid'
  readonly paidCents: number
  /** The payments less the refunds, which the payer owes again. */
  readonly keptCents: number
  /** The over-payment, refunded or not. */
  readonly overCents: number
  readonly types: readonly string[]
}

const UNPAID: Replayed = { status: 'pending', paidCents: 0, keptCents: 0, overCents: 0, types: [] }

/** Applies a payment: it pays the charge if at most the tolerance is left, or if the account receives no parts. */
const pay = (before: Replayed, terms: Terms, { valueCents: dueCents }: Charge, cents: number): Replayed => {
  const paidCents = before.paidCents + cents
  const keptCents = before.keptCents + cents
  const wasPaid = before.status === 'paid'
  const isPaid = wasPaid || !terms.acceptPartial || dueCents - keptCents <= (terms.partialToleranceCents ?? 0)
  const beyondCents = wasPaid ? cents : Math.max(0, keptCents - dueCents)
  const overCents = terms.acceptPartial ? beyondCents : 0
  const first = isPaid ? 'charge.paid' : 'charge.partially_paid'
  const types = [...before.types, wasPaid ? 'pix.received' : first, ...(overCents > 0 ? ['charge.overpaid'] : [])]
  return { status: isPaid ? 'paid' : 'pending', paidCents, keptCents, overCents: before.overCents + overCents, types }
}

const refund = (before: Replayed, cents: number): Replayed => ({
  ...before,
  keptCents: before.keptCents - (before.status === 'paid' ? 0 : cents),
  types: [...before.types, 'charge.refunded'],
})

const isEnded = ({ status }: Charge): boolean => status === 'cancelled' || status === 'failed'

/**
 * Applies the entries of a charge in the order of the ledger. A payment after its end is paid, and no part of its
 * value. The events tell how many of the last payments these are, because the times of two processes do not order them.
 */
const replay = (charge: Charge, terms: Terms, lines: readonly Entry[], own: readonly Event[]): Replayed => {
  const late = isEnded(charge) ? own.filter(({ type }) => type === 'pix.received').length : 0
  let open = lines.filter(({ typeId }) => typeId !== PIX_REFUND.id).length - late
  return lines.reduce((before, { typeId, valueCents }) => {
    if (typeId === PIX_REFUND.id) return refund(before, -valueCents)
    open -= 1
    return open >= 0 ? pay(before, terms, charge, valueCents) : payLate(before, valueCents)
  }, UNPAID)
}

const payLate = (before: Replayed, cents: number): Replayed => ({
  ...before,
  paidCents: before.paidCents + cents,
  types: [...before.types, 'pix.received'],
})

/** Returns a fault if the values differ. */
export const differenceOf = (what: string, actual: unknown, expected: unknown): readonly string[] => {
  const [is, should] = [JSON.stringify(actual), JSON.stringify(expected)]
  return is === should ? [] : [`${what}: ${is} and not ${should}`]
}

/** The charges of a store, with the records that decide their state. */
interface Records {
  readonly accounts: readonly Account[]
  readonly charges: readonly Charge[]
  readonly entries: readonly Entry[]
  readonly events: readonly Event[]
  readonly refunds: readonly Refund[]
}

const MOVES: readonly number[] = [PIX_IN.id, PIX_REFUND.id]
/** The events of payments, refunds and the end of a charge, without those of new titles. */
const TYPES: ReadonlySet<string> = new Set(
  [...CHARGE_EVENTS, 'charge.refunded'].filter((type) => type !== 'charge.updated'),
)

/**
 * Each charge has the status, the amounts and the over-payment to which its payments and refunds lead in the order of
 * the ledger, and one event for each change.
 */
export const chargeFaults = ({ accounts, charges, entries, events, refunds }: Records): readonly string[] => {
  const moves = entries.filter(({ typeId }) => MOVES.includes(typeId)).toSorted((a, b) => a.seq - b.seq)
  const linesOf = groupBy(moves, ({ chargeId }) => chargeId)
  const ownEvents = groupBy(
    events.filter(({ type }) => TYPES.has(type)),
    ({ subjectId }) => subjectId,
  )
  const refundsOf = groupBy(refunds, ({ chargeId }) => chargeId)
  const owners = new Map(accounts.map((account) => [account.id, account]))
  return charges.flatMap((charge) => {
    const { id, accountId, status, pix, received } = charge
    const terms = owners.get(accountId) ?? { acceptPartial: null, partialToleranceCents: null }
    const after = replay(charge, terms, linesOf.get(id) ?? [], ownEvents.get(id) ?? [])
    const own = refundsOf.get(id) ?? []
    const back = own.filter((each) => each.status === 'completed').map(({ valueCents }) => valueCents)
    const overBack = own.filter((each) => each.status !== 'failed').map(({ overCents }) => overCents ?? 0)
    const types = [
      ...(isEnded(charge) ? [`charge.${status}`] : []),
      ...(pix === null ? [] : ['charge.created']),
      ...after.types,
    ]
    const is = {
      status,
      paidCents: charge.amountPaidCents ?? 0,
      refundedCents: charge.refundedCents ?? 0,
      overCents: charge.overpaidCents ?? 0,
      partsCents: received === null || status !== 'pending' ? 0 : receivedCents(charge),
      types: (ownEvents.get(id) ?? []).map(({ type }) => type).toSorted(),
    }
    return differenceOf(`charge ${id}`, is, {
      status: isEnded(charge) ? status : after.status,
      paidCents: after.paidCents,
      refundedCents: sumOf(back),
      overCents: after.overCents - sumOf(overBack),
      partsCents: status === 'pending' ? after.keptCents : 0,
      types: types.toSorted(),
    })
  })
}

/** The title of a pending charge requests its rest, and each former or unused title is closed. */
export const openTitleFaults = (charges: readonly Charge[], titles: readonly Title[], others: readonly string[]) => {
  const atBank = new Map(titles.map((title) => [title.id, title]))
  const current = new Set(charges.map(({ txid }) => txid))
  return [
    ...charges
      .filter(({ status }) => status === 'pending')
      .flatMap((charge) => {
        const { status, valueCents } = atBank.get(charge.txid ?? '') ?? {}
        const restCents = charge.valueCents - receivedCents(charge)
        return differenceOf(`title of charge ${charge.id}`, [status, valueCents], ['open', restCents])
      }),
    ...others
      .filter((txid) => !current.has(txid) && atBank.get(txid)?.status === 'open')
      .map((txid) => `the former title ${txid} is open`),
  ]
}
