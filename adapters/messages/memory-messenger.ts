import type { Message, Messenger } from '../../core/ports/messaging.ts'

/** Keeps every message in the order it was sent, for tests and simulations. */
export const memoryMessenger = (): Messenger & { readonly sent: Message[] } => {
  const sent: Message[] = []
  return {
    sent,
    send: async (message) => {
      sent.push(message)
    },
  }
}
