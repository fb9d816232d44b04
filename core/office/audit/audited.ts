import { type Change, ensure, insert, patch } from '../../kernel/records/change.ts'
import { at, type Id } from '../../kernel/records/record.ts'
import { always } from '../../kernel/records/where.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'
import type { Requester } from '../../ports/identity.ts'
import { GENESIS } from './audit-chain.ts'
import type { FieldChanges } from './field-changes.ts'
import type { Trail } from './trail.ts'

/** Where a request comes from. */
export interface Origin extends Requester {
  readonly device: string | null
}

/** Who does something and from where: somebody as they came in, or nobody who is signed in. */
export interface By<I extends Id> {
  readonly userId: I | null
  readonly origin?: Origin | null | undefined
}

/** The words in which a business tells of its deeds, for types. */
export interface DeedWords {
  readonly action: string
  /** Whose chain it stands in: `account:7`. */
  readonly chain: string
  /** What it was done to. */
  readonly subject: string
  /** Who did it. */
  readonly userId: Id
}

/** What was done. */
export interface Deed<W extends DeedWords> {
  readonly chain: W['chain']
  readonly action: W['action']
  readonly subject: W['subject']
  /** Left out where the action says it all. Where there are none, nothing was done. */
  readonly changes?: FieldChanges
}

/**
 * The changes that record a deed, for the commit that does it. They depend on nothing that was read, so that deeds of one
 * chain commute; the chain begins with its first entry, and the worker links the entries afterwards.
 */
export const auditedIn =
  <W extends DeedWords>({ chains, entries }: Trail) =>
  (fresh: Fresh, by: By<W['userId']>, { chain, action, subject, changes }: Deed<W>): readonly Change[] => {
    if (changes && Object.keys(changes).length === 0) return []
    const { steady } = fresh
    const keeper = at(chains, chain)
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
    const begun = { id: chain, seq: 0, lastAt: steady, linkedSeq: 0, headHash: GENESIS, dueAt: null, attempts: 0 }
    return [
      ensure(chains, begun),
      patch(chains, chain, { add: { seq: 1 }, max: { lastAt: steady }, set: { dueAt: steady }, when: always }),
      insert(entries, entry, { seq: [keeper, 'seq'], createdAt: [keeper, 'lastAt'] }),
    ]
  }
