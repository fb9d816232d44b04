import { type Charge, isOpen, statusAt } from '../../../core/payments/charges/charge.ts'
import { isRestRefused, isTitleOutdated, receivedCents } from '../../../core/payments/charges/detail.ts'
import { valuePaid } from '../../../core/payments/charges/partial.ts'
import type { Event } from '../../../core/payments/events.ts'
import { payloadOf } from '../../../core/payments/webhooks/subscriber.ts'
import { isOneKey, ONE_REQUEST } from '../actors/cast.ts'
import { MOST_SKEW_MS } from '../environment/agenda.ts'
import { takenFor } from './cards.ts'
import { groupBy, type Invariant, type MoneyInvariant, repeated, sumOf, unless } from './judged.ts'

/**
 * The amount paid of a charge is the sum of its postings, also of those after its end; a charge without any has none.
 */
export const paidAsPosted: Invariant = ({ held, environment }) => {
  const taken = takenFor(held)
  return held.charges.flatMap((charge) => {
    const { id, status, amountPaidCents, paymentDate, received } = charge
    const payments = taken.get(id) ?? []
    const expected = payments.length === 0 ? null : sumOf(payments)
    const wasPaid = environment.watch.statuses.get(id)?.some((each) => each === 'paid' || each === 'paidwithpix')
    return unless([
      [amountPaidCents === expected, `charge ${id} has ${amountPaidCents} paid, and ${expected} was posted`],
      [expected === null || received !== null || !isOpen(charge), `charge ${id} is ${status} and was paid`],
      [wasPaid === (paymentDate !== null), `charge ${id} was paid on ${paymentDate}`],
    ])
  })
}

/**
 * The partial payments of an open charge are what was received and not returned. Its title asks for the rest, or is
 * about to be replaced, or the bank has refused that, unless its last day is over. The stored part of its value that
 * was paid is that of its payments. No more is over than was received and not returned.
 */
export const restAsPaid: MoneyInvariant = ({ now, held }) => {
  const waiting = new Set(held.restTitles.flatMap(({ id, dueAt }) => (dueAt === null ? [] : [Number(id)])))
  return held.charges.flatMap((charge) => {
    const { id, amountPaidCents, refundedCents, overpaidCents, operationId, received } = charge
    const valuePaidCents = valuePaid(charge).valuePaidCents ?? null
    // The bank may return more than was paid.
    const keptCents = Math.max(0, (amountPaidCents ?? 0) - (refundedCents ?? 0))
    const isAsked =
      statusAt(charge, now) !== 'pending' || waiting.has(id) || operationId !== null || isRestRefused(charge)
    return unless([
      [
        received === null || !isOpen(charge) || receivedCents(charge) === keptCents,
        `charge ${id} has parts of ${receivedCents(charge)}, and kept ${keptCents}`,
      ],
      [
        !isOpen(charge) || charge.valuePaidCents === valuePaidCents,
        `charge ${id} has other than ${valuePaidCents} paid`,
      ],
      [!isTitleOutdated(charge) || isAsked, `charge ${id} asks for another amount than its rest`],
      [(overpaidCents ?? 0) <= keptCents, `charge ${id} has ${overpaidCents} over of ${keptCents}`],
      [(overpaidCents ?? 0) >= 0, `charge ${id} has ${overpaidCents} over`],
    ])
  })
}

/** A charge has a running operation, or else a title or a failure. */
export const askedUntilAnswered: Invariant = ({ held, bank }) => {
  const titles = new Set(bank.titles.map(({ txid }) => txid))
  const paid = new Set(bank.payments.map(({ txid }) => txid))
  // A paid title is not closed.
  const open = new Set(
    bank.titles.filter(({ txid, cancelled }) => !cancelled && !paid.has(txid)).map(({ txid }) => txid),
  )
  const asking = new Map(held.operations.filter(({ dueAt }) => dueAt !== null).map((each) => [each.id, each]))
  const known = new Set([...held.charges.map(({ txid }) => txid), ...held.operations.map(({ id }) => id)])
  return [
    ...held.charges.flatMap(({ id, operationId, failure, status, txid, ...charge }) => {
      // Cards are checked by `cardsAnswered`.
      if (charge.card !== null) return []
      const isCreating = operationId !== null && operationId === txid
      const isTitled = charge.pix !== null || charge.boleto !== null
      return unless([
        [operationId === null || asking.has(operationId), `charge ${id}: operation ${operationId} is not due`],
        [!isCreating || (!isTitled && failure === null), `charge ${id} is asked for and answered`],
        [isCreating || isTitled === (failure === null), `charge ${id} has no answer, or two`],
        [status !== 'failed' || failure !== null, `charge ${id} failed without a reason`],
        [!isTitled || titles.has(txid ?? ''), `charge ${id} has a title that no bank knows`],
        [charge.pix === null || charge.pix.txid === txid, `charge ${id} has the Pix of another`],
        [
          failure === null || operationId !== null || !open.has(txid ?? '') || asking.has(txid ?? ''),
          `charge ${id} has no title, and the bank holds it open`,
        ],
      ])
    }),
    ...bank.titles
      .filter(({ txid }) => open.has(txid) && !known.has(txid))
      .map(({ txid }) => `title ${txid} is of no charge`),
  ]
}

/** Reports whether the charge has a title or a card token, and so a `charge.created` event. */
const isTaken = ({ pix, boleto, card }: Charge): boolean =>
  pix !== null || boleto !== null || (card?.token ?? null) !== null

/** Reports whether an end event came before `charge.created`. */
const endedBefore = (told: readonly string[]): boolean => {
  const end = told.findIndex((type) => ENDS.includes(type))
  return end !== -1 && told.indexOf('charge.created') > end
}

const ENDS: readonly string[] = ['charge.failed', 'charge.expired', 'charge.cancelled', 'charge.deleted']
const COUNTED = [
  'charge.created',
  'charge.failed',
  'charge.paid',
  'charge.expired',
  'charge.cancelled',
  'charge.deleted',
] as const

/** Each change of a charge has one event, with the amount paid at that time. */
export const toldOnce: Invariant = ({ held, environment }) => {
  const events = groupBy(held.events, ({ subjectId }) => subjectId)
  const taken = takenFor(held)
  return held.charges.flatMap((charge) => {
    const { id, code, operationId, txid } = charge
    const own = events.get(id) ?? []
    const was = new Set(environment.watch.statuses.get(id))
    const wasPaid = was.has('paid') || was.has('paidwithpix')
    const counts = COUNTED.map((type) => own.filter((event) => event.type === type).length)
    const expected = [
      isTaken(charge) ? 1 : 0,
      was.has('failed') ? 1 : 0,
      wasPaid ? 1 : 0,
      was.has('expired') ? 1 : 0,
      was.has('cancelled') ? 1 : 0,
      was.has('DELETED') ? 1 : 0,
    ]
    const amounts = taken.get(id) ?? []
    const received = own.filter(({ type }) => type === 'pix.received' || type === 'charge.partially_paid').length
    return unless([
      [String(counts) === String(expected), `charge ${id} told ${COUNTED} ${counts} times and not ${expected}`],
      [received === amounts.length - (wasPaid ? 1 : 0), `charge ${id} told ${received} times of more money`],
      [
        operationId === null || operationId !== (txid ?? code) || !was.has('failed'),
        `charge ${id} failed and is asked for`,
      ],
      [!endedBefore(environment.watch.told.get(id) ?? []), `charge ${id} was told as created after its end`],
      [toldAmounts(own) === runningSums(amounts), `charge ${id} told other sums than it had`],
    ])
  })
}

const TOLD_PAYMENTS: readonly string[] = ['charge.paid', 'charge.partially_paid', 'pix.received']

/** Returns the amounts of the payment events, sorted: the order of events is not guaranteed. */
const toldAmounts = (own: readonly Event[]): string =>
  String(
    own
      .filter(({ type }) => TOLD_PAYMENTS.includes(type))
      .map(toldCents)
      .sort((a, b) => a - b),
  )

const told = new WeakMap<Event, number>()

/** Returns the amount paid in the payload of an event, in cents. */
const toldCents = (event: Event): number => {
  const known = told.get(event)
  if (known !== undefined) return known
  const { amount_paid: reais } = JSON.parse(payloadOf(event)).data as { readonly amount_paid: number | null }
  const cents = Math.round((reais ?? 0) * 100)
  told.set(event, cents)
  return cents
}

const runningSums = (cents: readonly number[]): string => {
  let sum = 0
  return String(
    cents.map((each) => {
      sum += each
      return sum
    }),
  )
}

/** A code, a txid and a key belong to one charge, and a document to one client of an account. */
export const chargedOnce: Invariant = ({ held, environment, cast }) => {
  const unkeyed = held.charges.flatMap(({ description }) => (description?.startsWith(ONE_REQUEST) ? [description] : []))
  const ofKeys = cast.orders
    .filter((order) => isOneKey(order, environment.agenda.nowMs()))
    .map(({ key }) => held.charges.filter(({ description, failure }) => description === key && failure === null))
  return [
    ...repeated(held.charges.map(({ code }) => code)).map((code) => `code ${code} is of several charges`),
    ...repeated(held.charges.flatMap(({ txid }) => txid ?? [])).map((txid) => `txid ${txid} is of several charges`),
    ...repeated(unkeyed).map((request) => `${request} made several charges`),
    ...ofKeys.filter(({ length }) => length > 1).map(([first]) => `${first?.description} made several charges`),
    ...repeated(held.clients.map(({ accountId, document }) => `${accountId}|${document}`)).map(
      (it) => `client ${it} is there twice`,
    ),
  ]
}

/** No entry is dated and no charge expires in the future, although clocks were set ahead. */
export const inTime: Invariant = ({ held, environment }) => {
  const latest = new Date(environment.agenda.nowMs() + MOST_SKEW_MS).toISOString()
  return [
    ...held.entries.filter(({ datetime }) => datetime > latest).map(({ id }) => `entry ${id} is dated ahead`),
    ...held.charges
      .filter(({ status, lapsesAt }) => status === 'expired' && (lapsesAt ?? latest) > latest)
      .map(({ id }) => `charge ${id} expired before its time`),
  ]
}
