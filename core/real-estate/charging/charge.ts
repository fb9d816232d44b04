import { t } from '../../fp.ts'
import type { Collection } from '../../kernel/records/collection.ts'
import { at, orNull, record, word } from '../../kernel/records/record.ts'
import { eq, not } from '../../kernel/records/where.ts'
import { type Fresh, leaseEnd } from '../../kernel/running/fresh.ts'
import { WAITING } from '../../kernel/running/queue.ts'
import type { ChargeOrder } from '../../ports/charging.ts'
import type { Cipher } from '../../ports/runtime.ts'
import type { Payment } from '../records/payment.ts'

/** Longer than whoever issues charges takes for one call. */
export const CHARGE_LEASE_SECONDS = 60

const charge = record({
  /** Our own id where it is issued: what is ordered twice by it is issued once. */
  id: t.string,
  companyId: t.string,
  paymentId: t.string,
  /** What was decided to order, sealed: whoever asks, and when, orders the same of the same account. */
  order: t.string,
  /** Refused, cancelled and ended ones cannot be paid; of a paid one its payment is told. */
  state: word('issuing', 'open', 'cancelling', 'refused', 'cancelled', 'ended', 'paid'),
  /** When somebody else is to ask; null where nothing is asked. */
  dueAt: orNull(t.string),
  attempts: t.number,
  /** Why it was refused. */
  reason: orNull(t.string),
  createdAt: t.string,
  updatedAt: t.string,
  /** The span that its work continues; null without tracing. */
  trace: orNull(t.string),
})

/** What a payer is asked for a payment, from its order to its end. Source: issue 15. */
export type Charge = t.TypeOf<typeof charge>

export const charges: Collection<Charge> = {
  name: 'estate.charges',
  ids: 'text',
  codec: charge,
  owner: 'companyId',
  conditions: { [WAITING]: not(eq('dueAt', null)) },
  indexes: [{ sort: 'dueAt', when: WAITING, acrossOwners: true, include: ['companyId'] }],
}

const contextOf = (id: string): string => at(charges, id).join('/')

/** A charge of a payment that is to be issued. */
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
    order: cipher.seal(JSON.stringify({ ...order, reference: id }), contextOf(id)),
    state: 'issuing',
    dueAt: leaseEnd({ now, mark }, CHARGE_LEASE_SECONDS),
    attempts: 0,
    reason: null,
    createdAt: now,
    updatedAt: now,
    trace,
  }
}

/** What was decided to order. */
export const orderIn = (cipher: Pick<Cipher, 'open'>, { id, order }: Pick<Charge, 'id' | 'order'>): ChargeOrder =>
  JSON.parse(cipher.open(order, contextOf(id)))
