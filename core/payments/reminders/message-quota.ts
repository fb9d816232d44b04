import { t } from '../../fp.ts'
import { type Change, ensure, insert, patch } from '../../kernel/records/change.ts'
import type { Collection } from '../../kernel/records/collection.ts'
import { orNull, record } from '../../kernel/records/record.ts'
import { eq, lte } from '../../kernel/records/where.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'
import { addDays, type Day, dayOf, type Instant, startOfDay } from '../../kernel/values/day.ts'
import { formatCount } from '../../kernel/values/money.ts'
import { parseUrl } from '../../kernel/values/network.ts'
import { nfc } from '../../kernel/values/text.ts'
import type { UnsentReason } from '../../office/mail.ts'
import type { MessageChannel } from '../../ports/messaging.ts'
import type { Cipher } from '../../ports/runtime.ts'
import { byId, groupOf, type Store } from '../../ports/store.ts'
import { charges } from '../charges/charge.ts'
import type { Membership } from '../members/membership.ts'
import { adminsOf } from '../members/membership.ts'
import { notify } from '../office.ts'
import type { PaymentsPorts, PaymentsSettings } from '../payments-ports.ts'

/** What was counted of an account's day, and what it may send. */
export interface MessageQuota {
  readonly accountId: number
  readonly day: Day
  readonly limits: MessageLimits
  readonly hasBeenPaid: boolean
  /** By id, of the day and of each recipient that was asked for. */
  readonly counts: Readonly<Record<string, MessageCount | null>>
  /** Who has to be told that something is not sent; nobody where nothing is, or they know. */
  readonly admins: readonly Membership[]
}

type QuotaPorts = Pick<PaymentsPorts, 'cipher' | 'clock' | 'settings'>

/** What was sent on the day; null where nothing was. */
export const dayCountOf = ({ accountId, day, counts }: Pick<MessageQuota, 'accountId' | 'day' | 'counts'>) =>
  counts[dayCountId(accountId, day)] ?? null

/** Why messages of which these recipients were read are not sent, by the limits of the account. */
export const reasonsIn = (quota: Omit<MessageQuota, 'hasBeenPaid' | 'admins'>, ids: readonly string[]) =>
  unsentReasons(quota.limits, { ofDay: dayCountOf(quota)?.count ?? 0, to: (id) => quota.counts[id]?.count ?? 0 }, ids)

/** Whether any charge of the account was ever paid, whatever became of it: a tally tells. */
const wasEverPaid = async (store: Store, accountId: number): Promise<boolean> => {
  const where = eq<'accountId'>('accountId', accountId)
  const [paid] = await store.group(groupOf(charges, { where, when: 'paid', by: [], sum: [] }))
  return (paid?.count ?? 0) > 0
}

/**
 * Reads what messages to these recipients are counted on. Whether a charge was paid is asked only where the lower limits are
 * reached, and of a day on which one was, once.
 */
export const readQuota = async (
  { cipher, clock, settings }: QuotaPorts,
  store: Store,
  accountId: number,
  recipients: readonly Recipient[],
): Promise<MessageQuota> => {
  const day = dayOf(clock.steady())
  const ids = recipients.map((recipient) => recipientCountId(cipher, accountId, day, recipient))
  const counts = ids.length === 0 ? {} : await readCounts(store, [dayCountId(accountId, day), ...ids])
  const quotaOf = (hasBeenPaid: boolean, admins: readonly Membership[] = []): MessageQuota => {
    const limits = messageLimits(hasBeenPaid, settings)
    return { accountId, day, limits, hasBeenPaid, counts, admins }
  }
  const isOver = (quota: MessageQuota) => reasonsIn(quota, ids).some((reason) => reason !== null)

  const known = dayCountOf({ accountId, day, counts })
  const isKnownPaid = known?.hasBeenPaid === true
  const atLeast = quotaOf(isKnownPaid)
  if (!isOver(atLeast)) return atLeast
  const quota = isKnownPaid ? atLeast : quotaOf(await wasEverPaid(store, accountId))
  if (!isOver(quota) || (known !== null && known.toldAt !== null)) return quota
  return { ...quota, admins: (await store.list(adminsOf(accountId))).records }
}

const readCounts = (store: Store, ids: readonly string[]): Promise<MessageQuota['counts']> =>
  store.read(Object.fromEntries(ids.map((id) => [id, byId(messageCounts, id)])))

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

export interface CountedMessages {
  /** For each message, why it is not sent; null for those that are. */
  readonly reasons: readonly (UnsentReason | null)[]
  /** Counts what is sent, where there is room for it still, and tells the ADMINs, once a day, of what is not. */
  readonly changes: readonly Change[]
}

/** Counts messages, in this order, to recipients for whom the quota was read. */
export const countMessages = (
  cipher: Pick<Cipher, 'digest'>,
  quota: MessageQuota,
  recipients: readonly Recipient[],
  fresh: Fresh,
): CountedMessages => {
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

const countOf = ({ accountId, day }: MessageQuota, id: string, count: number): MessageCount => ({
  ...{ id, accountId, count, hasBeenPaid: null, toldAt: null },
  expiresAt: countExpiry(day),
})

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

/** One change each: three hundred charges by three channels reach six hundred. */
const countForRecipient = (quota: MessageQuota, id: string, count: number): Change =>
  quota.counts[id]
    ? patch(messageCounts, id, { add: { count }, when: lte('count', quota.limits.perRecipient - count) })
    : insert(messageCounts, countOf(quota, id, count))

/** Told once a day, however much is not sent. */
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
