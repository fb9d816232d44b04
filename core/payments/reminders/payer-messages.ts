import type { Change } from '../../kernel/records/change.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'
import { addSeconds, type Instant } from '../../kernel/values/day.ts'
import type { UnsentReason } from '../../office/mail.ts'
import { MAIL_LIFE_SECONDS } from '../../office/mail.ts'
import { MESSAGE_CHANNELS } from '../../ports/messaging.ts'
import type { Cipher } from '../../ports/runtime.ts'
import { queueMail, queueMessage } from '../office.ts'
import type { MessageQuota, Recipient } from './message-quota.ts'
import { type CountedMessages, countMessages } from './message-quota.ts'
import type { Trigger } from './notice.ts'
import { emailFor, shortTextFor } from './notice.ts'

/** One way to reach a payer, and the id of what is sent by it. */
export interface MessageTarget extends Recipient {
  readonly id: string
}

/** By which channels of a rule its payer can be reached, each once. A client that was removed is told nothing any more. */
export const recipientsOf = ({ client, rule }: Pick<Trigger, 'client' | 'rule'>): readonly Recipient[] =>
  [...new Set(rule.channels)].flatMap((channel) => {
    const to = channel === 'email' ? client.email : client.phone
    return to === null || to === '' || client.removedAt !== null ? [] : [{ channel, to }]
  })

/** The same, each with the id of what is sent by it: `cause` names what happened, so that it is one whoever sends it. */
export const targetsOf = (about: Pick<Trigger, 'client' | 'rule'>, cause: string): readonly MessageTarget[] =>
  recipientsOf(about).map((recipient) => ({ id: `${cause}|${recipient.channel}`, ...recipient }))

/** What a payer is told, and by which ways. */
export interface PayerMessages {
  readonly about: Trigger
  readonly ways: readonly MessageTarget[]
}

/** The changes that tell payers: what is sent is counted in the commit that queues it. */
export interface QueuedMessages extends Pick<CountedMessages, 'reasons'> {
  readonly counting: readonly Change[]
  readonly queuing: readonly Change[]
}

/**
 * Tells payers in the name of the account whose quota was read for them. What is over it is kept as not sent; what is within, not
 * sent any more once `expiresAt` is there.
 */
export const queueMessages = (
  cipher: Cipher,
  fresh: Fresh,
  quota: MessageQuota,
  tellings: readonly PayerMessages[],
  expiresAt: Instant = addSeconds(fresh.steady, MAIL_LIFE_SECONDS),
): QueuedMessages => {
  const messages = tellings.flatMap(({ about, ways }) => ways.map((way) => ({ about, way })))
  const { reasons, changes: counting } = countMessages(
    cipher,
    quota,
    messages.map(({ way }) => way),
    fresh,
  )
  const queuing = messages.map(({ about, way }, index) =>
    queueOne(cipher, fresh, about, way, expiresAt, reasons[index] ?? null),
  )
  return { reasons, counting, queuing }
}

const queueOne = (
  cipher: Cipher,
  fresh: Fresh,
  about: Trigger,
  { id, channel: named, to }: MessageTarget,
  sentUntil: Instant,
  unsentReason: UnsentReason | null,
): Change => {
  const expiresAt = unsentReason === null ? sentUntil : addSeconds(fresh.steady, MAIL_LIFE_SECONDS)
  const envelope = { id, to, expiresAt, unsentReason }
  const channel = MESSAGE_CHANNELS.find((each) => each === named)
  return channel === undefined
    ? queueMail(cipher, fresh, { ...envelope, accountId: about.account.id, ...emailFor(about) })
    : queueMessage(cipher, fresh, { ...envelope, channel, tenantId: about.account.id, text: shortTextFor(about) })
}
