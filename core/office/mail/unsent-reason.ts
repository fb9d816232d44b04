/** Why what was queued is kept and not sent: one limit of a day is for all, the other for each recipient. */
export const UNSENT_REASONS = ['day-limit', 'recipient-limit'] as const
export type UnsentReason = (typeof UNSENT_REASONS)[number]

/** What is said of something that is queued, beside what is sent. */
export interface Queued {
  /** Kept, and never due, where there is a reason. */
  readonly unsentReason?: UnsentReason | null
}
