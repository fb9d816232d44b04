import type { CodesOf, IssueCodesOf } from '../../../core/failure.ts'
import type { Payments } from '../../../core/payments/payments.ts'
import type { FullWording, ServerCode, ServerIssue } from '../../http/replies/messages.ts'

/** All that the payments business can fail with, but what every server words. */
export type PaymentsCode = Exclude<CodesOf<Payments>, ServerCode>

/** The rules of its fields that only the rows know. */
type RowIssue = 'end-to-end-id' | 'withdrawal.date'

/** All that can be wrong with a field, but what every server words. */
export type PaymentsIssue = Exclude<IssueCodesOf<Payments> | RowIssue, ServerIssue>

/** The texts of a part of the business: no code that there is not. */
export interface Part {
  readonly failures: { readonly [C in PaymentsCode]?: FullWording }
  readonly issues: { readonly [C in PaymentsIssue]?: string }
}
