import type { Collection } from '../../kernel/records/collection.ts'
import { all, eq, gt } from '../../kernel/records/where.ts'
import { type List, listOf } from '../../ports/store.ts'
import type { AuditChain } from './audit-chain.ts'
import type { AuditEntry } from './audit-entry.ts'

/** Where a business keeps what was done. */
export interface Trail {
  readonly chains: Collection<AuditChain>
  readonly entries: Collection<AuditEntry>
}

/** Entries that one commit links. */
export const LINKED_AT_ONCE = 200

/** Entries of a chain after a place, the first of them. */
export const entriesAfter = ({ entries }: Pick<Trail, 'entries'>, chain: string, seq: number): List<AuditEntry> =>
  listOf(entries, {
    where: all(eq<'chain' | 'seq'>('chain', chain), gt('seq', seq)),
    sort: { by: 'seq', dir: 'asc' },
    limit: LINKED_AT_ONCE,
  })
