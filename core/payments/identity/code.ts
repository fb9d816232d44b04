import { t } from '../../fp.ts'
import { type Change, insert, patch } from '../../kernel/change.ts'
import type { Collection } from '../../kernel/collection.ts'
import { plusSeconds } from '../../kernel/day.ts'
import type { Fresh } from '../../kernel/fresh.ts'
import { orNull, record, word } from '../../kernel/record.ts'
import { eq } from '../../kernel/where.ts'
import type { Digest } from '../../ports/digest.ts'

const FLOWS = ['verify', 'recovery', 'legacy-recovery'] as const
export type CodeFlow = (typeof FLOWS)[number]

const code = record({
  /** The e-mail: it has one code at a time, whatever the flow. */
  id: t.string,
  userId: t.number,
  flow: word(...FLOWS),
  /** Changes with every new code, and salts its hash. */
  codeId: t.string,
  /** Null once the code was used. */
  hash: orNull(t.string),
  triesLeft: t.number,
  expiresAt: t.string,
  /** When each flow last sent one on request: it may again after two minutes. */
  verifySentAt: orNull(t.string),
  recoverySentAt: orNull(t.string),
  legacyRecoverySentAt: orNull(t.string),
  createdAt: t.string,
})

/**
 * A 6-digit code that was mailed: hashed, single use, for one flow. A new one takes the place of the last.
 * Source: 01-access.md, States and transitions; decisions.md §1 and §12, Codes.
 */
export type Code = t.TypeOf<typeof code>

export const codes: Collection<Code> = {
  name: 'payments.codes',
  ids: 'text',
  codec: code,
  owner: null,
  shard: 'id',
  indexes: [{ sort: 'expiresAt', across: true }],
}

const CODE_SECONDS = 3_600
const CODE_TRIES = 5
const CODE_LENGTH = 6

/** The stored form of a code: by itself a six-digit hash would be looked up in a table. */
export const codeHash = (digest: Digest, codeId: string, digits: string): string =>
  digest.hmacSha256(new TextEncoder().encode(codeId), digits)

/** A new code for an e-mail, in place of the one it had, and the change that keeps it. */
export const newCode = (
  digest: Digest,
  fresh: Fresh,
  previous: Code | null,
  to: { readonly email: string; readonly userId: number; readonly flow: CodeFlow },
): { readonly digits: string; readonly change: Change } => {
  const digits = fresh.text('0123456789', CODE_LENGTH)
  const codeId = fresh.uuid()
  const set = {
    userId: to.userId,
    flow: to.flow,
    codeId,
    hash: codeHash(digest, codeId, digits),
    triesLeft: CODE_TRIES,
    expiresAt: plusSeconds(fresh.now, CODE_SECONDS),
    createdAt: fresh.now,
  }
  if (previous) return { digits, change: patch(codes, to.email, { set, when: eq('codeId', previous.codeId) }) }
  const unsent = { verifySentAt: null, recoverySentAt: null, legacyRecoverySentAt: null }
  return { digits, change: insert(codes, { id: to.email, ...set, ...unsent }) }
}
