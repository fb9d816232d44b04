import { failure } from '../../../core/failure.ts'
import { left } from '../../../core/fp.ts'
import { insert, patch } from '../../../core/kernel/records/change.ts'
import { all, eq } from '../../../core/kernel/records/where.ts'
import { decided, useCase } from '../../../core/kernel/running/use-case.ts'
import { bankOperations } from '../../../core/payments/bank/operation.ts'
import { charges } from '../../../core/payments/charges/charge.ts'
import { findCharge } from '../../../core/payments/charges/find-charge.ts'
import { newCancellation } from '../../../core/payments/charges/titles/cancel-title.ts'
import type { PaymentsPorts } from '../../../core/payments/payments-ports.ts'
import { ask } from '../environment/process.ts'
import { type Act, some } from './cast.ts'

const GONE = failure('not-found', 'charge.unknown')

/** Ends an open charge, whose title the bank is to close: while the bank is asked of it something else, what that comes to does it. */
const deleteCharge = (ports: PaymentsPorts, id: number) =>
  useCase(
    ports,
    () => findCharge(ports, { id }),
    (detail, fresh) => {
      if (!detail || !['pending', 'expired'].includes(detail.charge.status)) return left(GONE)
      const { charge } = detail
      const made = charge.operationId === null ? charge.pix : null
      const cancellation = made && newCancellation(ports.cipher, charge, made.txid, fresh)
      const set = { status: 'DELETED', updatedAt: fresh.now } as const
      return decided(
        null,
        patch(charges, id, {
          set: { ...set, ...(cancellation ? { operationId: cancellation.id } : {}) },
          when: all<'status' | 'operationId'>(eq('status', charge.status), eq('operationId', charge.operationId)),
        }),
        ...(cancellation ? [insert(bankOperations, cancellation)] : []),
      )
    },
  )

/** Somebody wants a charge no more, mostly one of which the bank is being asked something: then two things are wanted at once. */
export const dropCharge: Act = async (environment, _, process) => {
  const { charges: held } = await environment.snapshot()
  const asked = held.filter(({ operationId }) => operationId !== null)
  const charge = some(environment, environment.dice.chance(0.8) && asked.length > 0 ? asked : held)
  if (!charge) return
  const outcome = await ask(process, deleteCharge(process.ports, charge.id))
  environment.trace.note(`delete ${charge.id}: ${outcome?._tag}`)
}
