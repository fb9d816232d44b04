import { eq } from '../../../kernel/records/where.ts'
import { type Day, dayOf } from '../../../kernel/values/day.ts'
import { byId, groupOf, type Store } from '../../../ports/store.ts'
import { charges } from '../../charges/charge.ts'
import type { Membership } from '../../members/membership.ts'
import { adminsOf } from '../../members/team.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { dayCountId, type MessageCount, messageCounts, type Recipient, recipientCountId } from './message-count.ts'
import { type MessageLimits, messageLimits, unsentReasons } from './message-limits.ts'

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
