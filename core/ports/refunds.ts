import type { BankAnswer } from './bank-answer.ts'

export interface RefundOrder {
  /** Our own id at the bank, 32 letters and digits: what is asked twice by it is given back once. */
  readonly id: string
  /** The received Pix that it gives back, or a part of. */
  readonly endToEndId: string
  readonly valueCents: number
  /** What the payer reads; at most 140 characters. */
  readonly reason: string | null
}

/** A refund as the bank has it. */
export interface BankRefund {
  /** `processing`: the bank took it and says later what became of it; `failed`: no money went back, nor will. */
  readonly status: 'processing' | 'returned' | 'failed'
  /** Why it failed, in the bank's own words where it has any. */
  readonly reason: string | null
  /** By which the banks know it; null while it has none. */
  readonly returnId: string | null
}

/**
 * Gives a received Pix back, whole or in parts, to whoever paid it (devolução). Every order carries our own id, so that asking
 * twice gives back once: what the bank took it does not refuse later. Never rejects. Source: BCB, API Pix, Devolução.
 */
export interface Refunds {
  /** Asked again, it tells what became of the refund. Refused where the Pix is unknown, too old, or has less left. */
  refund(order: RefundOrder): Promise<BankAnswer<BankRefund>>
  /** The refund of an order, or null where the bank never took it. */
  findRefund(order: RefundOrder): Promise<BankAnswer<BankRefund | null>>
}
