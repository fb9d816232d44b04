import { type Change, ensure, insert, patch } from '../../kernel/records/change.ts'
import { at } from '../../kernel/records/collection.ts'
import { always } from '../../kernel/records/where.ts'
import type { Fresh } from '../../kernel/running/fresh/fresh.ts'
import type { Origin } from '../actor.ts'
import { auditChains, type ChainId, GENESIS } from './audit-chain.ts'
import { type AuditedAction, auditEntries } from './audit-entry.ts'
import type { FieldChanges } from './field-changes.ts'

/** Who does something and from where: a person or an actor as they came in, or nobody who is signed in. */
export interface By {
  readonly userId: number | null
  readonly origin?: Origin | null | undefined
}

/** What was done. */
export interface Deed {
  readonly chain: ChainId
  readonly action: AuditedAction
  readonly subject: `${'account' | 'user' | 'session'}:${number | string}`
  /** Left out where the action says it all. Where there are none, nothing was done. */
  readonly changes?: FieldChanges
}

/**
 * The changes that record a deed, for the commit that does it. They depend on nothing that was read, so that deeds of one
 * chain commute; the chain begins with its first entry, and the worker links the entries afterwards.
 */
export const audited = (fresh: Fresh, by: By, { chain, action, subject, changes }: Deed): readonly Change[] => {
  if (changes && Object.keys(changes).length === 0) return []
  const { now } = fresh
  const keeper = at(auditChains, chain)
  const entry = {
    id: fresh.uuid(),
    chain,
    seq: 0,
    createdAt: '',
    actorUserId: by.userId,
    action,
    subject,
    changes: changes ? JSON.stringify(changes) : null,
    address: by.origin?.address ?? null,
    device: by.origin?.device ?? null,
    prevHash: null,
    hash: null,
  }
  const begun = { id: chain, seq: 0, lastAt: now, linkedSeq: 0, headHash: GENESIS, dueAt: null, attempts: 0 }
  return [
    ensure(auditChains, begun),
    patch(auditChains, chain, { add: { seq: 1 }, max: { lastAt: now }, set: { dueAt: now }, when: always }),
    insert(auditEntries, entry, { seq: [keeper, 'seq'], createdAt: [keeper, 'lastAt'] }),
  ]
}
