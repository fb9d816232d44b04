import type { Mail, Mailer, Message, Messenger, SmtpServer, TenantMailer } from '../../core/ports/messaging.ts'

const memorySender = <A>() => {
  const sent: A[] = []
  return {
    sent,
    send: async (each: A): Promise<void> => {
      sent.push(each)
    },
  }
}

/** Stores mails in the order of sending, for tests and simulations. */
export const memoryMailer = (): Mailer & { readonly sent: Mail[] } => memorySender<Mail>()

/** Stores messages in the order of sending, for tests and simulations. */
export const memoryMessenger = (): Messenger & { readonly sent: Message[] } => memorySender<Message>()

/** Stores mails with their servers in the order of sending, for tests and simulations. */
export const memoryTenantMailer = (): TenantMailer & {
  readonly sent: { readonly mail: Mail; readonly server: SmtpServer }[]
} => {
  const { sent, send } = memorySender<{ readonly mail: Mail; readonly server: SmtpServer }>()
  return { sent, send: (mail, server) => send({ mail, server }) }
}
