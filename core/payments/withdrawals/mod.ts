/** The inputs and results of the facade's members for withdrawals. */

export type { WithdrawalConfirmation } from './confirm.ts'
export type { AccountPayment, KeyPayment } from './direct-payment.ts'
export type { KeyLookupInput, KeyLookupResult, RepeatPolicy } from './key-lookup.ts'
export type { LimitUse } from './limits.ts'
export type { NewRecipient } from './recipient-changes.ts'
export type { FrequentFilter, PaidParty, PartyWithRecipients, Recipient, RecipientFilter } from './recipients.ts'
export type { PageOfWithdrawals, WithdrawalDetail, WithdrawalFilter } from './views.ts'
export type { Withdrawal, WithdrawalPayer } from './withdrawal.ts'
