import { t } from '../../../fp.ts'
import { type Change, insert, patch } from '../../../kernel/records/change.ts'
import type { Collection } from '../../../kernel/records/collection.ts'
import { orNull, record, word } from '../../../kernel/records/record.ts'
import { all, eq, not } from '../../../kernel/records/where.ts'
import type { Fresh } from '../../../kernel/running/fresh.ts'
import { type Instant, plusSeconds, secondsBetween } from '../../../kernel/values/day.ts'
import type { Cipher } from '../../../ports/cipher.ts'
import type { Digest } from '../../../ports/digest.ts'

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

export const CODE_SECONDS = 3_600
export const CODE_TRIES = 5
const CODE_LENGTH = 6
/** How long a flow waits between two codes for one e-mail. */
export const RESEND_SECONDS = 120

/** The stored form of a code: there are so few that whoever reads it could else try them all. */
export const codeHash = (cipher: Cipher, codeId: string, digits: string): string => cipher.mark(digits, codeId)

/** What a typed code is compared with the stored one by. */
export interface Comparing {
  readonly cipher: Cipher
  readonly digest: Digest
}

const SENT_AT = {
  verify: 'verifySentAt',
  recovery: 'recoverySentAt',
  'legacy-recovery': 'legacyRecoverySentAt',
} as const satisfies Readonly<Record<CodeFlow, keyof Code>>

interface To {
  readonly email: string
  readonly userId: number
  readonly flow: CodeFlow
}

/** A new code for an e-mail, in place of the one it had, and the change that keeps it. */
export const newCode = (
  cipher: Cipher,
  fresh: Fresh,
  previous: Code | null,
  to: To,
  /** Whether somebody asked for it: then not again for a while. */
  isAskedFor = false,
): { readonly digits: string; readonly codeId: string; readonly change: Change } => {
  const digits = fresh.text('0123456789', CODE_LENGTH)
  const codeId = fresh.uuid()
  const set = {
    userId: to.userId,
    flow: to.flow,
    codeId,
    hash: codeHash(cipher, codeId, digits),
    triesLeft: CODE_TRIES,
    expiresAt: plusSeconds(fresh.now, CODE_SECONDS),
    createdAt: fresh.now,
    ...(isAskedFor ? { [SENT_AT[to.flow]]: fresh.now } : {}),
  }
  if (previous) return { digits, codeId, change: patch(codes, to.email, { set, when: eq('codeId', previous.codeId) }) }
  const unsent = { verifySentAt: null, recoverySentAt: null, legacyRecoverySentAt: null }
  return { digits, codeId, change: insert(codes, { id: to.email, ...unsent, ...set }) }
}

/** How long an e-mail waits before it may ask for another code of the flow; 0 where it may now. */
export const secondsToNextCode = (previous: Code | null, flow: CodeFlow, now: Instant): number => {
  const sentAt = previous?.[SENT_AT[flow]] ?? null
  return sentAt === null ? 0 : Math.max(0, secondsBetween(now, plusSeconds(sentAt, RESEND_SECONDS)))
}

/** What a try comes to. */
export interface Tried {
  readonly isRight: boolean
  /** Uses the code up where it is right, and a try where it is wrong; none where there is no code to try. */
  readonly changes: readonly Change[]
}

/**
 * Tries a code of a flow. Each try is decided on how many were left, so that of any number at once no more are compared
 * than a code has.
 */
export const tryCode = (
  { cipher, digest }: Comparing,
  code: Code | null,
  flow: CodeFlow,
  digits: string,
  now: Instant,
): Tried => {
  // What cannot be a code is no guess at one.
  const isTry = [...digits].length === CODE_LENGTH
  if (!isTry || !code || code.flow !== flow || code.hash === null || code.triesLeft < 1 || code.expiresAt <= now) {
    return { isRight: false, changes: [] }
  }
  const isRight = digest.equal(code.hash, codeHash(cipher, code.codeId, digits))
  const when = all(
    eq<keyof Code & string>('codeId', code.codeId),
    eq('triesLeft', code.triesLeft),
    not(eq('hash', null)),
  )
  const change = patch(codes, code.id, isRight ? { set: { hash: null }, when } : { add: { triesLeft: -1 }, when })
  return { isRight, changes: [change] }
}
