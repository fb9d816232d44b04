import { t } from '../fp.ts'
import { type Change, insert } from '../kernel/records/change.ts'
import type { Collection } from '../kernel/records/collection.ts'
import { at, type Field, orNull, type record, word } from '../kernel/records/record.ts'
import { eq, not } from '../kernel/records/where.ts'
import type { Fresh } from '../kernel/running/fresh.ts'
import { applyOutcome, type Due, type Queue, queueOf, WAITING } from '../kernel/running/queue.ts'
import type { Runtime } from '../kernel/running/use-case.ts'
import { addSeconds, type Instant } from '../kernel/values/day.ts'
import type { Block, EmailRenderer, Mail, Sender } from '../ports/messaging.ts'
import type { Cipher } from '../ports/runtime.ts'

/** What a mail says, however it is shown. */
export interface EmailTemplate {
  readonly subject: string
  readonly blocks: readonly Block[]
}

export const text = (...lines: readonly string[]): Block => ({ kind: 'text', text: lines.join('\n') })
export const code = (digits: string): Block => ({ kind: 'code', code: digits })
export const copy = (label: string, content: string): Block => ({ kind: 'copy', label, text: content })
export const link = (label: string, url: string): Block => ({ kind: 'link', label, url })
export const facts = (...shown: readonly (readonly [name: string, value: string])[]): Block => ({
  kind: 'facts',
  facts: shown,
})

const plain = (block: Block): string => {
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

/** A mail as plain text, for people and programs alike: codes and addresses stand alone on their lines. */
export const plainText = ({ blocks }: EmailTemplate): string => blocks.map(plain).join('\n\n')

/** Why what was queued is kept and not sent: one limit of a day is for all, the other for each recipient. */
export const UNSENT_REASONS = ['day-limit', 'recipient-limit'] as const
export type UnsentReason = (typeof UNSENT_REASONS)[number]

/** What is said of something that is queued, beside what is sent. */
export interface Queued {
  /** Kept, and never due, where there is a reason. */
  readonly unsentReason?: UnsentReason | null
}

/** What every mail has; a business adds in whose name it goes out: of a tenant, or null for our own. */
export const mailFields = {
  id: t.string,
  to: t.string,
  /** Sealed: a mail may carry a code, and a code is a secret until it is used. */
  letterSealed: t.string,
  /** When the worker is to send it; null once it was sent or given up, and where it is not sent. */
  dueAt: orNull(t.string),
  /** Why it is kept and not sent; null for all others. */
  unsentReason: orNull(word(...UNSENT_REASONS)),
  attempts: t.number,
  createdAt: t.string,
  /** From then on it is not sent any more, and forgotten. */
  expiresAt: t.string,
}

/** A mail that waits to be sent: written in the commit that made it necessary. */
export type AnyMail = t.TypeOf<ReturnType<typeof record<typeof mailFields>>>

/** Sent or not, a mail is forgotten after a week. */
export const MAIL_LIFE_SECONDS = 7 * 24 * 3600

/** Mails of a business, as its codec keeps them; `tenant` is the field that says in whose name they go out. */
export const mailsIn = <M extends AnyMail>(
  business: string,
  codec: Collection<M>['codec'],
  tenant: Field<M>,
): Collection<M> => ({
  name: `${business}.mails`,
  ids: 'text',
  codec,
  owner: null,
  conditions: { [WAITING]: not(eq<Field<M>>('dueAt', null)) },
  indexes: [
    { sort: 'dueAt', when: WAITING, acrossOwners: true, include: [tenant] },
    { eq: tenant, sort: 'dueAt', when: WAITING, acrossOwners: true },
    { sort: 'expiresAt', acrossOwners: true },
  ],
})

interface Envelope extends Queued {
  readonly to: string
  /** Of two mails of one id, one is sent; drawn without it. */
  readonly id?: string
  /** After a week without it. */
  readonly expiresAt?: Instant
}

/** A mail as a business queues it: what it says, to whom, and in whose name. */
export type NewMail<M extends AnyMail> = Envelope & EmailTemplate & Omit<M, keyof AnyMail>

const contextOf = (mails: { readonly name: string }, id: string): string => at(mails, id).join('/')

/** The change that queues a mail. */
export const queuedIn =
  <M extends AnyMail>(mails: Collection<M>) =>
  (cipher: Cipher, fresh: Fresh, letter: NewMail<M>): Change => {
    const { id = fresh.uuid(), subject, blocks, expiresAt, unsentReason = null, ...own } = letter
    const queued: AnyMail = {
      ...own,
      id,
      letterSealed: cipher.seal(JSON.stringify({ subject, blocks } satisfies EmailTemplate), contextOf(mails, id)),
      dueAt: unsentReason === null ? fresh.steady : null,
      unsentReason,
      attempts: 0,
      createdAt: fresh.now,
      expiresAt: expiresAt ?? addSeconds(fresh.steady, MAIL_LIFE_SECONDS),
    }
    return insert(mails, queued as M)
  }

export const templateIn =
  (mails: { readonly name: string }) =>
  (cipher: Cipher, { id, letterSealed }: Pick<AnyMail, 'id' | 'letterSealed'>): EmailTemplate =>
    JSON.parse(cipher.open(letterSealed, contextOf(mails, id)))

/**
 * The mails of a business: `mailIn('estate', record({ ...mailFields, companyId: orNull(t.string) }), { tenant: 'companyId', tenants: 'companies' })`.
 * A mail is queued in the commit that makes it necessary, sealed, and tried for about a day.
 */
export const mailIn = <M extends AnyMail>(business: string, codec: Collection<M>['codec'], tenants: Tenants<M>) => {
  const mails = mailsIn<M>(business, codec, tenants.tenant)
  return {
    mails,
    enqueue: queuedIn(mails),
    templateOf: templateIn(mails),
    /** What the worker runs: `send` says by whom a mail goes out, and in whose name. */
    queues: (ports: Pick<Runtime, 'store' | 'clock'>, send: (mail: M) => Promise<void>) =>
      mailQueues(mails, tenants, ports, send),
  }
}

/** Seconds between one failed try and the next: about a day in all. */
export const RETRY_DELAYS_SECONDS: readonly number[] = [30, 120, 600, 1_800, 3_600, 7_200, 14_400, 28_800, 28_800]
/** Longer than a tenant's server and our own mailer take for one mail, the waits for connections included. */
const MAIL_LEASE_SECONDS = 180
const MAILS_AT_ONCE = 8
/** Enough that some mail servers that never answer hold up no other tenant's mails. */
const TENANTS_MAILS_AT_ONCE = 64

/** When something that failed so often is sent again, or null to give up. */
export const nextAttemptAt = (attempts: number, steady: Instant): Instant | null => {
  const stepSeconds = RETRY_DELAYS_SECONDS[attempts - 1]
  return stepSeconds === undefined ? null : addSeconds(steady, stepSeconds)
}

type Sending = Pick<Runtime, 'store' | 'clock'>

/** Sends what is not too late, and says when a failure is tried again. */
export const sendQueued = async <R extends Due & Pick<AnyMail, 'expiresAt'>>(
  { store, clock }: Sending,
  from: Collection<R>,
  queued: R,
  send: (queued: R) => Promise<void>,
): Promise<void> => {
  const outcome = (dueAt: Instant | null) =>
    applyOutcome(store, from, queued, { dueAt } as Partial<R> & Pick<R, 'dueAt'>)
  try {
    if (queued.expiresAt > clock.steady()) await send(queued)
  } catch (error) {
    await outcome(nextAttemptAt(queued.attempts, clock.steady()))
    throw error
  }
  await outcome(null)
}

export interface Tenants<M> {
  /** The field that says in whose name a mail goes out; null for our own. */
  readonly tenant: Field<M>
  /** What they are called, in the name of their queue. */
  readonly tenants: string
}

/**
 * The queues of mails: our own, codes among them, wait for nobody's; those of tenants, which may go by servers of theirs, have
 * places for each tenant.
 */
export const mailQueues = <M extends AnyMail>(
  mails: Collection<M>,
  { tenant, tenants }: Tenants<M>,
  ports: Sending,
  send: (mail: M) => Promise<void>,
): readonly Queue[] => {
  const row = {
    collection: mails,
    leaseSeconds: MAIL_LEASE_SECONDS,
    handle: (mail: M) => sendQueued(ports, mails, mail, send),
  }
  const ofOurs = eq(tenant, null)
  return [
    queueOf({ ...row, only: ofOurs, atOnce: MAILS_AT_ONCE }),
    queueOf({
      ...row,
      name: `${mails.name}.${tenants}`,
      only: not(ofOurs),
      host: tenant,
      atOnce: TENANTS_MAILS_AT_ONCE,
    }),
  ]
}

/** A queued mail as it goes out, in the look of its sender. */
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
