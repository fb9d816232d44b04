import { duplicateWindow } from '../../duplicate-window.ts'
import type { Withdrawal } from '../withdrawal.ts'

/** What makes a withdrawal the same as another. */
type Same = Pick<Withdrawal, 'id' | 'accountId' | 'destination' | 'valueCents'>

/** How long the same again is a mistake. Source: 02-billing.md, Limits. */
export const REPEAT_SECONDS = 3_600

/** What is the same: an account's value to one place; without a value `-`. */
export const sentId = ({ accountId, destination, valueCents }: Omit<Same, 'id'>): string =>
  `${accountId}|${valueCents ?? '-'}|${destination}`

/** Withdrawals of a value to one place, each once in an hour. */
export const sentWithdrawals = duplicateWindow<Same>('payments.sent-withdrawals', REPEAT_SECONDS, sentId)
