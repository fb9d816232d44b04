import { conflict, failure, left, refusal, right } from '../../failure.ts'
import { at, type Change, type Collection, eq, orNull, patch, record, t, word } from '../../kernel/records/record.ts'
import { queueParts } from '../../kernel/running/queue.ts'
import { accept, type Fresh, finishOperation, leaseEnd, unavailable, useCaseOf } from '../../kernel/running/use-case.ts'
import type { BankAnswer } from '../../ports/bank.ts'
import type { ChargeOrder, Charging, IssuedCharge } from '../../ports/charging.ts'
import type { Cipher } from '../../ports/runtime.ts'
import { byId, type Store } from '../../ports/store.ts'
import type { RealEstatePorts } from '../real-estate-ports.ts'
import { unchanged } from '../records/fields.ts'
import { isOpen, type Payment, payments } from '../records/payment.ts'
import { stateReturn } from '../records/receipt-entry.ts'

/** Exceeds the longest call of the charging port. */
export const CHARGE_LEASE_SECONDS = 60

const charge = record({
  /** Our id of the charge at the issuer: two orders with one id issue one charge. */
  id: t.string,
  companyId: t.string,
  paymentId: t.string,
  /** The order, sealed. Every attempt sends this order to this account. */
  order: t.string,
  /** A refused, cancelled or ended charge cannot be paid. */
  state: word('issuing', 'open', 'cancelling', 'refused', 'cancelled', 'ended', 'paid'),
  /** The time of the next attempt; null if none is due. */
  dueAt: orNull(t.string),
  attempts: t.number,
  /** Its method; null of a charge that a release before this field issued. */
  method: orNull(word('Pix', 'Boleto')),
  /** Its payments less their refunds, in cents; null without any. */
  receivedCents: orNull(t.number),
  /** The reason of a refusal. */
  reason: orNull(t.string),
  createdAt: t.string,
  updatedAt: t.string,
  /** The span that its work continues; null without tracing. */
  trace: orNull(t.string),
})

/** A charge of a payment at the issuer, the payments platform, from its order to its end. */
export type Charge = t.TypeOf<typeof charge>

export const charges: Collection<Charge> = {
  name: 'estate.charges',
  ids: 'text',
  codec: charge,
  owner: 'companyId',
  ...queueParts('companyId'),
}

const contextOf = (id: string): string => at(charges, id).join('/')

/** Builds a charge to issue for a payment. */
export const newCharge = (
  cipher: Pick<Cipher, 'seal'>,
  { id: paymentId, companyId }: Pick<Payment, 'id' | 'companyId'>,
  order: Omit<ChargeOrder, 'reference'>,
  { uuid, now, mark, trace = null }: Fresh,
): Charge => {
  const id = uuid()
  return {
    id,
    companyId,
    paymentId,
    method: order.method,
    order: cipher.seal(JSON.stringify({ ...order, reference: id }), contextOf(id)),
    state: 'issuing',
    dueAt: leaseEnd({ now, mark }, CHARGE_LEASE_SECONDS),
    attempts: 0,
    receivedCents: null,
    reason: null,
    createdAt: now,
    updatedAt: now,
    trace,
  }
}

/** Returns the order of a charge, unsealed. */
export const orderIn = (cipher: Pick<Cipher, 'open'>, { id, order }: Pick<Charge, 'id' | 'order'>): ChargeOrder =>
  JSON.parse(cipher.open(order, contextOf(id)))

const unavailableCall = async (): Promise<BankAnswer<never>> => ({ outcome: 'unavailable' })
const withoutIssuer: Charging = {
  account: unavailableCall,
  issue: unavailableCall,
  find: unavailableCall,
  cancel: unavailableCall,
}

/** The port that issues charges; without one every call is unavailable. */
export const chargingOf = ({ charging = withoutIssuer }: Pick<RealEstatePorts, 'charging'>): Charging => charging

export const UNAVAILABLE = unavailable('charging.unavailable')
const ENDED = failure('conflict', 'charge.ended')

/** A charge that can be paid, with its order. */
export interface ChargeDetail {
  readonly charge: Pick<Charge, 'id' | 'paymentId'>
  readonly order: Omit<ChargeOrder, 'apiKey'>
  readonly issued: IssuedCharge
}

export interface ChargeFacts {
  readonly charge: Charge | null
  readonly payment: Payment | null
}

export const readChargeFacts = async (store: Store, id: string): Promise<ChargeFacts> => {
  const charge = await store.find(byId(charges, id))
  return { charge, payment: charge && (await store.find(byId(payments, charge.paymentId))) }
}

/** Patches a charge; clears `dueAt` unless set. The commit is stale if the state or the received amount has changed. */
export const patchCharge = (charge: Charge, set: Partial<Charge>, { now }: Pick<Fresh, 'now'>): Change =>
  patch(charges, charge.id, {
    set: { dueAt: null, ...set, updatedAt: now },
    when: unchanged(charge, 'state', 'receivedCents'),
  })

/** Patches the payment of a charge, if this is the payment's current charge. */
const patchPaymentOf = ({ charge, payment }: ChargeFacts, set: Partial<Payment>, { now }: Pick<Fresh, 'now'>) =>
  charge && payment?.chargeId === charge.id
    ? [patch<Payment>(payments, payment.id, { set: { ...set, updatedAt: now }, when: eq('chargeId', charge.id) })]
    : []

/** Returns the money that has arrived for a payment once this charge has received `cents` in all; null for none. */
export const receivedWith = ({ charge, payment }: ChargeFacts, cents: number): number | null =>
  positive((payment?.receivedCents ?? 0) - (charge?.receivedCents ?? 0) + cents)

const positive = (cents: number): number | null => (cents > 0 ? cents : null)

/**
 * Sets the amount that a charge has received, adds the difference to its payment, and sets other fields of both. If
 * less money is left for an open payment than receipt entries state, adds the entry of the return.
 */
export const patchMoney = (
  facts: ChargeFacts & { readonly charge: Charge },
  cents: number,
  set: { readonly charge?: Partial<Charge>; readonly payment?: Partial<Payment> },
  fresh: Pick<Fresh, 'uuid' | 'now' | 'today'>,
): readonly Change[] => {
  const { charge, payment } = facts
  const own = patchCharge(charge, { dueAt: charge.dueAt, ...set.charge, receivedCents: positive(cents) }, fresh)
  if (!payment) return [own]
  const leftCents = receivedWith(facts, cents)
  const isPaid = payment.status === 'Paid' || set.payment?.status === 'Paid'
  const stated = isPaid ? null : stateReturn(payment, payment, leftCents ?? 0, fresh)
  return [
    own,
    patch<Payment>(payments, payment.id, {
      set: {
        receivedCents: leftCents,
        ...(cents > (charge.receivedCents ?? 0) && { receivedMethod: charge.method }),
        ...(stated && { statedCents: stated.statedCents }),
        ...set.payment,
        updatedAt: fresh.now,
      },
      when: unchanged(payment, 'status', 'chargeId', 'receivedCents'),
    }),
    ...(stated?.changes ?? []),
  ]
}

/** The fields of a payment without a charge. */
export const RELEASED = { chargeId: null, boletoUrl: null } as const satisfies Partial<Payment>

/**
 * Resumes the issue of a charge, or finds the issued one.
 * Fails: `charge.ended` (no such charge, or it cannot be paid any more), `charge.refused`, `charging.unavailable` (the
 * issue continues in the background), `payment.closed` (since the order; the charge is cancelled).
 */
export const issueCharge = (ports: RealEstatePorts) => (id: string) =>
  useCaseOf<ChargeDetail>()(async (hooks) => {
    const reply = await issueOrFind(ports, id)
    return finishOperation(
      ports,
      (store) => readChargeFacts(store, id),
      (facts, fresh) => decideIssue(facts, reply, fresh),
    )(hooks)
  })

/** An order and the issuer's answer to it. */
interface IssuerReply {
  readonly order: ChargeOrder
  readonly answer: BankAnswer<IssuedCharge | null>
}

/** Issues the charge or finds the issued one; null if its state is final. */
const issueOrFind = async (ports: RealEstatePorts, id: string): Promise<IssuerReply | null> => {
  const charging = chargingOf(ports)
  const { charge } = await readChargeFacts(ports.store, id)
  if (charge?.state !== 'issuing' && charge?.state !== 'open') return null
  const order = orderIn(ports.cipher, charge)
  return { order, answer: charge.state === 'issuing' ? await charging.issue(order) : await charging.find(order) }
}

/** Applies the issuer's answer to a charge. A charge issued for a payment that is no longer open is cancelled. */
const decideIssue = (facts: ChargeFacts, reply: IssuerReply | null, fresh: Fresh) => {
  const { charge, payment } = facts
  if (!charge || !payment || !reply) return accept(left(ENDED))
  const { order, answer } = reply
  if (answer.outcome === 'unavailable' || answer.outcome === 'unknown') return accept(left(UNAVAILABLE))
  const isFirst = charge.state === 'issuing'
  if (answer.outcome === 'refused') {
    const { reason } = answer
    const changes = [
      patchCharge(charge, { state: 'refused', reason }, fresh),
      ...patchPaymentOf(facts, RELEASED, fresh),
    ]
    return accept(left(refusal('charge.refused', reason)), ...(isFirst ? changes : []))
  }
  const { value: issued } = answer
  if (!issued) return accept(left(ENDED))
  if (isFirst && (!isOpen(payment) || payment.removedAt !== null))
    return accept(conflict('payment.closed'), patchCharge(charge, { state: 'cancelling', dueAt: fresh.steady }, fresh))
  const { apiKey: _, ...shownOrder } = order
  const detail: ChargeDetail = { charge: { id: charge.id, paymentId: payment.id }, order: shownOrder, issued }
  const { boletoUrl } = issued
  const changes = [patchCharge(charge, { state: 'open' }, fresh), ...patchPaymentOf(facts, { boletoUrl }, fresh)]
  return accept(right(detail), ...(isFirst ? changes : []))
}
