import { t } from '../../fp.ts'
import { type Change, insert } from '../../kernel/records/change.ts'
import { at, type Collection } from '../../kernel/records/collection.ts'
import { orNull, record } from '../../kernel/records/record.ts'
import { not } from '../../kernel/records/where.ts'
import type { Fresh } from '../../kernel/running/fresh/fresh.ts'
import { type Instant, plusSeconds } from '../../kernel/values/day.ts'
import type { Cipher } from '../../ports/cipher.ts'
import type { EmailTemplate } from './email-template.ts'

const mail = record({
  id: t.string,
  /** In whose name it goes out, and by whose mail server, where that has one; null for our own. */
  accountId: orNull(t.number),
  to: t.string,
  /** Sealed: a mail may carry a code, and a code is a secret until it is used. */
  letterSealed: t.string,
  /** When the worker is to send it; null once it was sent or given up. */
  dueAt: orNull(t.string),
  attempts: t.number,
  createdAt: t.string,
  /** From then on it is not sent any more, and forgotten. */
  expiresAt: t.string,
})

/** A mail that waits to be sent: written in the commit that made it necessary. */
export type QueuedMail = t.TypeOf<typeof mail>

export const mails: Collection<QueuedMail> = {
  name: 'payments.mails',
  ids: 'text',
  codec: mail,
  owner: null,
  shard: 'id',
  conditions: { waiting: not({ eq: ['dueAt', null] }) },
  indexes: [
    { sort: 'dueAt', when: 'waiting', across: true },
    { eq: 'accountId', sort: 'dueAt', when: 'waiting', across: true },
    { sort: 'expiresAt', across: true },
  ],
}

/** Sent or not, a mail is forgotten after a week. */
export const MAIL_LIFE_SECONDS = 7 * 24 * 3600

const contextOf = (id: string): string => at(mails, id).join('/')

interface Envelope {
  readonly to: string
  /** In whose name; our own without it. */
  readonly accountId?: number | null
  /** Of two mails of one id, one is sent; drawn without it. */
  readonly id?: string
  /** After a week without it. */
  readonly expiresAt?: Instant
}

/** The change that queues a mail. */
export const queueMail = (
  cipher: Cipher,
  fresh: Fresh,
  { to, accountId = null, id = fresh.uuid(), expiresAt, subject, blocks }: Envelope & EmailTemplate,
): Change =>
  insert(mails, {
    id,
    accountId,
    to,
    letterSealed: cipher.seal(JSON.stringify({ subject, blocks } satisfies EmailTemplate), contextOf(id)),
    dueAt: fresh.now,
    attempts: 0,
    createdAt: fresh.now,
    expiresAt: expiresAt ?? plusSeconds(fresh.now, MAIL_LIFE_SECONDS),
  })

export const templateOf = (cipher: Cipher, { id, letterSealed }: QueuedMail): EmailTemplate =>
  JSON.parse(cipher.open(letterSealed, contextOf(id)))
