import { all, type Collection, eq, not, orNull, patch, record, t, word } from '../../core/kernel/records/record.ts'
import { applyOutcome, type Queue, queueOf, queueParts } from '../../core/kernel/running/queue.ts'
import { orThrow } from '../../core/kernel/running/use-case.ts'
import { startOfDay } from '../../core/kernel/values/day.ts'
import {
  type ChargeMoney,
  dayOf,
  type Event,
  findChargeMoney,
  isLeft,
  type PaymentsPart,
  type Subscriber,
  subscriber,
} from '../../core/mod.ts'
import type { ChargeNotifications } from '../../core/ports/charging.ts'
import { byKey, type Store } from '../../core/ports/store.ts'

const received = record({ valueCents: t.number, paidAt: t.string, method: word('Pix', 'Boleto') })

const chargedOrder = record({
  /** The reference of the order. */
  id: t.string,
  /** The account that receives it. */
  accountId: t.number,
  /** The title's id at the bank, by which an interrupted issue is resumed. */
  intent: t.string,
  begunAt: t.string,
  /** Null until the charge is issued. */
  chargeId: orNull(t.number),
  /** The payment that settled it; null before. */
  received: orNull(received),
  /** Its payments less its refunds; null before the first, and if a release before 0.21.0 stored its payment. */
  keptCents: orNull(t.number),
  /** The next notification of its money; null if none is due. */
  dueAt: orNull(t.string),
  attempts: t.number,
  /** The span that its notification continues; null without tracing. */
  trace: orNull(t.string),
})

/** An order and its charge at the payments core, stored in the commits that begin and finish its issue. */
export type ChargedOrder = t.TypeOf<typeof chargedOrder>

export const chargedOrders: Collection<ChargedOrder> = {
  name: 'charging.orders',
  ids: 'text',
  codec: chargedOrder,
  owner: null,
  ...queueParts(),
  keys: { intent: ({ intent }) => intent, charge: ({ chargeId }) => (chargeId === null ? null : `${chargeId}`) },
}

/** Longer than a commit under load takes. */
const LEASE_SECONDS = 30
const AT_ONCE = 8

/** The collections that the store of the payments core is opened with too. */
export const chargingCollections = [chargedOrders] as const

/** The part of a charge in an event of the payments core that is read here. */
interface EventCharge {
  readonly payment_method: string
  /** Null if the charge was closed before the payment. */
  readonly payment_date: string | null
  readonly status: { readonly title: string }
  readonly pix: { readonly txid: string } | null
  readonly boleto: { readonly txid: string } | null
}

/** Returns the charge in the data of an event, which is a part of those of a refund. */
const chargeIn = ({ type, data }: Event): EventCharge =>
  type === 'charge.refunded' ? JSON.parse(data).charge : JSON.parse(data)

/** Finds an order by its charge, or by its title if the issue was interrupted before the charge was stored. */
const findOrder = async (store: Store, event: Event): Promise<ChargedOrder | null> => {
  const known = await store.find(byKey(chargedOrders, 'charge', `${event.subjectId}`))
  const { pix, boleto } = chargeIn(event)
  const txid = (pix ?? boleto)?.txid
  return known ?? (txid === undefined ? null : store.find(byKey(chargedOrders, 'intent', txid)))
}

type Settling = Omit<NonNullable<ChargedOrder['received']>, 'valueCents'>

const paymentIn = (event: Event): Settling => {
  const { payment_method: by, payment_date, status } = chargeIn(event)
  // A payment of a paid or closed charge leaves the day of its first payment.
  const day = event.type === 'pix.received' ? null : payment_date
  return {
    // The notification of the bank may arrive on a later day.
    paidAt: day === null || dayOf(event.createdAt) === day ? event.createdAt : startOfDay(day),
    method: by === 'PIX' || status.title === 'paidwithpix' ? 'Pix' : 'Boleto',
  }
}

/** Reads the order of an event's charge and the charge's money; null for a charge without an order. */
const readFacts = async (store: Store, event: Event) => {
  const order = await findOrder(store, event)
  const payment = order && paymentIn(event)
  const money = payment && (await findChargeMoney(store, event.subjectId, dayOf(payment.paidAt)))
  return order && money && { order, payment, money }
}

/** Returns the change of an order by the money of its charge; null if that is known. */
const moneyOf = (
  { received, keptCents: knownCents }: ChargedOrder,
  payment: Settling,
  { keptCents, isSettled }: ChargeMoney,
  paidCents: number | null,
): Partial<ChargedOrder> | null => {
  // A later payment, which has an event of its own, may be read already.
  const valueCents = Math.min(keptCents, paidCents ?? keptCents)
  if (isSettled && (received === null || knownCents === 0)) return { received: { ...payment, valueCents }, keptCents }
  return keptCents === (knownCents ?? received?.valueCents ?? 0) ? null : { keptCents }
}

/** The events of payments that may settle a charge. */
const SETTLING: readonly string[] = ['charge.paid', 'pix.received']

/** Stores the money of an ordered charge, open or closed, as due for notification. */
const moneySubscriber: Subscriber = subscriber({
  name: 'charging',
  types: ['charge.paid', 'pix.received', 'charge.partially_paid', 'charge.refunded'],
  read: readFacts,
  decide: (event, facts, { steady, trace = null }) => {
    if (!facts) return []
    const { order, payment, money } = facts
    // The payment that settles a charge may be the last of several, and has an event of its own.
    const isSettled = money.isSettled && SETTLING.includes(event.type)
    const paidCents = event.type === 'charge.paid' ? event.amountPaidCents : null
    const changed = moneyOf(order, payment, { ...money, isSettled }, paidCents)
    if (!changed) return []
    const { received, keptCents } = order
    const unchanged = all(eq('keptCents', keptCents), received ? not(eq('received', null)) : eq('received', null))
    const set = { ...changed, dueAt: steady, attempts: 0, trace }
    return [patch(chargedOrders, order.id, { set, when: unchanged })]
  },
})

/** The part of every worker of the payments core: `pay.worker({ parts: [chargingPart] })`. */
export const chargingPart: PaymentsPart = { collections: chargingCollections, subscribers: () => [moneySubscriber] }

/**
 * Notifies the agency of the payment in full, and of any other money of the charge. Sent again, they change nothing.
 */
const notify = async (notifications: ChargeNotifications, { id: reference, received, keptCents }: ChargedOrder) => {
  if (received && keptCents !== 0) {
    const paid = await notifications.paid({ reference, ...received })()
    if (isLeft(paid)) return paid
  }
  if (keptCents === null) return null
  // Also if it equals the payment in full: another amount may have been told since.
  const paid = received && { paidAt: received.paidAt, method: received.method }
  return notifications.changed({ reference, receivedCents: keptCents, paid })()
}

/** Notifies the agency of the money of charges, until it accepts or refuses it. A queue for the agency's worker. */
export const chargingQueue = ({ store }: { readonly store: Store }, notifications: ChargeNotifications): Queue =>
  queueOf({
    collection: chargedOrders,
    leaseSeconds: LEASE_SECONDS,
    atOnce: AT_ONCE,
    handle: async (claimed, report) => {
      const outcome = await notify(notifications, claimed)
      const isRefused = outcome && isLeft(outcome)
      if (isRefused && outcome.left.tag === 'unavailable') orThrow(outcome)
      if (isRefused) report(new Error(outcome.left.code), `${chargedOrders.name}/${claimed.id}`)
      await applyOutcome(store, chargedOrders, claimed, { dueAt: null })
    },
  })
