import { createTransport } from 'nodemailer'
import type { Mailer } from '../../core/ports/messaging.ts'
import { messageOf } from './message.ts'

/** Connections kept to the server at most; further mails wait for one. */
const CONNECTIONS = 4
/** For the server to answer the call, and then to greet. */
const CONNECT_TIMEOUT_MS = 10_000
/** Silence in the middle of a mail. */
const SILENCE_TIMEOUT_MS = 30_000
/** The worker's lease on a mail is longer. */
const SEND_TIMEOUT_MS = 60_000

export interface SmtpMailerOptions {
  readonly url: string
  readonly from: string
  /** For one mail in all, the wait for a connection included; 60,000 by default. */
  readonly timeoutMs?: number
}

/**
 * Mails by SMTP (`smtp://user:pass@host:port`, `smtps://` for TLS from the start; STARTTLS wherever it is offered).
 * Give `close` a call when no more mails are sent.
 *
 * Source: decisions.md §7, `SMTP_URL` and `MAIL_FROM`.
 */
export const smtpMailer = (options: SmtpMailerOptions): Mailer & { close(): void } => {
  const { url, from, timeoutMs = SEND_TIMEOUT_MS } = options
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: CONNECTIONS,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    dnsTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SILENCE_TIMEOUT_MS,
  })
  return {
    send: async (mail) => {
      await transport.sendMail({ ...messageOf(mail, from), signal: AbortSignal.timeout(timeoutMs) })
    },
    close: () => transport.close(),
  }
}
