import { t } from '../../../fp.ts'
import type { Collection } from '../../../kernel/records/collection.ts'
import { orNull, record } from '../../../kernel/records/record.ts'
import { addDays, type Day, type Instant, startOfDay } from '../../../kernel/values/day.ts'
import { parseUrl } from '../../../kernel/values/network.ts'
import { nfc } from '../../../kernel/values/text.ts'
import type { MessageChannel } from '../../../ports/messaging.ts'
import type { Cipher } from '../../../ports/runtime.ts'

const messageCount = record({
  /** `7|2026-11-23`: an account's day; behind it, where it is of one recipient, the mark of that. */
  id: t.string,
  accountId: t.number,
  /** Messages that were queued to be sent. */
  count: t.number,
  /** Of a day: true once it was seen that a charge of the account had been paid. */
  hasBeenPaid: orNull(t.boolean),
  /** Of a day: when the ADMINs were told that something is not sent. */
  toldAt: orNull(t.string),
  expiresAt: t.string,
})

/** The keeper of how many messages to payers an account may send on a day of São Paulo: whatever queues one patches it. */
export type MessageCount = t.TypeOf<typeof messageCount>

export const messageCounts: Collection<MessageCount> = {
  name: 'payments.message-counts',
  ids: 'text',
  codec: messageCount,
  owner: 'accountId',
  indexes: [{ sort: 'expiresAt', acrossOwners: true }],
}

/** Whom a message reaches. */
export interface Recipient {
  readonly channel: 'email' | MessageChannel
  readonly to: string
}

const COUNTRY_CODE = /^55(?=0*\d{10,11}$)/

/**
 * An address as one mailbox has many: with a tag or without, with dots in its name or without, its host in any letters that name
 * servers take for the same. Who shares a count with another by that is told a little less.
 */
const foldedMailbox = (address: string): string => {
  const [name = '', host = ''] = address.normalize('NFKC').toLowerCase().split('@')
  const [untagged] = name.replaceAll('.', '').split('+')
  return nfc(`${untagged || name}@${parseUrl(`http://${host}`)?.hostname ?? host}`)
}

/** An address or a number as it is compared: a number is one with or without the country's code, and by either channel. */
export const foldedRecipient = ({ channel, to }: Recipient): string =>
  channel === 'email' ? foldedMailbox(to) : foldedNumber(to)

const foldedNumber = (number: string): string =>
  withoutZeros(withoutZeros(number.normalize('NFKC').replace(/\D/g, '')).replace(COUNTRY_CODE, ''))

const withoutZeros = (digits: string): string => digits.replace(/^0+/, '')

export const dayCountId = (accountId: number, day: Day): string => `${accountId}|${day}`

/** No id tells who was written to. */
export const recipientCountId = (
  cipher: Pick<Cipher, 'digest'>,
  accountId: number,
  day: Day,
  recipient: Recipient,
): string => `${dayCountId(accountId, day)}|${cipher.digest(foldedRecipient(recipient), messageCounts.name)}`

/** A day later than it counts: the clocks of two processes may differ. */
export const countExpiry = (day: Day): Instant => startOfDay(addDays(day, 2))
