import type { Messenger } from '../../core/ports/messaging.ts'
import { outbox } from '../outbox/outbox.ts'

/**
 * Short messages as `.json` files in a directory. The same message sent again replaces its file, and no reader ever finds
 * half of one.
 *
 * Source: decisions.md §3: the messaging port's default adapter writes to the outbox.
 */
export const outboxMessenger = ({ directory }: { directory: string }): Messenger => {
  const box = outbox(directory)
  return {
    send: ({ id, channel, to, text }) =>
      box.put(id, 'json', Buffer.from(`${JSON.stringify({ id, channel, to, text }, null, 2)}\n`)),
  }
}
