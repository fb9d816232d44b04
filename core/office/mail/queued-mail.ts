import { t } from '../../fp.ts'
import { type Change, insert } from '../../kernel/records/change.ts'
import { at, type Collection, type Field } from '../../kernel/records/collection.ts'
import { orNull, type record, word } from '../../kernel/records/record.ts'
import { eq, not } from '../../kernel/records/where.ts'
import type { Fresh } from '../../kernel/running/fresh/fresh.ts'
import { WAITING } from '../../kernel/running/queue.ts'
import { type Instant, plusSeconds } from '../../kernel/values/day.ts'
import type { Cipher } from '../../ports/cipher.ts'
import type { EmailTemplate } from './email-template.ts'
import { type Queued, UNSENT_REASONS } from './unsent-reason.ts'

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
  /** The span that its work continues; null without tracing. */
  trace: orNull(t.string),
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
    { sort: 'dueAt', when: WAITING, across: true, carries: [tenant] },
    { eq: tenant, sort: 'dueAt', when: WAITING, across: true },
    { sort: 'expiresAt', across: true },
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
export type Letter<M extends AnyMail> = Envelope & EmailTemplate & Omit<M, keyof AnyMail>

const contextOf = (mails: { readonly name: string }, id: string): string => at(mails, id).join('/')

/** The change that queues a mail. */
export const queuedIn =
  <M extends AnyMail>(mails: Collection<M>) =>
  (cipher: Cipher, fresh: Fresh, letter: Letter<M>): Change => {
    const { id = fresh.uuid(), subject, blocks, expiresAt, unsentReason = null, ...own } = letter
    const queued: AnyMail = {
      ...own,
      id,
      letterSealed: cipher.seal(JSON.stringify({ subject, blocks } satisfies EmailTemplate), contextOf(mails, id)),
      dueAt: unsentReason === null ? fresh.steady : null,
      unsentReason,
      attempts: 0,
      createdAt: fresh.now,
      expiresAt: expiresAt ?? plusSeconds(fresh.steady, MAIL_LIFE_SECONDS),
      trace: fresh.trace ?? null,
    }
    return insert(mails, queued as M)
  }

export const templateIn =
  (mails: { readonly name: string }) =>
  (cipher: Cipher, { id, letterSealed }: Pick<AnyMail, 'id' | 'letterSealed'>): EmailTemplate =>
    JSON.parse(cipher.open(letterSealed, contextOf(mails, id)))
