/** What members about withdrawals are given, and what they answer. */

export type { PageOfWithdrawals, WithdrawalFilter } from './list-withdrawals.ts'
export type { LookedUp, Repeats } from './paying/look-up-key.ts'
export type { WithdrawalPayer } from './paying/new-withdrawal.ts'
export type {
  AccountPayment,
  KeyLookupGiven,
  KeyPayment,
  WithdrawalConfirmation,
} from './paying/withdrawal-inputs.ts'
export type { WithdrawalDetail } from './read-withdrawal.ts'
export type { FrequentFilter, PartyWithRecipients, RecipientFilter } from './recipients/list-recipients.ts'
export type { PaidParty, Recipient } from './recipients/recipient.ts'
export type { Withdrawal } from './withdrawal.ts'
