import type { Mail } from './mailer.ts'

/** A mail server that is somebody else's. */
export interface SmtpServer {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password: string
  /** `ssl` from the first byte; `tls` by STARTTLS, without which nothing is sent. */
  readonly encryption: 'tls' | 'ssl'
  readonly fromName: string
  readonly fromAddress: string
}

/** Sends one mail through a server that is named with it; rejects where that did not take it. */
export interface TenantMailer {
  send(mail: Mail, server: SmtpServer): Promise<void>
}
