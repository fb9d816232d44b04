import { applyOutcome, type Queue, queueOf } from '../../kernel/running/queue.ts'
import { nextMailTry } from '../mail/send-mail.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { messageOf, messages } from './message.ts'

/** Longer than handing a message over takes. */
const MESSAGE_LEASE_SECONDS = 120
const MESSAGES_AT_ONCE = 4

/** The queue of short messages: tried again as mails are. */
export const messageQueue = ({ store, clock, cipher, messenger }: PaymentsPorts): Queue =>
  queueOf({
    collection: messages,
    leaseSeconds: MESSAGE_LEASE_SECONDS,
    atOnce: MESSAGES_AT_ONCE,
    handle: async (message) => {
      try {
        if (message.expiresAt > clock.now()) await messenger.send(messageOf(cipher, message))
      } catch (error) {
        await applyOutcome(store, messages, message, { dueAt: nextMailTry(message.attempts, clock.now()) })
        throw error
      }
      await applyOutcome(store, messages, message, { dueAt: null })
    },
  })
