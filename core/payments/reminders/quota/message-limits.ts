import type { UnsentReason } from '../../../office/mail.ts'
import type { PaymentsSettings } from '../../payments-ports.ts'

/** How many messages to payers an account may send in a day. */
export interface MessageLimits {
  readonly perDay: number
  readonly perRecipient: number
}

const BEFORE_A_PAYMENT: MessageLimits = { perDay: 200, perRecipient: 5 }
const AFTER_A_PAYMENT: MessageLimits = { perDay: 10_000, perRecipient: 20 }

/**
 * What an account may send, by whether a charge of it has ever been paid: a stranger's mailbox is not filled by whoever has
 * just opened one. Source: decisions.md §12, Fair shares; §7, `MESSAGES_PER_DAY`.
 */
export const messageLimits = (
  hasBeenPaid: boolean,
  { messagesPerDay }: Pick<PaymentsSettings, 'messagesPerDay'>,
): MessageLimits => {
  const usual = hasBeenPaid ? AFTER_A_PAYMENT : BEFORE_A_PAYMENT
  return { ...usual, perDay: messagesPerDay ?? usual.perDay }
}

/** For each message, by who it is to, why it is not sent; null for those that are: the first ones. */
export const unsentReasons = (
  { perDay, perRecipient }: MessageLimits,
  sent: { readonly ofDay: number; readonly to: (recipient: string) => number },
  recipients: readonly string[],
): readonly (UnsentReason | null)[] => {
  const more = new Map<string, number>()
  let ofDay = sent.ofDay
  return recipients.map((recipient) => {
    const toOne = more.get(recipient) ?? sent.to(recipient)
    if (ofDay >= perDay) return 'day-limit'
    if (toOne >= perRecipient) return 'recipient-limit'
    ofDay += 1
    more.set(recipient, toOne + 1)
    return null
  })
}
