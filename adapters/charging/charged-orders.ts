import { t } from '../../core/fp.ts'
import { patch } from '../../core/kernel/records/change.ts'
import type { Collection } from '../../core/kernel/records/collection.ts'
import { orNull, record, word } from '../../core/kernel/records/record.ts'
import { eq, not } from '../../core/kernel/records/where.ts'
import { applyOutcome, type Queue, queueOf, WAITING } from '../../core/kernel/running/queue.ts'
import { orThrow } from '../../core/kernel/running/use-case.ts'
import { startOfDay } from '../../core/kernel/values/day.ts'
import { dayOf, type Event, isLeft, type PaymentsPart, type Subscriber, subscriber } from '../../core/mod.ts'
import type { ChargeNotifications } from '../../core/ports/charging.ts'
import { byKey, type Store } from '../../core/ports/store.ts'

const received = record({
  /** What came, in cents. */
  valueCents: t.number,
  paidAt: t.string,
  method: word('Pix', 'Boleto'),
})

const chargedOrder = record({
  /** The reference under which it was ordered. */
  id: t.string,
  /** The account that it pays. */
  accountId: t.number,
  /** The title's id at the bank: by it an issue that nobody lived to finish is carried on. */
  intent: t.string,
  begunAt: t.string,
  /** The charge; null until its issue was answered. */
  chargeId: orNull(t.number),
  /** What paid it; null before. */
  received: orNull(received),
  /** When that is to be told again; null where there is nothing to tell. */
  dueAt: orNull(t.string),
  attempts: t.number,
  /** The span that its work continues; null without tracing. */
  trace: orNull(t.string),
})

/** Which charge of the payments core an order has become: written in the commits that begin and finish its issue. */
export type ChargedOrder = t.TypeOf<typeof chargedOrder>

export const chargedOrders: Collection<ChargedOrder> = {
  name: 'charging.orders',
  ids: 'text',
  codec: chargedOrder,
  owner: null,
  conditions: { [WAITING]: not(eq('dueAt', null)) },
  keys: {
    intent: ({ intent }) => intent,
    charge: ({ chargeId }) => (chargeId === null ? null : `${chargeId}`),
  },
  indexes: [{ sort: 'dueAt', when: WAITING, acrossOwners: true }],
}

/** Longer than a commit under load takes. */
const LEASE_SECONDS = 30
const AT_ONCE = 8

/** What is kept of orders: the store of a payments core is opened with these too. */
export const chargingCollections = [chargedOrders] as const

/** A charge, as far as it is looked at, as the payments core tells of it. */
interface ToldCharge {
  readonly payment_method: string
  /** Null of one that was not paid by it: it was closed before. */
  readonly payment_date: string | null
  readonly status: { readonly title: string }
  readonly pix: { readonly txid: string } | null
  readonly boleto: { readonly txid: string } | null
}

const toldIn = ({ data }: Event): ToldCharge => JSON.parse(data)

/** By the charge's id; where nobody lived to hear that it was issued, by its title's. */
const orderOf = async (store: Store, event: Event): Promise<ChargedOrder | null> => {
  const known = await store.find(byKey(chargedOrders, 'charge', `${event.subjectId}`))
  const { pix, boleto } = toldIn(event)
  const txid = (pix ?? boleto)?.txid
  return known ?? (txid === undefined ? null : store.find(byKey(chargedOrders, 'intent', txid)))
}

const receivedBy = (event: Event, valueCents: number): NonNullable<ChargedOrder['received']> => {
  const { payment_method: by, payment_date: day, status } = toldIn(event)
  return {
    valueCents,
    // A bank may tell later than it was paid.
    paidAt: day === null || dayOf(event.createdAt) === day ? event.createdAt : startOfDay(day),
    method: by === 'PIX' || status.title === 'paidwithpix' ? 'Pix' : 'Boleto',
  }
}

/** Hears that money came for a charge which was ordered, closed or not: whoever ordered it is to be told of the first, once. */
const paidSubscriber: Subscriber = subscriber({
  name: 'charging',
  types: ['charge.paid', 'pix.received'],
  read: orderOf,
  decide: (event, order, { steady, trace = null }) => {
    const cents = event.receivedCents ?? event.amountPaidCents
    if (!order || order.received || cents === null) return []
    const set = { received: receivedBy(event, cents), dueAt: steady, attempts: 0, trace }
    return [patch(chargedOrders, order.id, { set, when: eq('received', null) })]
  },
})

/** What of charging every worker of the payments core does: `pay.worker({ parts: [chargingPart] })`. */
export const chargingPart: PaymentsPart = { collections: chargingCollections, subscribers: () => [paidSubscriber] }

/** Money that whoever ordered its charge is to be told of, for their own worker: told until they took or refused it. */
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
