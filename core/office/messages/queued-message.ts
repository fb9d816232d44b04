import { t } from '../../fp.ts'
import { type Change, insert } from '../../kernel/records/change.ts'
import { at, type Collection } from '../../kernel/records/collection.ts'
import { orNull, record, word } from '../../kernel/records/record.ts'
import { eq, not } from '../../kernel/records/where.ts'
import type { Fresh } from '../../kernel/running/fresh/fresh.ts'
import { WAITING } from '../../kernel/running/queue.ts'
import type { Instant } from '../../kernel/values/day.ts'
import type { Cipher } from '../../ports/cipher.ts'
import { MESSAGE_CHANNELS, type Message } from '../../ports/messenger.ts'

const message = record({
  id: t.string,
  channel: word(...MESSAGE_CHANNELS),
  to: t.string,
  /** Sealed, as mails are. */
  textSealed: t.string,
  /** When the worker is to send it; null once it was sent or given up. */
  dueAt: orNull(t.string),
  attempts: t.number,
  createdAt: t.string,
  /** From then on it is not sent any more, and forgotten. */
  expiresAt: t.string,
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
    { sort: 'dueAt', when: WAITING, across: true },
    { sort: 'expiresAt', across: true },
  ],
})

type Messages = Pick<Collection<QueuedMessage>, 'name' | 'codec' | 'owner'>

const contextOf = (messages: Messages, id: string): string => at(messages, id).join('/')

/** The change that queues a message. `id`: of two of one id, one is sent. */
export const queuedIn =
  (messages: Messages) =>
  (
    cipher: Cipher,
    { now }: Pick<Fresh, 'now'>,
    { id, channel, to, text, expiresAt }: Message & { readonly expiresAt: Instant },
  ): Change =>
    insert(messages, {
      id,
      channel,
      to,
      textSealed: cipher.seal(text, contextOf(messages, id)),
      dueAt: now,
      attempts: 0,
      createdAt: now,
      expiresAt,
    })

export const messageIn =
  (messages: Messages) =>
  (cipher: Cipher, { id, channel, to, textSealed }: QueuedMessage): Message => ({
    id,
    channel,
    to,
    text: cipher.open(textSealed, contextOf(messages, id)),
  })
