import {
  at,
  type Change,
  type Collection,
  eq,
  type Field,
  insert,
  not,
  orNull,
  type Rec,
  record,
  t,
  word,
} from '../kernel/records/record.ts'
import { sweepOf } from '../kernel/running/jobs.ts'
import { applyOutcome, type Due, type Queue, queueConditions, queueIndex, queueOf } from '../kernel/running/queue.ts'
import type { Fresh, Runtime } from '../kernel/running/use-case.ts'
import { addSeconds, type Instant } from '../kernel/values/day.ts'
import {
  type Block,
  type EmailRenderer,
  type Mail,
  MESSAGE_CHANNELS,
  type Message,
  type Messenger,
  type Sender,
} from '../ports/messaging.ts'
import type { Cipher } from '../ports/runtime.ts'
import { type List, listOf } from '../ports/store.ts'

/**
 * Reasons for which a queued mail or message is stored and not sent: the account's daily limit, in all or for one
 * recipient.
 */
export const UNSENT_REASONS = ['day-limit', 'recipient-limit'] as const
export type UnsentReason = (typeof UNSENT_REASONS)[number]

const queuedFields = {
  id: t.string,
  to: t.string,
  /** The time of the next attempt; null if it was sent, was given up, or has an `unsentReason`. */
  dueAt: orNull(t.string),
  unsentReason: orNull(word(...UNSENT_REASONS)),
  /** The time at which it was given up or had expired; null otherwise, and in records of earlier releases. */
  failedAt: orNull(t.string),
  /** The record that it is about: `charge:7`; null if none. */
  about: orNull(t.string),
  attempts: t.number,
  /** The span that its work continues; null without tracing. */
  trace: orNull(t.string),
  createdAt: t.string,
  /** The time from which it is not sent, and the sweep deletes it. */
  expiresAt: t.string,
}

const queuedBy = (
  { now, steady, trace = null }: Pick<Fresh, 'now' | 'steady' | 'trace'>,
  unsentReason: UnsentReason | null,
  about: string | null,
) => ({
  dueAt: unsentReason === null ? steady : null,
  unsentReason,
  failedAt: null,
  about,
  attempts: 0,
  trace,
  createdAt: now,
})

/** The fields of every mail; a business adds the tenant in whose name it is sent, null for the platform's own mails. */
export const mailFields = {
  ...queuedFields,
  /** Subject and blocks, sealed: a mail may carry a code, which is a secret until it is used. */
  letterSealed: t.string,
}

/** A queued mail, written in the commit that requires it. */
export type AnyMail = t.TypeOf<ReturnType<typeof record<typeof mailFields>>>

const ABOUT = 'about'
const isAbout = not(eq('about', null))
const aboutIndex = { eq: 'about', sort: 'createdAt', when: ABOUT } as const

/** Returns the query of the newest mails or messages about a record. */
export const listAbout = <R extends Rec & { readonly about: string | null }>(
  from: Collection<R>,
  about: string,
  limit: number,
): List<R> => listOf(from, { where: eq('about', about), when: ABOUT, sort: { by: 'createdAt', dir: 'desc' }, limit })

/** Sent or not, a mail is deleted after a week. */
export const MAIL_LIFE_SECONDS = 7 * 24 * 3600

/** The content of a mail, without its form. */
export interface EmailTemplate {
  readonly subject: string
  readonly blocks: readonly Block[]
}

/** A mail to queue. */
export type NewMail<M extends AnyMail> = EmailTemplate &
  Omit<M, keyof AnyMail> & {
    readonly to: string
    /** Of several mails with one id, one is sent. By default a new id. */
    readonly id?: string
    /** By default after `MAIL_LIFE_SECONDS`. */
    readonly expiresAt?: Instant
    /** With a reason the mail is stored and never sent. */
    readonly unsentReason?: UnsentReason | null
    /** The record that the mail is about: `charge:7`. */
    readonly about?: string | null
  }

/** The tenants of a business, in whose names it sends mails. */
export interface Tenants<M> {
  /** The field of a mail with its tenant; null for the platform's own mails. */
  readonly tenant: Field<M>
  /** The plural of the tenant, for the name of their queue. */
  readonly tenants: string
}

/**
 * Creates the mails of a business: `mailIn('estate', record({ ...mailFields, companyId: orNull(t.string) }), { tenant:
 * 'companyId', tenants: 'companies' })`. A mail is queued, sealed, in the commit that requires it, and retried for
 * about a day.
 */
export const mailIn = <M extends AnyMail>(
  business: string,
  codec: Collection<M>['codec'],
  { tenant, tenants }: Tenants<M>,
) => {
  const mails: Collection<M> = {
    name: `${business}.mails`,
    ids: 'text',
    codec,
    owner: null,
    conditions: { ...queueConditions, [ABOUT]: isAbout },
    indexes: [
      queueIndex(tenant),
      { eq: tenant, ...queueIndex() },
      { sort: 'expiresAt', acrossOwners: true },
      aboutIndex,
    ],
  }
  return {
    mails,
    enqueue(cipher: Cipher, fresh: Fresh, mail: NewMail<M>): Change {
      const { id = fresh.uuid(), subject, blocks, expiresAt, unsentReason = null, about = null, ...own } = mail
      const queued: AnyMail = {
        ...own,
        id,
        letterSealed: cipher.seal(JSON.stringify({ subject, blocks } satisfies EmailTemplate), sealContext(mails, id)),
        ...queuedBy(fresh, unsentReason, about),
        expiresAt: expiresAt ?? addSeconds(fresh.steady, MAIL_LIFE_SECONDS),
      }
      return insert(mails, queued as M)
    },
    templateOf: (cipher: Cipher, { id, letterSealed }: Pick<AnyMail, 'id' | 'letterSealed'>): EmailTemplate =>
      JSON.parse(cipher.open(letterSealed, sealContext(mails, id))),
    /**
     * The worker's queues; `send` chooses the server and the sender of a mail. The platform's own mails, with codes
     * among them, have a queue of their own; those of tenants, which may go through the tenants' servers, have a limit
     * per tenant.
     */
    queues(ports: SendPorts, send: (mail: M) => Promise<void>): readonly Queue[] {
      const row = {
        collection: mails,
        leaseSeconds: MAIL_LEASE_SECONDS,
        handle: (mail: M) => sendQueued(ports, mails, mail, send),
      }
      const isPlatformMail = eq(tenant, null)
      const ofTenants = { name: `${mails.name}.${tenants}`, only: not(isPlatformMail), host: tenant }
      return [
        queueOf({ ...row, only: isPlatformMail, atOnce: MAILS_AT_ONCE }),
        queueOf({ ...row, ...ofTenants, atOnce: TENANTS_MAILS_AT_ONCE }),
      ]
    },
  }
}

/** Binds a sealed text to its record, so that it does not open in another one. */
const sealContext = (collection: { readonly name: string }, id: string): string => at(collection, id).join('/')

/** The waits between attempts: about a day in all. */
const RETRY_DELAYS_SECONDS: readonly number[] = [30, 120, 600, 1_800, 3_600, 7_200, 14_400, 28_800, 28_800]
/** Exceeds the time that a tenant's server and then ours take for one mail, with the waits for connections. */
const MAIL_LEASE_SECONDS = 180
const MAILS_AT_ONCE = 8
/** High enough that mail servers which never answer do not delay the mails of other tenants. */
const TENANTS_MAILS_AT_ONCE = 64

/** Returns the time of the next attempt after so many failures; null to give up. */
const nextAttemptAt = (attempts: number, steady: Instant): Instant | null => {
  const delaySeconds = RETRY_DELAYS_SECONDS[attempts - 1]
  return delaySeconds === undefined ? null : addSeconds(steady, delaySeconds)
}

type SendPorts = Pick<Runtime, 'store' | 'clock'>

/**
 * Sends a queued mail or message, unless it has expired, and commits the outcome. After a failure it is due again
 * later.
 */
const sendQueued = async <R extends Due & Pick<AnyMail, 'expiresAt' | 'failedAt'>>(
  { store, clock }: SendPorts,
  from: Collection<R>,
  queued: R,
  send: (queued: R) => Promise<void>,
): Promise<void> => {
  const commitOutcome = (dueAt: Instant | null, failedAt: Instant | null) =>
    applyOutcome(store, from, queued, { dueAt, failedAt } as Partial<R> & Pick<R, 'dueAt'>)
  const isExpired = queued.expiresAt <= clock.steady()
  try {
    if (!isExpired) await send(queued)
  } catch (error) {
    const next = nextAttemptAt(queued.attempts, clock.steady())
    await commitOutcome(next, next === null ? clock.now() : null)
    throw error
  }
  await commitOutcome(null, isExpired ? clock.now() : null)
}

/** Renders a queued mail as HTML and plain text, in the look of its sender. */
export const renderMail = (
  { id, to }: Pick<AnyMail, 'id' | 'to'>,
  template: EmailTemplate,
  sender: Sender,
  emailRenderer: EmailRenderer,
): Mail => ({
  id,
  to,
  subject: template.subject,
  text: plainText(template),
  html: emailRenderer.html(template, sender),
})

export const text = (...lines: readonly string[]): Block => ({ kind: 'text', text: lines.join('\n') })
export const code = (digits: string): Block => ({ kind: 'code', code: digits })
export const copy = (label: string, content: string): Block => ({ kind: 'copy', label, text: content })
export const link = (label: string, url: string): Block => ({ kind: 'link', label, url })
export const facts = (...shown: readonly (readonly [name: string, value: string])[]): Block => ({
  kind: 'facts',
  facts: shown,
})

/** Returns a mail as plain text, for people and programs: codes and addresses are alone on their lines. */
export const plainText = ({ blocks }: EmailTemplate): string => blocks.map(plainBlock).join('\n\n')

const plainBlock = (block: Block): string => {
  switch (block.kind) {
    case 'text':
      return block.text
    case 'code':
      return block.code
    case 'copy':
      return `${block.label}:\n${block.text}`
    case 'link':
      return `${block.label}:\n${block.url}`
    default:
      return block.facts.map(([name, value]) => `${name}: ${value}`).join('\n')
  }
}

const message = record({
  ...queuedFields,
  channel: word(...MESSAGE_CHANNELS),
  /** The tenant in whose name it is sent; null for the platform's own messages, and in records of earlier releases. */
  tenantId: orNull(t.union([t.number, t.string])),
  textSealed: t.string,
})

/** A queued SMS or WhatsApp message, written in the commit that requires it. */
export type QueuedMessage = t.TypeOf<typeof message>

/** A message to queue. Of several with one id, one is sent; with an `unsentReason`, it is stored and never sent. */
type NewMessage = Message &
  Pick<QueuedMessage, 'expiresAt'> &
  Partial<Pick<QueuedMessage, 'tenantId' | 'unsentReason'>> &
  Pick<NewMail<AnyMail>, 'about'>

/** Exceeds the time of sending a message. */
const MESSAGE_LEASE_SECONDS = 120
const MESSAGES_AT_ONCE = 8

export interface MessagePorts extends Pick<Runtime, 'store' | 'clock'> {
  readonly cipher: Cipher
  readonly messenger: Messenger
}

/**
 * Creates the short messages of a business: queued, sealed, in the commit that requires them, and retried as mails are.
 */
export const messagesIn = (business: string) => {
  const messages: Collection<QueuedMessage> = {
    name: `${business}.messages`,
    ids: 'text',
    codec: message,
    owner: null,
    conditions: { ...queueConditions, [ABOUT]: isAbout },
    indexes: [queueIndex('tenantId'), { sort: 'expiresAt', acrossOwners: true }, aboutIndex],
  }
  const textOf = (cipher: Cipher, { id, textSealed }: Pick<QueuedMessage, 'id' | 'textSealed'>): string =>
    cipher.open(textSealed, sealContext(messages, id))
  const send = ({ cipher, messenger }: MessagePorts, queued: QueuedMessage) => {
    const { id, channel, to } = queued
    return messenger.send({ id, channel, to, text: textOf(cipher, queued) })
  }
  return {
    messages,
    textOf,
    enqueue: (
      cipher: Cipher,
      fresh: Parameters<typeof queuedBy>[0],
      { text, tenantId = null, unsentReason = null, about = null, ...own }: NewMessage,
    ): Change =>
      insert(messages, {
        ...own,
        tenantId,
        textSealed: cipher.seal(text, sealContext(messages, own.id)),
        ...queuedBy(fresh, unsentReason, about),
      }),
    part: {
      collections: [messages],
      sweeps: [sweepOf(messages)],
      queues: (ports: MessagePorts) => [
        queueOf({
          collection: messages,
          owner: 'tenantId',
          leaseSeconds: MESSAGE_LEASE_SECONDS,
          atOnce: MESSAGES_AT_ONCE,
          handle: (queued) => sendQueued(ports, messages, queued, (each) => send(ports, each)),
        }),
      ],
    },
  }
}
