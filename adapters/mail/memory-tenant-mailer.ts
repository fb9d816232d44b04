import type { Mail, SmtpServer, TenantMailer } from '../../core/ports/messaging.ts'

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
