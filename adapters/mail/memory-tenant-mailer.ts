import type { Mail } from '../../core/ports/mailer.ts'
import type { SmtpServer, TenantMailer } from '../../core/ports/tenant-mailer.ts'

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
