import { t } from '../../fp.ts'
import type { Collection } from '../../kernel/records/collection.ts'
import { sweepOf } from '../../kernel/running/jobs.ts'

const keyRecord = t.strict({
  /** SHA-256 of scope and key: what the caller chose is not kept. */
  id: t.string,
  /** The mark of what was asked: params, query and body may hold a password or a PIN. */
  fingerprint: t.string,
  status: t.keyof({ running: null, done: null }),
  /** What the running request has begun, by its id in the core. */
  intent: t.union([t.string, t.null]),
  /** The answer over HTTP, byte for byte: all null while it runs. A program's value has its text alone. */
  replyStatus: t.union([t.number, t.null]),
  replyType: t.union([t.string, t.null]),
  /** Sealed, since it may show a secret once: the body, or a program's value as JSON. */
  replySealed: t.union([t.string, t.null]),
  /** As JSON. */
  replyHeaders: t.union([t.string, t.null]),
  /** Until when nobody else takes the running request up; null when it is done. */
  leasedUntil: t.union([t.string, t.null]),
  createdAt: t.string,
  expiresAt: t.string,
})

export type KeyRecord = t.TypeOf<typeof keyRecord>

/** Idempotency keys and what they replay, swept by `expiresAt`. Source: decisions.md §2. */
export const idempotencyKeys: Collection<KeyRecord> = {
  name: 'http.keys',
  ids: 'text',
  codec: keyRecord,
  owner: null,
  indexes: [{ sort: 'expiresAt', across: true }],
}

/** What a business that has keys adds to what its store holds and its worker runs. */
export const keysPart = { collections: [idempotencyKeys], sweeps: [sweepOf(idempotencyKeys)] }
