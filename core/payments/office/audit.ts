import type { AuditActor as ByWhom } from '../../office/audit.ts'
import { auditIn } from '../../office/audit.ts'

/** What somebody did. Charges and payments are not among it: the ledger and the events are their trail. */
const ACTIONS = [
  'account.opened',
  'account.updated',
  'organization.removed',
  'terms.set',
  'pin.set',
  'key.exchanged',
  'user.registered',
  'user.added',
  'user.updated',
  'user.removed',
  'password.reset',
  'email.verified',
  'session.ended',
] as const
export type AuditedAction = (typeof ACTIONS)[number]

interface Words {
  readonly action: AuditedAction
  /** A user's holds what belongs to no account. */
  readonly chain: `account:${number}` | `user:${number}`
  readonly subject: `${'account' | 'user' | 'session'}:${number | string}`
  readonly userId: number
}

/** Who does something and from where; nobody where a code was enough, or it is the bank's own word. */
export type By = ByWhom<number>

/** Who changed what in an account, or of themselves. Source: decisions.md §12. */
export const audit = auditIn<Words>('payments', {
  actions: ACTIONS,
  secrets: ['pin', 'smtp.pass'],
  ignored: ['smtpToldAt'],
})

export const { recordAudit, changesOf } = audit
