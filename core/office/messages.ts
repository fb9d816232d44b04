import { t } from '../fp.ts'
import { type Change, insert } from '../kernel/records/change.ts'
import type { Collection } from '../kernel/records/collection.ts'
import { at, orNull, record, word } from '../kernel/records/record.ts'
import { eq, not } from '../kernel/records/where.ts'
import type { Fresh } from '../kernel/running/fresh.ts'
import { sweepOf } from '../kernel/running/jobs.ts'
import { queueOf, WAITING } from '../kernel/running/queue.ts'
import type { Runtime } from '../kernel/running/use-case.ts'
import { MESSAGE_CHANNELS, type Message, type Messenger } from '../ports/messaging.ts'
import type { Cipher } from '../ports/runtime.ts'
import { type Queued, sendQueued, UNSENT_REASONS } from './mail.ts'

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
    { sort: 'dueAt', when: WAITING, acrossOwners: true, include: ['tenantId'] },
    { sort: 'expiresAt', acrossOwners: true },
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
    { now, steady }: Pick<Fresh, 'now' | 'steady'>,
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
    })

export const messageIn =
  (messages: Messages) =>
  (cipher: Cipher, { id, channel, to, textSealed }: QueuedMessage): Message => ({
    id,
    channel,
    to,
    text: cipher.open(textSealed, contextOf(messages, id)),
  })

/** Longer than handing a message over takes. */
const MESSAGE_LEASE_SECONDS = 120
const MESSAGES_AT_ONCE = 8

export interface MessagePorts extends Pick<Runtime, 'store' | 'clock'> {
  readonly cipher: Cipher
  readonly messenger: Messenger
}

/** The short messages of a business: queued in the commit that makes them necessary, sealed, and tried again as mails are. */
export const messagesIn = (business: string) => {
  const messages = messageCollection(business)
  const messageOf = messageIn(messages)
  return {
    messages,
    enqueue: queuedIn(messages),
    /** What a store has to hold of it, and a worker to run. */
    part: {
      collections: [messages],
      sweeps: [sweepOf(messages)],
      queues: (ports: MessagePorts) => [
        queueOf({
          collection: messages,
          owner: 'tenantId',
          leaseSeconds: MESSAGE_LEASE_SECONDS,
          atOnce: MESSAGES_AT_ONCE,
          handle: (queued) =>
            sendQueued(ports, messages, queued, (message) => ports.messenger.send(messageOf(ports.cipher, message))),
        }),
      ],
    },
  }
}
