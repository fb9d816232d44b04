import { type Change, ensure, insert, patch } from '../../../kernel/records/change.ts'
import { eq, lte } from '../../../kernel/records/where.ts'
import type { Fresh } from '../../../kernel/running/fresh.ts'
import { formatCount } from '../../../kernel/values/money.ts'
import type { UnsentReason } from '../../../office/mail.ts'
import type { Cipher } from '../../../ports/runtime.ts'
import { notify } from '../../office/notifications.ts'
import {
  countExpiry,
  dayCountId,
  type MessageCount,
  messageCounts,
  type Recipient,
  recipientCountId,
} from './message-count.ts'
import { dayCountOf, type MessageQuota, reasonsIn } from './message-quota.ts'

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
      ...[...toEach].map(([id, count]) => countToOne(quota, id, count)),
      ...tellUnsent(quota, reasons.find((reason) => reason !== null) ?? null, fresh),
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
const countToOne = (quota: MessageQuota, id: string, count: number): Change =>
  quota.counts[id]
    ? patch(messageCounts, id, { add: { count }, when: lte('count', quota.limits.perRecipient - count) })
    : insert(messageCounts, countOf(quota, id, count))

/** Told once a day, however much is not sent. */
const tellUnsent = (quota: MessageQuota, reason: UnsentReason | null, fresh: Fresh): readonly Change[] => {
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
