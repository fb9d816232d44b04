import { type Collection, eq, orNull, patch, record, t, word } from '../../core/kernel/records/record.ts'
import { applyOutcome, type Queue, queueOf, queueParts } from '../../core/kernel/running/queue.ts'
import { orThrow } from '../../core/kernel/running/use-case.ts'
import { startOfDay } from '../../core/kernel/values/day.ts'
import { dayOf, type Event, isLeft, type PaymentsPart, type Subscriber, subscriber } from '../../core/mod.ts'
import type { ChargeNotifications } from '../../core/ports/charging.ts'
import { byKey, type Store } from '../../core/ports/store.ts'

const received = record({
  valueCents: t.number,
  paidAt: t.string,
  method: word('Pix', 'Boleto'),
})

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
  /** Its first payment; null before. */
  received: orNull(received),
  /** The next notification of the payment; null if none is due. */
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
  ...queueParts,
  keys: {
    intent: ({ intent }) => intent,
    charge: ({ chargeId }) => (chargeId === null ? null : `${chargeId}`),
  },
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

const chargeIn = ({ data }: Event): EventCharge => JSON.parse(data)

/** Finds an order by its charge, or by its title if the issue was interrupted before the charge was stored. */
const findOrder = async (store: Store, event: Event): Promise<ChargedOrder | null> => {
  const known = await store.find(byKey(chargedOrders, 'charge', `${event.subjectId}`))
  const { pix, boleto } = chargeIn(event)
  const txid = (pix ?? boleto)?.txid
  return known ?? (txid === undefined ? null : store.find(byKey(chargedOrders, 'intent', txid)))
}

const paymentIn = (event: Event, valueCents: number): NonNullable<ChargedOrder['received']> => {
  const { payment_method: by, payment_date: day, status } = chargeIn(event)
  return {
    valueCents,
    // The notification of the bank may arrive on a later day.
    paidAt: day === null || dayOf(event.createdAt) === day ? event.createdAt : startOfDay(day),
    method: by === 'PIX' || status.title === 'paidwithpix' ? 'Pix' : 'Boleto',
  }
}

/** Stores the first payment of an ordered charge, open or closed, as due for notification. */
const paidSubscriber: Subscriber = subscriber({
  name: 'charging',
  types: ['charge.paid', 'pix.received'],
  read: findOrder,
  decide: (event, order, { steady, trace = null }) => {
    // The payment that settles a charge may be the last of several.
    const isSettled = event.type === 'charge.paid'
    const cents = isSettled
      ? (event.amountPaidCents ?? event.receivedCents)
      : (event.receivedCents ?? event.amountPaidCents)
    if (!order || order.received || cents === null) return []
    const set = { received: paymentIn(event, cents), dueAt: steady, attempts: 0, trace }
    return [patch(chargedOrders, order.id, { set, when: eq('received', null) })]
  },
})

/** The part of every worker of the payments core: `pay.worker({ parts: [chargingPart] })`. */
export const chargingPart: PaymentsPart = { collections: chargingCollections, subscribers: () => [paidSubscriber] }

/** Notifies the agency of payments, until it accepts or refuses them. A queue for the agency's worker. */
export const chargingQueue = ({ store }: { readonly store: Store }, notifications: ChargeNotifications): Queue =>
  queueOf({
    collection: chargedOrders,
    leaseSeconds: LEASE_SECONDS,
    atOnce: AT_ONCE,
    handle: async (claimed, report) => {
      const { id: reference, received } = claimed
      const outcome = received && (await notifications.paid({ reference, ...received })())
      const isRefused = outcome && isLeft(outcome)
      if (isRefused && outcome.left.tag === 'unavailable') orThrow(outcome)
      if (isRefused) report(new Error(outcome.left.code), `${chargedOrders.name}/${reference}`)
      await applyOutcome(store, chargedOrders, claimed, { dueAt: null })
    },
  })
