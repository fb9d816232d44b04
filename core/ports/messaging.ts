import type { Instant } from '../kernel/values/day.ts'

/** An e-mail to send. */
export interface Mail {
  /** Stable per mail: sent again after a crash it has the same id, so that receivers can drop the duplicate. */
  readonly id: string
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html?: string
  /** The tenant in whose name the platform sends: shown as the sender, and replies go there. */
  readonly inNameOf?: { readonly name: string; readonly replyTo: string | null }
}

/** Sends e-mails. `send` rejects if the mail was not accepted; the worker retries. */
export interface Mailer {
  send(mail: Mail): Promise<void>
}

/** The SMTP server of a tenant. */
export interface SmtpServer {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password: string
  /** `ssl`: TLS from the first byte. `tls`: STARTTLS, which is required. */
  readonly encryption: 'tls' | 'ssl'
  readonly fromName: string
  readonly fromAddress: string
}

/** Sends e-mails through a tenant's own server. `send` rejects if the server did not accept the mail. */
export interface TenantMailer {
  send(mail: Mail, server: SmtpServer): Promise<void>
}

/** A block of a mail's body. */
export type Block =
  /** A paragraph with its line breaks. */
  | { readonly kind: 'text'; readonly text: string }
  /** A code to type elsewhere, alone on its line. */
  | { readonly kind: 'code'; readonly code: string }
  /** A text of any length to copy, alone on its line under its label. */
  | { readonly kind: 'copy'; readonly label: string; readonly text: string }
  | { readonly kind: 'link'; readonly label: string; readonly url: string }
  /** Names and values, one pair a line. */
  | { readonly kind: 'facts'; readonly facts: readonly (readonly [name: string, value: string])[] }

/** The sender shown in a mail. */
export interface Sender {
  readonly name: string
  /** An absolute address; without one the name is shown. */
  readonly logoUrl: string | null
}

/** Renders a mail as HTML for mail programs and phones. Every text is escaped. */
export interface EmailRenderer {
  html(template: { readonly subject: string; readonly blocks: readonly Block[] }, sender: Sender): string
}

export const MESSAGE_CHANNELS = ['whatsapp', 'sms'] as const
export type MessageChannel = (typeof MESSAGE_CHANNELS)[number]

/** A short message to send. */
export interface Message {
  /** Stable per message: sent again after a crash it has the same id. */
  readonly id: string
  readonly channel: MessageChannel
  /** A telephone number, as entered. */
  readonly to: string
  readonly text: string
}

/** Sends short messages. `send` rejects if the message was not accepted; the worker retries. */
export interface Messenger {
  send(message: Message): Promise<void>
}

/** A notification, as the mirror stores it. */
export interface MirroredNotification {
  readonly type: string
  readonly title: string
  readonly message: string
  readonly isRead: boolean
  readonly readAt: Instant | null
  readonly resourceType: string | null
  readonly resourceId: string | null
  readonly createdAt: Instant
}

/** Copies notifications into a database that client apps subscribe to, such as Firestore. */
export interface Mirror {
  /**
   * Writes the current state of a notification to `notifications/{uid}/items/{notificationId}`. Repeating it changes
   * nothing, and a notification that is read there stays read. Rejects if the write is not confirmed within 10 s.
   */
  set(uid: string, notificationId: string, document: MirroredNotification): Promise<void>
}

/** The answer of a receiver, or the reason why there is none; `error` never quotes the answer. */
export type WebhookAnswer =
  | { readonly status: number; readonly body: string; readonly retryAfterSeconds: number | null }
  | { readonly error: string }

/**
 * Posts webhooks. `post` waits 15 s for the status and 2 s more for the body, and returns the body's first 4 KB. A body
 * that never ends does not affect the status. Redirects are not followed. Private, loopback and link-local addresses
 * are refused unless the adapter allows them; the connection goes to the address that was checked. `post` never
 * rejects.
 */
export interface WebhookSender {
  post(request: {
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
    readonly body: string
  }): Promise<WebhookAnswer>
}
