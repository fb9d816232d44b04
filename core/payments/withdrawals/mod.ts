/** The inputs and results of the facade's members for withdrawals. */

export type {
  AccountPayment,
  KeyLookupInput,
  KeyPayment,
  WithdrawalConfirmation,
} from './inputs.ts'
export type { KeyLookupResult, RepeatPolicy } from './key-lookup.ts'
export type { FrequentFilter, PaidParty, PartyWithRecipients, Recipient, RecipientFilter } from './recipients.ts'
export type { PageOfWithdrawals, WithdrawalDetail, WithdrawalFilter } from './views.ts'
export type { Withdrawal, WithdrawalPayer } from './withdrawal.ts'
