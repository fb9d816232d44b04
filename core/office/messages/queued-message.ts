import { t } from '../../fp.ts'
import { type Change, insert } from '../../kernel/records/change.ts'
import { at, type Collection } from '../../kernel/records/collection.ts'
import { orNull, record, word } from '../../kernel/records/record.ts'
import { eq, not } from '../../kernel/records/where.ts'
import type { Fresh } from '../../kernel/running/fresh/fresh.ts'
import { WAITING } from '../../kernel/running/queue.ts'
import type { Cipher } from '../../ports/cipher.ts'
import { MESSAGE_CHANNELS, type Message } from '../../ports/messenger.ts'
import { type Queued, UNSENT_REASONS } from '../mail/unsent-reason.ts'

const message = record({
  id: t.string,
  channel: word(...MESSAGE_CHANNELS),
  to: t.string,
  /** In whose name it goes out; null for our own, and in records of earlier releases. */
  tenantId: orNull(t.union([t.number, t.string])),
  /** Sealed, as mails are. */
  textSealed: t.string,
  /** When the worker is to send it; null once it was sent or given up, and where it is not sent. */
  dueAt: orNull(t.string),
  /** Why it is kept and not sent; null for all others. */
  unsentReason: orNull(word(...UNSENT_REASONS)),
  attempts: t.number,
  createdAt: t.string,
  /** From then on it is not sent any more, and forgotten. */
  expiresAt: t.string,
  /** The span that its work continues; null without tracing. */
  trace: orNull(t.string),
})

/** A short message that waits to be sent: written in the commit that made it necessary. */
export type QueuedMessage = t.TypeOf<typeof message>

export const messageCollection = (business: string): Collection<QueuedMessage> => ({
  name: `${business}.messages`,
  ids: 'text',
  codec: message,
  owner: null,
  conditions: { [WAITING]: not(eq('dueAt', null)) },
  indexes: [
    { sort: 'dueAt', when: WAITING, across: true, carries: ['tenantId'] },
    { sort: 'expiresAt', across: true },
  ],
})

type Messages = Pick<Collection<QueuedMessage>, 'name' | 'codec' | 'owner'>

const contextOf = (messages: Messages, id: string): string => at(messages, id).join('/')

/** A message as a business queues it: in our own name, where it names no tenant. */
type NewMessage = Message & Queued & Pick<QueuedMessage, 'expiresAt'> & Partial<Pick<QueuedMessage, 'tenantId'>>

/** The change that queues a message. `id`: of two of one id, one is sent. */
export const queuedIn =
  (messages: Messages) =>
  (
    cipher: Cipher,
    { now, steady, trace = null }: Pick<Fresh, 'now' | 'steady' | 'trace'>,
    { id, channel, to, text, expiresAt, tenantId = null, unsentReason = null }: NewMessage,
  ): Change =>
    insert(messages, {
      id,
      channel,
      to,
      tenantId,
      textSealed: cipher.seal(text, contextOf(messages, id)),
      dueAt: unsentReason === null ? steady : null,
      unsentReason,
      attempts: 0,
      createdAt: now,
      expiresAt,
      trace,
    })

export const messageIn =
  (messages: Messages) =>
  (cipher: Cipher, { id, channel, to, textSealed }: QueuedMessage): Message => ({
    id,
    channel,
    to,
    text: cipher.open(textSealed, contextOf(messages, id)),
  })
