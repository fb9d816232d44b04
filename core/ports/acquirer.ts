import type { Either, Failure } from '../failure.ts'
import type { BankAnswer } from './bank.ts'

/** The order of a card charge. Nothing in it is secret: it may be stored. */
export interface CardOrder {
  /** Our own id at the acquirer: two orders with one id charge once. */
  readonly id: string
  readonly valueCents: number
  /** The number of installments. */
  readonly installments: number
  readonly brand: 'visa' | 'mastercard'
  readonly last4: string
  readonly payeeName: string
}

/** The data of a card. They exist only in the memory of a request and are neither stored nor logged. */
export interface CardNumber {
  /** 13 to 19 digits. */
  readonly number: string
  readonly cvv: string
  /** 1 to 12. */
  readonly expiryMonth: number
  /** Four digits. */
  readonly expiryYear: number
  readonly holder: string
  readonly document: string | null
}

/** The decision of an acquirer on a card charge. `pending`: the decision follows through `AcquirerNotifications`. */
export interface CardDecision {
  readonly status: 'approved' | 'pending' | 'declined' | 'voided'
  /** The acquirer's token for the card, from which the number cannot be derived. */
  readonly token: string | null
  /** The reason of a decline, shown to the payer. */
  readonly reason: string | null
}

/**
 * Charges cards. Every order carries our own id: sending it twice charges once, and its state can be read by it. Its
 * methods never reject.
 */
export interface Acquirer {
  /** Charges a card. A decline is a decision too: the outcome is `done`. */
  charge(order: CardOrder, card: CardNumber): Promise<BankAnswer<CardDecision>>
  /** Returns the decision on an order, or null if the acquirer never received it. */
  find(id: string): Promise<BankAnswer<CardDecision | null>>
  /** Voids an approved or pending charge, whole. `done` too if it was voided or declined before. */
  void(id: string): Promise<BankAnswer<null>>
}

/** The acquirer's decision on a pending charge. It may be sent more than once. */
export interface CardNotice extends Omit<CardDecision, 'status'> {
  /** Our own id at the acquirer. */
  readonly id: string
  readonly status: 'approved' | 'declined' | 'voided'
}

/**
 * The platform's entry point for decisions of an acquirer. Send a notice again only after a failure with the tag
 * `unavailable`.
 */
export interface AcquirerNotifications {
  /** Records a decision; resolves after the commit. Fails: `fields`, `charge.unknown`. */
  decided(notice: CardNotice): () => Promise<Either<Failure, unknown>>
}
