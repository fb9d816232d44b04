import type { BankAnswer } from './bank-answer.ts'

/** What a card is charged for: all of it may be kept. */
export interface CardOrder {
  /** Our own id at the acquirer: what is asked twice by it is done once. */
  readonly id: string
  readonly valueCents: number
  /** In how many parts the card's bank takes it. */
  readonly installments: number
  readonly brand: 'visa' | 'mastercard'
  readonly last4: string
  readonly payeeName: string
}

/** The card itself: it lives in the memory of a request, and is neither stored nor logged. */
export interface CardNumber {
  /** 13 to 19 digits. */
  readonly number: string
  readonly cvv: string
  /** 1 to 12. */
  readonly expiryMonth: number
  /** Of four digits. */
  readonly expiryYear: number
  readonly holder: string
  readonly document: string | null
}

/** What an acquirer says of a charge of a card. `pending`: it says so later, by `AcquirerNotifications`. */
export interface CardDecision {
  readonly status: 'approved' | 'pending' | 'declined' | 'voided'
  /** By which the acquirer knows the card; no number can be found by it. */
  readonly token: string | null
  /** Why it was declined, for the payer. */
  readonly reason: string | null
}

/**
 * Who charges cards. Every order carries our own id: asking twice charges once, and what became of it is found by it.
 * Never rejects. Source: decisions.md §3 (Card), §9.
 */
export interface Acquirer {
  /** Charges a card; a card that is declined is done, too. */
  charge(order: CardOrder, card: CardNumber): Promise<BankAnswer<CardDecision>>
  /** What became of an order; null where the acquirer never took it. */
  find(id: string): Promise<BankAnswer<CardDecision | null>>
  /** Gives an approved or pending charge back, whole; done also when it was given back, or declined, before. */
  void(id: string): Promise<BankAnswer<null>>
}
