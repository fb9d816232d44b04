import { failure, left, refusal, right } from '../../failure.ts'
import { lte } from '../../kernel/records/record.ts'
import type { JobRow } from '../../kernel/running/jobs.ts'
import { processEach, readSlice } from '../../kernel/running/slices.ts'
import {
  accept,
  type Done,
  type Fresh,
  operationUseCase,
  orThrow,
  startOperation,
  useCase,
} from '../../kernel/running/use-case.ts'
import type { Cipher } from '../../ports/runtime.ts'
import { byId } from '../../ports/store.ts'
import {
  BANK_CALLS,
  type BankReply,
  bankOperations,
  beginOperation,
  type JoinedOperation,
  type Operation,
  type StartedBankOperation,
  subjectOf,
  type Verdict,
} from '../bank/operation.ts'
import { operationsOf } from '../bank/run-operation.ts'
import type { Actor, PaymentsPorts } from '../payments-ports.ts'
import { type Charge, charges, hasTitle, issuingOperationId, OPEN_STATUSES, statusAt } from './charge.ts'
import { type ChangedCharge, type ChargeDetail, findByTitle, findCharge, NO_CHARGE } from './detail.ts'
import { type CancelOrder, changeCharge, changeWithEvent, sendCancellation } from './write.ts'

export const deleteCharge = (ports: PaymentsPorts) => (actor: Pick<Actor, 'accountId'>, chargeId: number) =>
  operationUseCase(
    startOperation(
      ports,
      async (store): Promise<DeletionFacts | null> => {
        const detail = await findCharge(ports, { id: chargeId })
        if (detail?.charge.accountId !== actor.accountId) return null
        const { operationId } = detail.charge
        const running = operationId === null ? null : await store.find(byId(bankOperations, operationId))
        return { detail, running }
      },
      (facts, fresh) => decideDeletion(ports.cipher, facts, fresh),
    ),
    (started) => deleteOperations(ports).send(started, sendCancellation(ports)),
    deleteOperations(ports).repeat,
  )

type Deletion = Done<ChangedCharge> | StartedBankOperation<CancelOrder> | JoinedOperation

interface DeletionFacts {
  readonly detail: ChargeDetail
  /** The running bank operation of the charge. */
  readonly running: Operation | null
}

/** Deletes a charge without an open title at once, else starts to close its title. Repeated, it changes nothing. */
export const decideDeletion = (cipher: Pick<Cipher, 'seal'>, facts: DeletionFacts | null, fresh: Fresh) => {
  if (!facts) return left(NO_CHARGE)
  const { detail, running } = facts
  const { charge } = detail
  if (charge.status === 'DELETED') return accept<Deletion>({ done: { ...detail, isAnswered: true } })
  if (running?.kind === DELETE_CHARGE.kind) return accept<Deletion>({ intent: running.id, order: null })
  // A title that is being created is closed when the answer arrives; any other operation must end first.
  if (charge.operationId !== null && issuingOperationId(charge) === null)
    return left(failure('conflict', 'charge.busy'))
  const order = orderToClose(charge)
  if (order === null) {
    const { after, changes } = changeWithEvent(detail, DELETED, 'charge.deleted', fresh)
    return accept<Deletion>({ done: { ...after, isAnswered: true } }, ...changes)
  }
  const input = { id: fresh.uuid(), accountId: charge.accountId, subject: subjectOf(charges, charge.id), order }
  const { started, change } = beginOperation(cipher, DELETE_CHARGE, input, fresh)
  return accept<Deletion>(started, changeCharge(detail, { operationId: input.id }, fresh).change, change)
}

/** Returns the open title of a charge, or its undecided card sale; null if there is neither. */
const orderToClose = (charge: Charge): CancelOrder | null => {
  const { status, txid, code, card, operationId } = charge
  if (!OPEN_STATUSES.includes(status)) return null
  if (card) return operationId === null ? { cardId: code } : null
  return txid !== null && hasTitle(charge) ? { txid } : null
}

/** The kind of operations that close a title before its charge is deleted. */
const DELETE_CHARGE = { kind: 'delete-charge', ...BANK_CALLS } as const

type DeleteCode = 'charge.unknown' | 'bank.refused' | 'bank.unavailable'

/** The operations that close titles before their charges are deleted. */
export const deleteOperations = (ports: PaymentsPorts) =>
  operationsOf<ChargeDetail | null, CancelOrder, null, ChangedCharge, DeleteCode>(ports, {
    ...DELETE_CHARGE,
    read: (_, { subject: [, id] }) => findCharge(ports, { id: Number(id) }),
    isWanted: ({ id }, detail) => detail !== null && detail.charge.operationId === id,
    send: sendCancellation(ports),
    // Cancellation is idempotent.
    find: null,
    decide: decideDeletionReply,
    ended: (_, detail) => ({ value: detail ? right({ ...detail, isAnswered: true }) : left(NO_CHARGE) }),
    unknown: NO_CHARGE,
  })

/** Decides on the deletion after the bank's answer: if it refused, the charge stays. */
export const decideDeletionReply = (
  operation: Operation,
  detail: ChargeDetail | null,
  reply: BankReply<null>,
  fresh: Fresh,
): Verdict<ChangedCharge, DeleteCode> => {
  if (!detail) return { is: 'withdrawn', value: left(NO_CHARGE) }
  // The worker sends the order again, so that only the first attempt ends as unavailable.
  if (reply.outcome === 'unknown' || (reply.outcome === 'unavailable' && operation.attempts > 0))
    return { is: 'asking', value: right({ ...detail, isAnswered: false }) }
  if (reply.outcome === 'done' || reply.outcome === 'withdrawn') {
    const { after, changes } = changeWithEvent(
      detail,
      { ...DELETED, operationId: null },
      'charge.deleted',
      fresh,
      operation.id,
    )
    return { is: reply.outcome, value: right({ ...after, isAnswered: true }), changes }
  }
  const changes = [changeCharge(detail, { operationId: null }, fresh, operation.id).change]
  if (reply.outcome === 'unavailable')
    return { is: 'refused', value: left(failure('refused', 'bank.unavailable')), changes }
  const { reason } = reply
  return { is: 'refused', reason, value: left(refusal('bank.refused', reason)), changes }
}

const DELETED = { status: 'DELETED' } as const

/** Cancels the pending charge of a title that the bank closed; a charge with another current title stays. */
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
    ? endCharge(detail, 'cancelled', fresh)
    : accept(charge)
}

const EXPIRE_EVERY_SECONDS = 60
const EXPIRED_PER_SLICE = 100

/** The job that expires pending charges past `lapsesAt`, with an event each. */
export const expiryJob = (ports: PaymentsPorts): JobRow => ({
  name: 'expire-charges',
  schedule: { everySeconds: EXPIRE_EVERY_SECONDS },
  run: async ({ steady, cursor: place, report }) => {
    const lapsed = { from: charges, where: lte('lapsesAt', steady), when: 'lapsing', sort: 'lapsesAt' } as const
    const { records, next } = await readSlice(ports.store, { ...lapsed, limit: EXPIRED_PER_SLICE }, place)
    await processEach(charges, records, async ({ id }) => orThrow(await expireCharge(ports)(id)()), report)
    return next
  },
})

/** Moves a pending charge past `lapsesAt` to expired. */
const expireCharge = (ports: PaymentsPorts) => (chargeId: number) =>
  useCase(ports, () => findCharge(ports, { id: chargeId }), decideExpiry)

export const decideExpiry = (detail: ChargeDetail | null, fresh: Fresh) => {
  if (!detail) return left(NO_CHARGE)
  const { charge } = detail
  const isOver = charge.status === 'pending' && statusAt(charge, fresh.steady) === 'expired'
  return isOver ? endCharge(detail, 'expired', fresh) : accept(charge)
}

const endCharge = (detail: ChargeDetail, status: 'cancelled' | 'expired', fresh: Fresh) => {
  const { after, changes } = changeWithEvent(detail, { status }, `charge.${status}`, fresh)
  return accept(after.charge, ...changes)
}
