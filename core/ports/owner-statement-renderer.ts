import type { Day, Instant } from '../kernel/values/day.ts'

/** A payment of an owner's property, as paper tells it. */
export interface OwnerStatementLine {
  readonly day: Day
  /** The property's code. */
  readonly property: string
  readonly description: string
  /** What was paid. */
  readonly valueCents: number
  /** What of it the owner gets: negative is a debit; null for what is only told of. */
  readonly effectCents: number | null
}

/** What came in and went out for an owner in a month: all texts are in Portuguese, whatever they hold; no length is too long. */
export interface OwnerStatementPaper {
  /** The agency; null where it has no name. */
  readonly agency: string | null
  readonly owner: string
  /** `YYYY-MM`. */
  readonly period: string
  readonly issuedAt: Instant
  readonly lines: readonly OwnerStatementLine[]
  readonly incomeCents: number
  readonly administrationCents: number
  readonly expensesCents: number
  readonly netCents: number
}

/** Draws statements of owners as PDF, as many A4 pages as they have. */
export interface OwnerStatementRenderer {
  ownerStatementPdf(statement: OwnerStatementPaper): Promise<Uint8Array>
}
