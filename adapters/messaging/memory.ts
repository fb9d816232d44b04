import type { Mail, Mailer, Message, Messenger, SmtpServer, TenantMailer } from '../../core/ports/messaging.ts'

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

/** Keeps every mail with the server it went to, for tests and simulations. */
export const memoryTenantMailer = (): TenantMailer & {
  readonly sent: { readonly mail: Mail; readonly server: SmtpServer }[]
} => {
  const sent: { mail: Mail; server: SmtpServer }[] = []
  return {
    sent,
    send: async (mail, server) => {
      sent.push({ mail, server })
    },
  }
}

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
