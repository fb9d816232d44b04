import type { Day, Instant } from '../kernel/values/day.ts'

/** Whose account it is and where it is kept, as it is read: a document has its marks. */
export interface StatementHolder {
  readonly name: string
  readonly document: string
  readonly bank: string
  readonly agency: string
  readonly account: string
}

export interface StatementLine {
  readonly at: Instant
  readonly type: string
  readonly description: string
  /** The other side, where it is known: name and document on one line. */
  readonly party: string | null
  /** Negative is a debit. */
  readonly valueCents: number
  /** Of the account after it; null for what is no part of the balance. */
  readonly balanceCents: number | null
}

/** What the account had before and after; magnitudes of what came in and went out between. */
export interface StatementSums {
  readonly openingCents: number
  readonly closingCents: number
  readonly incomeCents: number
  readonly expensesCents: number
}

export interface StatementDay {
  readonly day: Day
  /** Null where the list is narrowed: what is left out belongs to the balance too. */
  readonly openingCents: number | null
  readonly closingCents: number | null
  readonly lines: readonly StatementLine[]
}

/** An account's statement as paper tells it: all texts are in Portuguese, whatever they hold; no length is too long. */
export interface Statement {
  readonly holder: StatementHolder
  /** Both ends are in it; null where it has no bound. */
  readonly from: Day | null
  readonly to: Day | null
  readonly issuedAt: Instant
  readonly sums: StatementSums | null
  /** By what the list is narrowed; null where it is not. */
  readonly narrowedBy: string | null
  /** Ascending. */
  readonly days: readonly StatementDay[]
}

/** The two sides of a movement, as far as they are known. */
export interface ReceiptParty {
  readonly name: string
  readonly document: string
  /** Bank, branch and account, as they are read. */
  readonly place: string | null
}

/** One movement of an account, as whoever paid or was paid shows it to others. */
export interface Receipt {
  readonly id: number
  readonly type: string
  readonly status: string
  readonly at: Instant
  readonly issuedAt: Instant
  readonly valueCents: number
  readonly description: string
  /** Refunds and the rest of the payment, in Portuguese; null without a refund. */
  readonly returned: string | null
  readonly payer: ReceiptParty | null
  readonly receiver: ReceiptParty | null
  readonly endToEndId: string | null
  readonly txid: string | null
  readonly holder: StatementHolder
}

/** Draws statements and receipts as PDF. Long ones must hold up nobody else in the process. */
export interface StatementRenderer {
  statementPdf(statement: Statement): Promise<Uint8Array>
  /** One A4 page. */
  receiptPdf(receipt: Receipt): Promise<Uint8Array>
}
