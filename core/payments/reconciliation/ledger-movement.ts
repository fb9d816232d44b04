import type { Movement, MovementKind } from '../../ports/bank.ts'
import { PAYMENT_TYPE_IDS } from '../charges/payment/payment-lines.ts'
import type { Entry } from '../ledger/entry.ts'
import type { Journal } from '../ledger/journal.ts'
import { PIX_OUT, PIX_REFUND, TRANSFER_OUT } from '../ledger/transaction-type.ts'

/** What a journal is caused by, and what moved at the bank then. */
const KINDS: Readonly<Record<string, MovementKind>> = {
  'pix-in': 'pix',
  'boleto-in': 'boleto',
  'pix-refund': 'refund',
  'pix-out': 'pay-out',
  // Its other end is a line of the account that receives it.
  'transfer-out': 'pay-out',
}

/** The lines behind which money moved at the bank; fees and what stays between accounts of ours are none. */
export const BANK_TYPE_IDS: readonly number[] = [...PAYMENT_TYPE_IDS, PIX_REFUND.id, PIX_OUT.id, TRANSFER_OUT.id]

export const isAtBank = ({ typeId }: Pick<Entry, 'typeId'>): boolean => BANK_TYPE_IDS.includes(typeId)

/** The movement that a journal says it is of; null of any other. */
export const movementIn = ({ cause }: Pick<Journal, 'cause'>): Pick<Movement, 'kind' | 'id'> | null => {
  const colon = cause.indexOf(':')
  const kind = KINDS[cause.slice(0, Math.max(colon, 0))]
  return kind === undefined ? null : { kind, id: cause.slice(colon + 1) }
}
