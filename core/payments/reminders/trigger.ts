import type { Day, Instant } from '../../kernel/values/day.ts'
import type { Account } from '../accounts/account.ts'
import type { NotificationRule, RuleName } from '../accounts/settings/account-settings.ts'
import type { Charge } from '../charges/charge.ts'
import type { Client } from '../customers/client.ts'

/** Why a payer is told: by a rule of the account, or because somebody there asked for it. */
export type Cause = RuleName | 'notice'

/** What a payer is told of: a charge as it stands, by one rule of its account, or as if by one. */
export interface Trigger {
  readonly name: Cause
  readonly rule: NotificationRule
  readonly account: Pick<Account, 'id' | 'name'>
  readonly charge: Charge
  readonly client: Client
  /** What was paid of it when it was told; null takes the charge's word. */
  readonly paidCents: number | null
  /** Base of public links, without a slash at its end. */
  readonly publicUrl: string
  readonly steady: Instant
  readonly today: Day
}
