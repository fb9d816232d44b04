import { sweepOf } from '../../kernel/running/jobs.ts'
import { queueOf } from '../../kernel/running/queue.ts'
import type { Runtime } from '../../kernel/running/use-case.ts'
import type { Messenger } from '../../ports/messaging.ts'
import type { Cipher } from '../../ports/runtime.ts'
import { sendQueued } from '../mail/send-mail.ts'
import { messageCollection, messageIn, queuedIn } from './queued-message.ts'

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
    queued: queuedIn(messages),
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
