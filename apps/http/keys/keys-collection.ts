import { t } from '../../../core/fp.ts'
import type { Collection } from '../../../core/kernel/records/collection.ts'

const keyRecord = t.strict({
  /** SHA-256 of app, scope and key: what the caller chose is not kept. */
  id: t.string,
  /** The mark of what was asked: params, query and body may hold a password or a PIN. */
  fingerprint: t.string,
  status: t.keyof({ running: null, done: null }),
  /** What the running request has begun, by its id in the core. */
  intent: t.union([t.string, t.null]),
  /** The answer, byte for byte: all null while it runs. */
  replyStatus: t.union([t.number, t.null]),
  replyType: t.union([t.string, t.null]),
  /** Sealed: an answer may show a secret once. */
  replySealed: t.union([t.string, t.null]),
  /** As JSON. */
  replyHeaders: t.union([t.string, t.null]),
  /** Until when nobody else takes the running request up; null when it is done. */
  leasedUntil: t.union([t.string, t.null]),
  createdAt: t.string,
  expiresAt: t.string,
})

export type KeyRecord = t.TypeOf<typeof keyRecord>

/** Idempotency keys and the answers they replay, swept by `expiresAt`. Source: decisions.md §2. */
export const httpKeys: Collection<KeyRecord> = {
  name: 'http.keys',
  ids: 'text',
  codec: keyRecord,
  owner: null,
  shard: 'id',
  indexes: [{ sort: 'expiresAt', across: true }],
}
