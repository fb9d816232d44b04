import { t } from '../../fp.ts'
import type { Collection } from '../../kernel/records/collection.ts'
import { orNull, record } from '../../kernel/records/record.ts'
import { eq, not } from '../../kernel/records/where.ts'
import { WAITING } from '../../kernel/running/queue.ts'
import type { Digest } from '../../ports/runtime.ts'
import type { AuditEntry } from './audit-entry.ts'

const auditChain = record({
  /** What it is of: `account:7`, `user:9`. */
  id: t.string,
  /** How many entries the chain has: the last one's place. */
  seq: t.number,
  /** The last entry's time, which never runs backwards. */
  lastAt: t.string,
  /** How many of them are linked, and the hash of the last that is. */
  linkedSeq: t.number,
  headHash: t.string,
  dueAt: orNull(t.string),
  attempts: t.number,
})

/** The keeper of a chain: the one record that every entry of it patches, and what the worker links by. */
export type AuditChain = t.TypeOf<typeof auditChain>

export const chainsIn = (business: string): Collection<AuditChain> => ({
  name: `${business}.audit-chains`,
  ids: 'text',
  codec: auditChain,
  owner: null,
  conditions: { [WAITING]: not(eq('dueAt', null)) },
  indexes: [{ sort: 'dueAt', when: WAITING, across: true }],
})

/** What the first entry of a chain comes after. */
export const GENESIS = '0'.repeat(64)

/** The hash of an entry: over the one before it and all that the entry tells, in this order for ever. */
export const linkHash = (digest: Digest, prevHash: string, entry: AuditEntry): string => {
  const { chain, seq, id, createdAt, actorUserId, action, subject, changes, address, device } = entry
  const told = [chain, seq, id, createdAt, actorUserId, action, subject, changes, address, device]
  return digest.sha256(`${prevHash}\n${JSON.stringify(told)}`)
}
