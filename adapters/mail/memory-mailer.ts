import type { Mail, Mailer } from '../../core/ports/messaging.ts'

/** Keeps every mail in the order it was sent, for tests and simulations. */
export const memoryMailer = (): Mailer & { readonly sent: Mail[] } => {
  const sent: Mail[] = []
  return {
    sent,
    send: async (mail) => {
      sent.push(mail)
    },
  }
}
