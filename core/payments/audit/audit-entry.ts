import { t } from '../../fp.ts'
import type { Collection } from '../../kernel/records/collection.ts'
import { orNull, record, word } from '../../kernel/records/record.ts'

/** What somebody did. Charges and payments are not among it: the ledger and the events are their trail. */
export const AUDITED_ACTIONS = [
  'account.opened',
  'account.updated',
  'organization.removed',
  'terms.set',
  'pin.set',
  'key.exchanged',
  'user.registered',
  'user.added',
  'user.updated',
  'user.removed',
  'password.reset',
  'email.verified',
  'session.ended',
] as const
export type AuditedAction = (typeof AUDITED_ACTIONS)[number]

const auditEntry = record({
  id: t.string,
  /** `account:7`, or `user:9` for what belongs to no account. */
  chain: t.string,
  /** Its place in the chain, without gaps, from 1. Taken at the moment of commit, like its time. */
  seq: t.number,
  createdAt: t.string,
  /** Null where nobody is signed in: a code was enough, or it is the bank's own word. */
  actorUserId: orNull(t.number),
  action: word(...AUDITED_ACTIONS),
  /** What it was done to: `user:9`, `account:7`, `session:…`. */
  subject: t.string,
  /** JSON text: field to what it was and what it is; null where the action says it all. Secrets are named and never shown. */
  changes: orNull(t.string),
  address: orNull(t.string),
  device: orNull(t.string),
  /** The hash of the entry before it, and its own over both: null until the worker has linked it. */
  prevHash: orNull(t.string),
  hash: orNull(t.string),
})

/** Who changed what, when and from where: written in the commit of the change itself. Source: decisions.md §12. */
export type AuditEntry = t.TypeOf<typeof auditEntry>

export const auditEntries: Collection<AuditEntry> = {
  name: 'payments.audit',
  ids: 'text',
  codec: auditEntry,
  owner: 'chain',
  shard: 'chain',
  keys: { place: ({ chain, seq }) => `${chain}|${seq}` },
  indexes: [{ sort: 'seq' }],
}
