import {
  type Change,
  ensure,
  eq,
  expiringCollection,
  insert,
  lte,
  newRecord,
  orNull,
  patch,
  record,
  t,
} from '../../kernel/records/record.ts'
import type { Fresh } from '../../kernel/running/use-case.ts'
import { addDays, type Day, dayOf, startOfDay } from '../../kernel/values/day.ts'
import { formatCount } from '../../kernel/values/money.ts'
import { nfc, parseUrl } from '../../kernel/values/text.ts'
import type { UnsentReason } from '../../office/mail.ts'
import type { MessageChannel } from '../../ports/messaging.ts'
import type { Cipher } from '../../ports/runtime.ts'
import { byId, groupOf, type Store } from '../../ports/store.ts'
import { charges } from '../charges/charge.ts'
import { notify } from '../inbox/inbox.ts'
import { adminsOf, type Membership } from '../members/membership.ts'
import type { PaymentsPorts, PaymentsSettings } from '../payments-ports.ts'

/** The message counts of an account's day, and its limits. */
export interface MessageQuota {
  readonly accountId: number
  readonly day: Day
  readonly limits: MessageLimits
  readonly hasBeenPaid: boolean
  /** By id: the count of the day, and of each recipient. */
  readonly counts: Readonly<Record<string, MessageCount | null>>
  /** The ADMINs to notify of unsent messages; empty if all are sent, or if they were notified already. */
  readonly admins: readonly Membership[]
}

/** Returns the count of the day; null before the first message. */
const dayCountOf = ({ accountId, day, counts }: Pick<MessageQuota, 'accountId' | 'day' | 'counts'>) =>
  counts[dayCountId(accountId, day)] ?? null

const reasonsIn = (quota: Omit<MessageQuota, 'hasBeenPaid' | 'admins'>, ids: readonly string[]) =>
  unsentReasons(quota.limits, { ofDay: dayCountOf(quota)?.count ?? 0, to: (id) => quota.counts[id]?.count ?? 0 }, ids)

/** Reports whether any charge of the account was ever paid, from a tally. */
const wasEverPaid = async (store: Store, accountId: number): Promise<boolean> => {
  const where = eq('accountId', accountId)
  const [paid] = await store.group(groupOf(charges, { where, when: 'paid', by: [], sum: [] }))
  return (paid?.count ?? 0) > 0
}

/**
 * Reads the quota for messages to these recipients. It looks for a paid charge only if the lower limits are exceeded,
 * and stores that it found one for the rest of the day.
 */
export const readQuota = async (
  { cipher, clock, settings }: Pick<PaymentsPorts, 'cipher' | 'clock' | 'settings'>,
  store: Store,
  accountId: number,
  recipients: readonly Recipient[],
): Promise<MessageQuota> => {
  const day = dayOf(clock.steady())
  const ids = recipients.map((recipient) => recipientCountId(cipher, accountId, day, recipient))
  const stored = ids.length === 0 ? [] : [dayCountId(accountId, day), ...ids]
  const counts = await store.read(Object.fromEntries(stored.map((id) => [id, byId(messageCounts, id)])))
  const quotaOf = (hasBeenPaid: boolean): MessageQuota => {
    const limits = messageLimits(hasBeenPaid, settings)
    return { accountId, day, limits, hasBeenPaid, counts, admins: [] }
  }
  const isOver = (quota: MessageQuota) => reasonsIn(quota, ids).some((reason) => reason !== null)

  const counted = dayCountOf({ accountId, day, counts })
  const isKnownPaid = counted?.hasBeenPaid === true
  const lowest = quotaOf(isKnownPaid)
  const quota = isKnownPaid || !isOver(lowest) ? lowest : quotaOf(await wasEverPaid(store, accountId))
  if (!isOver(quota) || (counted?.toldAt ?? null) !== null) return quota
  return { ...quota, admins: (await store.list(adminsOf(accountId))).records }
}

/** The most messages to payers that an account may send in a day. */
interface MessageLimits {
  readonly perDay: number
  readonly perRecipient: number
}

/** Returns the limits of an account: low until a charge is paid, so that a new account cannot flood mailboxes. */
export const messageLimits = (
  hasBeenPaid: boolean,
  { messagesPerDay }: Pick<PaymentsSettings, 'messagesPerDay'>,
): MessageLimits => ({ perDay: messagesPerDay ?? (hasBeenPaid ? 10_000 : 200), perRecipient: hasBeenPaid ? 20 : 5 })

/** Returns the reason for which each message is not sent; null for the first ones, which are sent. */
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

/**
 * Counts messages, in this order, to recipients of the quota. Returns the reason for which each is not sent, null for
 * sent ones, and the changes that count the sent ones, guarded by the limits, and notify the ADMINs of unsent ones.
 */
export const countMessages = (
  cipher: Pick<Cipher, 'digest'>,
  quota: MessageQuota,
  recipients: readonly Recipient[],
  fresh: Fresh,
): { readonly reasons: readonly (UnsentReason | null)[]; readonly changes: readonly Change[] } => {
  const { accountId, day } = quota
  const ids = recipients.map((recipient) => recipientCountId(cipher, accountId, day, recipient))
  const reasons = reasonsIn(quota, ids)
  const sent = ids.filter((_, index) => reasons[index] === null)
  const toEach = new Map<string, number>()
  for (const id of sent) toEach.set(id, (toEach.get(id) ?? 0) + 1)
  return {
    reasons,
    changes: [
      ...countOfDay(quota, sent.length),
      ...[...toEach].map(([id, count]) => countForRecipient(quota, id, count)),
      ...notifyAdmins(quota, reasons.find((reason) => reason !== null) ?? null, fresh),
    ],
  }
}

const countOf = ({ accountId, day }: MessageQuota, id: string, count: number): MessageCount =>
  // It expires one day after the counted day, since the clocks of two processes may differ.
  newRecord(messageCounts, { id, accountId, count, expiresAt: startOfDay(addDays(day, 2)) })

const countOfDay = (quota: MessageQuota, count: number): readonly Change[] => {
  const { accountId, day, limits, hasBeenPaid } = quota
  if (count === 0) return []
  const id = dayCountId(accountId, day)
  return [
    ensure(messageCounts, countOf(quota, id, 0)),
    patch(messageCounts, id, {
      ...(hasBeenPaid && { set: { hasBeenPaid } }),
      add: { count },
      when: lte('count', limits.perDay - count),
    }),
  ]
}

/** Returns a single change: 300 charges with three channels have up to 600 recipients. */
const countForRecipient = (quota: MessageQuota, id: string, count: number): Change =>
  quota.counts[id]
    ? patch(messageCounts, id, { add: { count }, when: lte('count', quota.limits.perRecipient - count) })
    : insert(messageCounts, countOf(quota, id, count))

/** Notifies the ADMINs of unsent messages, once a day. */
const notifyAdmins = (quota: MessageQuota, reason: UnsentReason | null, fresh: Fresh): readonly Change[] => {
  const { accountId, day, limits, admins } = quota
  if (reason === null || (dayCountOf(quota)?.toldAt ?? null) !== null) return []
  const { perDay, perRecipient } = limits
  const data = {
    ...{ day, reason, per_day: perDay, per_recipient: perRecipient },
    message: `Há mensagens a pagadores que não foram enviadas: por dia, o limite é de ${formatCount(perDay)} da conta e de ${formatCount(perRecipient)} ao mesmo destinatário.`,
  }
  return [
    patch(messageCounts, dayCountId(accountId, day), { set: { toldAt: fresh.now }, when: eq('toldAt', null) }),
    ...notify(fresh, admins, { accountId, type: 'messages.unsent', data }),
  ]
}

const messageCount = record({
  /** `7|2026-11-23` for an account's day; for a recipient followed by a digest of the address. */
  id: t.string,
  accountId: t.number,
  /** The number of messages enqueued to be sent. */
  count: t.number,
  /** Of a day: true once a paid charge of the account was found. */
  hasBeenPaid: orNull(t.boolean),
  /** Of a day: the time at which the ADMINs were notified of unsent messages. */
  toldAt: orNull(t.string),
  expiresAt: t.string,
})

/** A count of messages to payers on a day in São Paulo. Commits that enqueue messages patch it, guarded by a limit. */
type MessageCount = t.TypeOf<typeof messageCount>

export const messageCounts = expiringCollection('payments.message-counts', messageCount, 'accountId')

export interface Recipient {
  readonly channel: 'email' | MessageChannel
  readonly to: string
}

const COUNTRY_CODE = /^55(?=0*\d{10,11}$)/

/**
 * Folds the spellings of an email address to one: without a tag and dots in the name, and with the host as name servers
 * have it. Two mailboxes with the same folded address share one count.
 */
const foldedMailbox = (address: string): string => {
  const [name = '', host = ''] = address.normalize('NFKC').toLowerCase().split('@')
  const [untagged] = name.replaceAll('.', '').split('+')
  return nfc(`${untagged || name}@${parseUrl(`http://${host}`)?.hostname ?? host}`)
}

/** Folds the spellings of an address to one: a phone number is the same without its country code, in every channel. */
export const foldedRecipient = ({ channel, to }: Recipient): string =>
  channel === 'email' ? foldedMailbox(to) : foldedNumber(to)

const foldedNumber = (number: string): string =>
  withoutZeros(withoutZeros(number.normalize('NFKC').replace(/\D/g, '')).replace(COUNTRY_CODE, ''))

const withoutZeros = (digits: string): string => digits.replace(/^0+/, '')

const dayCountId = (accountId: number, day: Day): string => `${accountId}|${day}`

/** Returns the id of a recipient's count. It contains a digest instead of the address. */
export const recipientCountId = (
  cipher: Pick<Cipher, 'digest'>,
  accountId: number,
  day: Day,
  recipient: Recipient,
): string => `${dayCountId(accountId, day)}|${cipher.digest(foldedRecipient(recipient), messageCounts.name)}`
