import { failure } from '../../failure.ts'
import { left } from '../../fp.ts'
import { patch } from '../../kernel/records/change.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'
import { accept, useCase } from '../../kernel/running/use-case.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { asRead, type Charge, charges, statusAt } from './charge.ts'
import { NO_CHARGE } from './charge-failure.ts'
import { type ChargeDetail, findCharge } from './find-charge.ts'
import { type ChargeEventType, recordChargeEvent } from './record-charge-event.ts'
import { earlierTitle } from './titles/earlier-title.ts'
import { findByTitle } from './titles/other-title.ts'

/**
 * Takes a bank's word that it closed an open title: pending becomes cancelled; any other state stays, and so does a
 * charge whose time is over though nobody moved it yet, and one that has another title by now.
 * Fails: `title.unknown`. Source: decisions.md §3.
 */
export const cancelByBank = (ports: PaymentsPorts) => (txid: string) =>
  useCase(
    ports,
    () => findByTitle(ports, txid),
    (detail, fresh) => decideCancellation(detail, txid, fresh),
  )

export const decideCancellation = (detail: ChargeDetail | null, txid: string, fresh: Fresh) => {
  if (!detail) return left(failure('not-found', 'title.unknown'))
  const { charge } = detail
  return charge.txid === txid && statusAt(charge, fresh.steady) === 'pending'
    ? endOpen(detail, 'cancelled', 'charge.cancelled', fresh)
    : accept(charge)
}

/** Pending becomes expired once its time is over. Source: decisions.md §3. */
export const expireCharge = (ports: PaymentsPorts) => (chargeId: number) =>
  useCase(ports, () => findCharge(ports, { id: chargeId }), decideExpiry)

export const decideExpiry = (detail: ChargeDetail | null, fresh: Fresh) => {
  if (!detail) return left(NO_CHARGE)
  const { charge } = detail
  const over = charge.status === 'pending' && statusAt(charge, fresh.steady) === 'expired'
  return over ? endOpen(detail, 'expired', 'charge.expired', fresh) : accept(charge)
}

const endOpen = (detail: ChargeDetail, status: 'cancelled' | 'expired', type: ChargeEventType, fresh: Fresh) => {
  const { charge } = detail
  const set = { status, updatedAt: fresh.now }
  const after: Charge = { ...charge, ...set }
  return accept(
    after,
    patch(charges, charge.id, { set, when: asRead(charge) }),
    ...earlierTitle(after),
    ...recordChargeEvent(fresh, type, { ...detail, charge: after }),
  )
}
