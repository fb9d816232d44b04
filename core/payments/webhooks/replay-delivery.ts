import { failure } from '../../failure.ts'
import { left } from '../../fp.ts'
import { patch } from '../../kernel/records/change.ts'
import { eq } from '../../kernel/records/where.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'
import { accept, useCase } from '../../kernel/running/use-case.ts'
import { byId } from '../../ports/store.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { type Delivery, type DeliveryReader, deliveries, ifReadable } from './delivery.ts'

/**
 * Sends an ended delivery once more, at once and with the whole schedule before it: the same text under the same
 * `webhook-id`, so that a receiver that had it can drop it.
 * Fails: `delivery.unknown`, `delivery.pending`. Source: decisions.md §3, Events.
 */
export const replayDelivery = (ports: PaymentsPorts) => (reader: DeliveryReader, id: number) =>
  useCase(
    ports,
    (store) => store.find(byId(deliveries, id)),
    (found, fresh) => decideReplay(ifReadable(reader, found), fresh),
  )

/** One that is under way may be in somebody's hands this moment: it is left to them. */
export const decideReplay = (
  delivery: Delivery | null,
  { now, steady, trace = null }: Pick<Fresh, 'now' | 'steady' | 'trace'>,
) => {
  if (!delivery) return left(failure('not-found', 'delivery.unknown'))
  if (delivery.status === 'pending') return left(failure('conflict', 'delivery.pending'))
  const set = {
    status: 'pending',
    attempts: 0,
    response: null,
    dueAt: steady,
    deliveredAt: null,
    updatedAt: now,
    trace,
  } as const
  return accept<Delivery>({ ...delivery, ...set }, patch(deliveries, delivery.id, { set, when: eq('dueAt', null) }))
}
