import { duplicateWindow } from '../duplicate-window.ts'
import type { Transfer } from './transfer.ts'

/** What makes a transfer the same as another. */
type Same = Pick<Transfer, 'id' | 'accountId' | 'toAccountId' | 'valueCents'>

/** How long the same again is a mistake. Source: 02-billing.md, Limits. */
const REPEAT_SECONDS = 30 * 60

export const sentId = ({ accountId, toAccountId, valueCents }: Omit<Same, 'id'>): string =>
  `${accountId}|${toAccountId}|${valueCents}`

/** Transfers of a value between two accounts, each once in half an hour. */
export const sentTransfers = duplicateWindow<Same>('payments.sent-transfers', REPEAT_SECONDS, sentId)
