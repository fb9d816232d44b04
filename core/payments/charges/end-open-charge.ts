import { failure } from '../../failure.ts'
import { left } from '../../fp.ts'
import { patch } from '../../kernel/records/change.ts'
import { eq } from '../../kernel/records/where.ts'
import type { Fresh } from '../../kernel/running/fresh/fresh.ts'
import { decided, useCase } from '../../kernel/running/use-case.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { type Charge, charges, statusAt } from './charge.ts'
import { type ChargeDetail, findCharge } from './find-charge.ts'
import { type ChargeEventType, recordChargeEvent } from './record-charge-event.ts'
import { earlierTitle } from './titles/earlier-title.ts'

/**
 * Takes a bank's word that it closed an open title: pending becomes cancelled; any other state stays, and so does a
 * charge whose time is over though nobody moved it yet.
 * Fails: `title.unknown`. Source: decisions.md §3.
 */
export const cancelByBank = (ports: PaymentsPorts) => (txid: string) =>
  useCase(ports, () => findCharge(ports, { txid }), decideCancellation)

export const decideCancellation = (detail: ChargeDetail | null, fresh: Fresh) => {
  if (!detail) return left(failure('not-found', 'title.unknown'))
  return statusAt(detail.charge, fresh.now) === 'pending'
    ? endOpen(detail, 'cancelled', 'charge.cancelled', fresh)
    : decided(detail.charge)
}

/** Pending becomes expired once its time is over. Source: decisions.md §3. */
export const expireCharge = (ports: PaymentsPorts) => (chargeId: number) =>
  useCase(ports, () => findCharge(ports, { id: chargeId }), decideExpiry)

export const decideExpiry = (detail: ChargeDetail | null, fresh: Fresh) => {
  if (!detail) return left(failure('not-found', 'charge.unknown'))
  const { charge } = detail
  const over = charge.status === 'pending' && statusAt(charge, fresh.now) === 'expired'
  return over ? endOpen(detail, 'expired', 'charge.expired', fresh) : decided(charge)
}

const endOpen = (
  { charge, client }: ChargeDetail,
  status: 'cancelled' | 'expired',
  type: ChargeEventType,
  fresh: Fresh,
) => {
  const set = { status, updatedAt: fresh.now }
  const after: Charge = { ...charge, ...set }
  return decided(
    after,
    ...earlierTitle(charge),
    patch(charges, charge.id, { set, when: eq('status', 'pending') }),
    recordChargeEvent(fresh, type, after, client),
  )
}
