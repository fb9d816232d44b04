import { t } from '../../fp.ts'
import type { Collection } from '../../kernel/records/collection.ts'
import { orNull, record, word } from '../../kernel/records/record.ts'

const entryOf = (actions: readonly string[]) =>
  record({
    id: t.string,
    /** Whose it is: `account:7`, or `user:9` for what belongs to no account. */
    chain: t.string,
    /** Its place in the chain, without gaps, from 1. Taken at the moment of commit, like its time. */
    seq: t.number,
    createdAt: t.string,
    /** Null where nobody is signed in. */
    actorUserId: t.union([t.number, t.string, t.null]),
    action: word(...actions),
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
export type AuditEntry = t.TypeOf<ReturnType<typeof entryOf>>

export const entriesIn = (business: string, actions: readonly string[]): Collection<AuditEntry> => ({
  name: `${business}.audit`,
  ids: 'text',
  codec: entryOf(actions),
  owner: 'chain',
  keys: { place: ({ chain, seq }) => `${chain}|${seq}` },
  indexes: [{ sort: 'seq' }],
})
