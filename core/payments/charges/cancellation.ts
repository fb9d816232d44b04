import { right } from '../../failure.ts'
import { type Change, eq, patch } from '../../kernel/records/record.ts'
import type { Fresh } from '../../kernel/running/use-case.ts'
import type { BankAnswer } from '../../ports/bank.ts'
import type { Cipher } from '../../ports/runtime.ts'
import { type BankReply, newOperation, type Operation, subjectOf, type Verdict } from '../bank/operation.ts'
import { operationsOf } from '../bank/run-operation.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { type Charge, charges } from './charge.ts'
import { NO_CHARGE } from './detail.ts'

const CANCEL_TITLE = 'cancel-title'
const PLACES = 4
const LEASE_SECONDS = 60
const FIRST_WAIT_SECONDS = 5

/** The title to close at the bank, or the card sale to void at the acquirer. */
export type CancelOrder = { readonly txid: string } | { readonly cardId: string }

/**
 * Builds the operation that closes the title `known`, or voids the card sale `known`. The caller inserts it and sets it as the
 * charge's operation; the worker sends it.
 */
export const newCancellation = (
  cipher: Pick<Cipher, 'seal'>,
  { id, accountId, card }: Pick<Charge, 'id' | 'accountId' | 'card'>,
  known: string,
  fresh: Fresh,
): Operation =>
  newOperation<CancelOrder>(
    cipher,
    {
      id: fresh.uuid(),
      accountId,
      kind: CANCEL_TITLE,
      subject: subjectOf(charges, id),
      order: card === null ? { txid: known } : { cardId: known },
      dueAt: fresh.steady,
    },
    fresh,
  )

/** Decides on the reply to a cancellation: a refusal ends it without effect; without an answer the worker retries. */
const decideCancellationReply = (
  { id, subject: [, chargeId] }: Pick<Operation, 'id' | 'subject'>,
  reply: BankReply<null>,
  { now }: Pick<Fresh, 'now'>,
): Verdict<null, never> => {
  if (reply.outcome === 'unknown' || reply.outcome === 'unavailable') return { is: 'asking', value: right(null) }
  const free: Change = patch(charges, chargeId, {
    set: { operationId: null, updatedAt: now },
    when: eq('operationId', id),
  })
  const reason = reply.outcome === 'refused' ? reply.reason : null
  return { is: reply.outcome, value: right(null), reason, changes: [free] }
}

/** Closes the title at the bank, or voids the sale at the acquirer. */
export const sendCancellation =
  ({ bank, acquirer }: Pick<PaymentsPorts, 'bank' | 'acquirer'>) =>
  async (order: CancelOrder): Promise<BankAnswer<null>> => {
    if ('txid' in order) return bank.cancelTitle(order.txid)
    return acquirer ? acquirer.void(order.cardId) : { outcome: 'unavailable' }
  }

/** The operations that close titles and void card sales. */
export const cancelTitle = (ports: PaymentsPorts) =>
  operationsOf<null, CancelOrder, null, null, 'charge.unknown'>(ports, {
    kind: CANCEL_TITLE,
    places: PLACES,
    leaseSeconds: LEASE_SECONDS,
    firstWaitSeconds: FIRST_WAIT_SECONDS,
    read: async () => null,
    isWanted: () => true,
    send: sendCancellation(ports),
    // Cancellation is idempotent.
    find: null,
    decide: (operation, _, reply, fresh) => decideCancellationReply(operation, reply, fresh),
    ended: () => ({ value: right(null) }),
    unknown: NO_CHARGE,
  })
