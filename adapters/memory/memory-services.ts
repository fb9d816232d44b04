import type { Identity, IdentityClaims } from '../../core/ports/identity.ts'
import type {
  Mail,
  Mailer,
  Message,
  Messenger,
  SmtpServer,
  TenantMailer,
  WebhookAnswer,
  WebhookSender,
} from '../../core/ports/messaging.ts'

const recorder = <A>() => {
  const sent: A[] = []
  return {
    sent,
    send: async (each: A): Promise<void> => {
      sent.push(each)
    },
  }
}

/** Stores mails in the order of sending, for tests and simulations. */
export const memoryMailer = (): Mailer & { readonly sent: Mail[] } => recorder<Mail>()

/** Stores messages in the order of sending, for tests and simulations. */
export const memoryMessenger = (): Messenger & { readonly sent: Message[] } => recorder<Message>()

/** Stores mails with their servers in the order of sending, for tests and simulations. */
export const memoryTenantMailer = (): TenantMailer & {
  readonly sent: { readonly mail: Mail; readonly server: SmtpServer }[]
} => {
  const { sent, send } = recorder<{ readonly mail: Mail; readonly server: SmtpServer }>()
  return { sent, send: (mail, server) => send({ mail, server }) }
}

type WebhookRequest = Parameters<WebhookSender['post']>[0]

const accepted = (): WebhookAnswer => ({ status: 200, body: '', retryAfterSeconds: null })

/** Records webhooks in order and answers them by a script, by default with 200; for tests and simulations. */
export const memorySender = (
  answer: (request: WebhookRequest) => WebhookAnswer = accepted,
): WebhookSender & { readonly requests: WebhookRequest[] } => {
  const requests: WebhookRequest[] = []
  return {
    requests,
    post: async (request) => {
      requests.push(request)
      return answer(request)
    },
  }
}

/** An identity provider in memory. Its tokens never expire. */
export interface MemoryIdentity extends Identity {
  /** Registers a user and returns a token. */
  signIn(claims: Pick<IdentityClaims, 'uid' | 'email'> & Partial<IdentityClaims>): string
}

/** Creates an identity provider for tests and development: its tokens are guessable. */
export const memoryIdentity = (): MemoryIdentity => {
  const users = new Map<string, IdentityClaims>()
  return {
    signIn(claims) {
      const token = `token-${users.size + 1}`
      users.set(token, { emailVerified: true, name: null, ...claims })
      return token
    },
    verify: async (token) => users.get(token) ?? null,
  }
}
