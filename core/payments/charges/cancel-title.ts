import { right } from '../../failure.ts'
import { eq, patch } from '../../kernel/records/record.ts'
import type { Fresh } from '../../kernel/running/use-case.ts'
import type { BankAnswer } from '../../ports/bank.ts'
import type { Cipher } from '../../ports/runtime.ts'
import { byId } from '../../ports/store.ts'
import {
  BANK_CALLS,
  type BankReply,
  enqueueOperation,
  NO_ANSWER,
  type Operation,
  subjectOf,
  type Verdict,
} from '../bank/operation.ts'
import { operationsOf } from '../bank/run-operation.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { type Charge, charges } from './charge.ts'
import { NO_CHARGE } from './detail.ts'

const CANCEL_TITLE = { kind: 'cancel-title', ...BANK_CALLS } as const

/** The title to close at the bank, or the card sale to void at the acquirer. */
export type CancelOrder = { readonly txid: string } | { readonly cardId: string }

/**
 * Starts the operation that closes the title `known`, or voids the card sale `known`; the worker sends it. The caller
 * commits the change, and sets `operationId` in the charge.
 */
export const enqueueCancellation = (
  cipher: Pick<Cipher, 'seal'>,
  { id, accountId, card }: Pick<Charge, 'id' | 'accountId' | 'card'>,
  known: string,
  fresh: Fresh,
) => {
  const order: CancelOrder = card === null ? { txid: known } : { cardId: known }
  const operationId = fresh.uuid()
  const input = { id: operationId, accountId, subject: subjectOf(charges, id), order }
  return { operationId, change: enqueueOperation(cipher, CANCEL_TITLE, input, fresh) }
}

/** Decides on the reply to a cancellation: a refusal ends it without effect; without an answer the worker retries. */
export const decideCancellationReply = (
  { id }: Pick<Operation, 'id'>,
  charge: Pick<Charge, 'id' | 'operationId'> | null,
  reply: BankReply<null>,
  { now }: Pick<Fresh, 'now'>,
): Verdict<null, never> => {
  if (reply.outcome === 'unknown' || reply.outcome === 'unavailable') return { is: 'asking', value: right(null) }
  const set = { operationId: null, updatedAt: now }
  const reason = reply.outcome === 'refused' ? reply.reason : null
  const changes = charge?.operationId === id ? [patch(charges, charge.id, { set, when: eq('operationId', id) })] : []
  return { is: reply.outcome, value: right(null), reason, changes }
}

/** Closes the title at the bank, or voids the sale at the acquirer. */
export const sendCancellation =
  ({ bank, acquirer }: Pick<PaymentsPorts, 'bank' | 'acquirer'>) =>
  async (order: CancelOrder): Promise<BankAnswer<null>> => {
    if ('txid' in order) return bank.cancelTitle(order.txid)
    return acquirer ? acquirer.void(order.cardId) : NO_ANSWER
  }

/** The operations that close titles and void card sales. */
export const cancelTitle = (ports: PaymentsPorts) =>
  operationsOf<Charge | null, CancelOrder, null, null, 'charge.unknown'>(ports, {
    ...CANCEL_TITLE,
    read: (store, { subject: [, id] }) => store.find(byId(charges, Number(id))),
    isWanted: () => true,
    send: sendCancellation(ports),
    // Cancellation is idempotent.
    find: null,
    decide: decideCancellationReply,
    ended: () => ({ value: right(null) }),
    unknown: NO_CHARGE,
  })
