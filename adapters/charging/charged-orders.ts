import { t } from '../../core/fp.ts'
import type { Collection } from '../../core/kernel/records/collection.ts'
import { orNull, record, word } from '../../core/kernel/records/record.ts'
import { eq, not } from '../../core/kernel/records/where.ts'
import { WAITING } from '../../core/kernel/running/queue.ts'

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
