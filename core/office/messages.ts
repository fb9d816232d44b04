import { type Change, type Collection, eq, insert, not, orNull, record, t, word } from '../kernel/records/record.ts'
import { sweepOf } from '../kernel/running/jobs.ts'
import { queueOf, WAITING } from '../kernel/running/queue.ts'
import type { Fresh, Runtime } from '../kernel/running/use-case.ts'
import { MESSAGE_CHANNELS, type Message, type Messenger } from '../ports/messaging.ts'
import type { Cipher } from '../ports/runtime.ts'
import { sealContext, sendQueued, UNSENT_REASONS } from './mail.ts'

const message = record({
  id: t.string,
  channel: word(...MESSAGE_CHANNELS),
  to: t.string,
  /** The tenant in whose name it is sent; null for the platform's own messages, and in records of earlier releases. */
  tenantId: orNull(t.union([t.number, t.string])),
  textSealed: t.string,
  /** The time of the next attempt; null if the message was sent, was given up, or has an `unsentReason`. */
  dueAt: orNull(t.string),
  unsentReason: orNull(word(...UNSENT_REASONS)),
  attempts: t.number,
  /** The span that its work continues; null without tracing. */
  trace: orNull(t.string),
  createdAt: t.string,
  /** From then on the message is not sent, and the sweep deletes it. */
  expiresAt: t.string,
})

/** A queued SMS or WhatsApp message, written in the commit that requires it. */
export type QueuedMessage = t.TypeOf<typeof message>

/** A message to queue. Of several with one id, one is sent; with an `unsentReason`, it is stored and never sent. */
type NewMessage = Message & Pick<QueuedMessage, 'expiresAt'> & Partial<Pick<QueuedMessage, 'tenantId' | 'unsentReason'>>

/** Exceeds the time of sending a message. */
const MESSAGE_LEASE_SECONDS = 120
const MESSAGES_AT_ONCE = 8

export interface MessagePorts extends Pick<Runtime, 'store' | 'clock'> {
  readonly cipher: Cipher
  readonly messenger: Messenger
}

/** Creates the short messages of a business: queued, sealed, in the commit that requires them, and retried as mails are. */
export const messagesIn = (business: string) => {
  const messages: Collection<QueuedMessage> = {
    name: `${business}.messages`,
    ids: 'text',
    codec: message,
    owner: null,
    conditions: { [WAITING]: not(eq('dueAt', null)) },
    indexes: [
      { sort: 'dueAt', when: WAITING, acrossOwners: true, include: ['tenantId'] },
      { sort: 'expiresAt', acrossOwners: true },
    ],
  }
  const send = ({ cipher, messenger }: MessagePorts, { id, channel, to, textSealed }: QueuedMessage) =>
    messenger.send({ id, channel, to, text: cipher.open(textSealed, sealContext(messages, id)) })
  return {
    messages,
    /** Returns the change that queues a message. */
    enqueue: (
      cipher: Cipher,
      { now, steady, trace = null }: Pick<Fresh, 'now' | 'steady' | 'trace'>,
      { id, channel, to, text, expiresAt, tenantId = null, unsentReason = null }: NewMessage,
    ): Change =>
      insert(messages, {
        id,
        channel,
        to,
        tenantId,
        textSealed: cipher.seal(text, sealContext(messages, id)),
        dueAt: unsentReason === null ? steady : null,
        unsentReason,
        attempts: 0,
        trace,
        createdAt: now,
        expiresAt,
      }),
    part: {
      collections: [messages],
      sweeps: [sweepOf(messages)],
      queues: (ports: MessagePorts) => [
        queueOf({
          collection: messages,
          owner: 'tenantId',
          leaseSeconds: MESSAGE_LEASE_SECONDS,
          atOnce: MESSAGES_AT_ONCE,
          handle: (queued) => sendQueued(ports, messages, queued, (each) => send(ports, each)),
        }),
      ],
    },
  }
}
