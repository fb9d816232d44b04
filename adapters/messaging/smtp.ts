import { createTransport } from 'nodemailer'
import type { Mailer, SmtpServer, TenantMailer } from '../../core/ports/messaging.ts'
import { Refused } from '../webhooks/fault.ts'
import { hostAddresses } from '../webhooks/host-addresses.ts'
import { isPublicAddress } from '../webhooks/public-address.ts'
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

const TENANT_SILENCE_TIMEOUT_MS = 15_000
const TENANT_SEND_TIMEOUT_MS = 30_000
/** Where mail servers take mail of those who sign in; any other port is somebody else's. */
const MAIL_PORTS: ReadonlySet<number> = new Set([25, 465, 587, 2525])

export interface SmtpTenantMailerOptions {
  /** Whether private, loopback and link-local addresses and every port may be called. */
  readonly allowPrivate: boolean
  /** Every address of a host name; name servers and the system by default. */
  readonly lookup?: (hostname: string) => Promise<readonly string[]>
  /** For one mail in all; 30,000 by default. */
  readonly timeoutMs?: number
  /** Whether a certificate nobody vouches for will do: for tests. */
  readonly trustAnyCertificate?: boolean
}

/** The address that is dialled, so that a name that changes its mind meanwhile changes nothing. */
const addressOf = async (
  { host, port }: SmtpServer,
  { allowPrivate, lookup = hostAddresses }: SmtpTenantMailerOptions,
) => {
  const [first, ...others] = await lookup(host)
  if (first === undefined) throw new Error('dns')
  if (allowPrivate) return first
  if (!MAIL_PORTS.has(port)) throw new Refused('refused port')
  if (![first, ...others].every(isPublicAddress)) throw new Refused('private address')
  return first
}

/**
 * Mails by servers that accounts name: each by a connection of its own, always encrypted, and never to a private address.
 * Source: decisions.md §3, Events (who may be called); 01-access.md, account `smtp`.
 */
export const smtpTenantMailer = (options: SmtpTenantMailerOptions): TenantMailer => ({
  send: async (mail, server) => {
    const { timeoutMs = TENANT_SEND_TIMEOUT_MS, trustAnyCertificate = false } = options
    const transport = createTransport({
      host: await addressOf(server, options),
      port: server.port,
      secure: server.encryption === 'ssl',
      requireTLS: true,
      auth: { user: server.user, pass: server.password },
      tls: { servername: server.host, rejectUnauthorized: !trustAnyCertificate },
      connectionTimeout: CONNECT_TIMEOUT_MS,
      greetingTimeout: CONNECT_TIMEOUT_MS,
      socketTimeout: TENANT_SILENCE_TIMEOUT_MS,
    })
    const from = { name: server.fromName, address: server.fromAddress }
    try {
      await transport.sendMail({ ...messageOf(mail, from), signal: AbortSignal.timeout(timeoutMs) })
    } finally {
      transport.close()
    }
  },
})
