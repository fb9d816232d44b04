import { createTransport } from 'nodemailer'
import type { Mailer, SmtpServer, TenantMailer } from '../../core/ports/messaging.ts'
import { FaultError } from '../webhooks/exchange.ts'
import { isPublicAddress, resolveHost } from '../webhooks/target.ts'
import { messageOf } from './message.ts'

/** The limit of open connections; further mails wait for one. */
const MAX_CONNECTIONS = 4
/** The limit for each of the name look-up, the connection and the greeting. */
const CONNECT_TIMEOUT_MS = 10_000
const SILENCE_TIMEOUT_MS = 30_000
/** Shorter than the worker's lease on a mail. */
const SEND_TIMEOUT_MS = 60_000

export interface SmtpMailerOptions {
  readonly url: string
  readonly from: string
  /** The limit for one mail, the wait for a connection included; 60,000 by default. */
  readonly timeoutMs?: number
}

/**
 * Sends mails to one SMTP server (`smtp://user:pass@host:port`, or `smtps://` for TLS from the start). Uses STARTTLS if
 * the server offers it. `close` closes the connections.
 */
export const smtpMailer = (options: SmtpMailerOptions): Mailer & { close(): void } => {
  const { url, from, timeoutMs = SEND_TIMEOUT_MS } = options
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: MAX_CONNECTIONS,
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
/** The ports on which mail servers accept mail of authenticated users. */
const MAIL_PORTS: ReadonlySet<number> = new Set([25, 465, 587, 2525])

export interface SmtpTenantMailerOptions {
  /** Allows private, loopback and link-local addresses, and all ports. */
  readonly allowPrivate: boolean
  /** Returns all addresses of a host name; by default from name servers and the system. */
  readonly lookup?: (hostname: string) => Promise<readonly string[]>
  /** The limit for one mail; 30,000 by default. */
  readonly timeoutMs?: number
  /** Accepts any certificate, for tests. */
  readonly trustAnyCertificate?: boolean
}

/** Resolves the host to the address to connect to: a second look-up could return one that was not checked. */
const resolveAddress = async (
  { host, port }: SmtpServer,
  { allowPrivate, lookup = resolveHost }: SmtpTenantMailerOptions,
) => {
  const [first, ...others] = await lookup(host)
  if (first === undefined) throw new Error('dns')
  if (allowPrivate) return first
  if (!MAIL_PORTS.has(port)) throw new FaultError('refused port')
  if (![first, ...others].every(isPublicAddress)) throw new FaultError('private address')
  return first
}

/**
 * Sends mails to the servers of accounts: each over its own connection, always encrypted, and never to a private
 * address.
 */
export const smtpTenantMailer = (options: SmtpTenantMailerOptions): TenantMailer => ({
  send: async (mail, server) => {
    const { timeoutMs = TENANT_SEND_TIMEOUT_MS, trustAnyCertificate = false } = options
    const transport = createTransport({
      host: await resolveAddress(server, options),
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
