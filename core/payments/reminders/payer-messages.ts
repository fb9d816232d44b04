import type { Change } from '../../kernel/records/record.ts'
import { isIn } from '../../kernel/records/record.ts'
import type { Fresh } from '../../kernel/running/use-case.ts'
import { addSeconds, type Instant } from '../../kernel/values/day.ts'
import { MAIL_LIFE_SECONDS, type UnsentReason } from '../../office/mail.ts'
import { MESSAGE_CHANNELS } from '../../ports/messaging.ts'
import type { Cipher } from '../../ports/runtime.ts'
import type { Store } from '../../ports/store.ts'
import { listOf } from '../../ports/store.ts'
import type { Charge } from '../charges/charge.ts'
import { type Client, clients } from '../customers/client.ts'
import { queueMail, queueMessage } from '../office.ts'
import { countMessages, type MessageQuota, type Recipient } from './message-quota.ts'
import { emailFor, shortTextFor, type Trigger } from './notice.ts'

/** A recipient and the id of the message to them. */
export interface MessageTarget extends Recipient {
  readonly id: string
}

/** Returns the payer's addresses for the channels of a rule, each once. A removed client has none. */
export const recipientsOf = ({ client, rule }: Pick<Trigger, 'client' | 'rule'>): readonly Recipient[] =>
  [...new Set(rule.channels)].flatMap((channel) => {
    const to = channel === 'email' ? client.email : client.phone
    return to === null || to === '' || client.removedAt !== null ? [] : [{ channel, to }]
  })

/** Returns the payer's addresses with message ids. The id derives from `cause`, so the same cause sends no message twice. */
export const targetsOf = (about: Pick<Trigger, 'client' | 'rule'>, cause: string): readonly MessageTarget[] =>
  recipientsOf(about).map((recipient) => ({ id: `${cause}|${recipient.channel}`, ...recipient }))

/**
 * Returns the changes that count messages to payers, one for each target, and those that enqueue them. Without room for
 * both in one commit, the count comes first. Messages above the quota are stored as not sent; the other ones are not
 * sent after `expiresAt`.
 */
export const queueMessages = (
  cipher: Cipher,
  fresh: Fresh,
  quota: MessageQuota,
  payers: readonly { readonly about: Trigger; readonly targets: readonly MessageTarget[] }[],
  expiresAt: Instant = addSeconds(fresh.steady, MAIL_LIFE_SECONDS),
) => {
  const messages = payers.flatMap(({ about, targets }) => targets.map((target) => ({ about, target })))
  const { reasons, changes: counting } = countMessages(
    cipher,
    quota,
    messages.map(({ target }) => target),
    fresh,
  )
  const queuing = messages.map(({ about, target }, index) =>
    queueOne(cipher, fresh, about, target, expiresAt, reasons[index] ?? null),
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

/** Reads the payers of charges, by their ids. */
export const readPayers = async (
  store: Store,
  owed: readonly Pick<Charge, 'clientId'>[],
): Promise<ReadonlyMap<number, Client>> => {
  const ids = [...new Set(owed.map(({ clientId }) => clientId))]
  if (ids.length === 0) return new Map()
  const { records } = await store.list(listOf(clients, { where: isIn('id', ids), limit: ids.length }))
  return new Map(records.map((client) => [client.id, client]))
}
