import { t } from '../../../fp.ts'
import { type Change, insert, patch } from '../../../kernel/records/change.ts'
import type { Collection } from '../../../kernel/records/collection.ts'
import { orNull, record, word } from '../../../kernel/records/record.ts'
import { all, eq, gt, lt, not } from '../../../kernel/records/where.ts'
import type { Fresh } from '../../../kernel/running/fresh.ts'
import { addSeconds, type Instant, secondsBetween } from '../../../kernel/values/day.ts'
import type { Cipher, Digest } from '../../../ports/runtime.ts'
import type { User } from '../../members/user.ts'
import { passwordMark } from '../sessions/session.ts'
import { DIGITS, drawCode, LONG } from './code-format.ts'
import { type CodeTries, isReached, TRIES_AT_CODE, TRIES_BEFORE_LONG_CODES } from './code-tries.ts'
import { codeHash, type MailedCode, type RightCode } from './try-code.ts'

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
  /** Of everybody's; no number ends a long code. */
  triesLeft: t.number,
  expiresAt: t.string,
  /** When each flow last sent one on request: it may again after two minutes. */
  verifySentAt: orNull(t.string),
  recoverySentAt: orNull(t.string),
  legacyRecoverySentAt: orNull(t.string),
  createdAt: t.string,
  /** How many characters it has; null for six, in records of earlier releases. */
  length: orNull(t.number),
  /** The mark of the user's password when a recovery code was sent; null for other flows and before 0.11.0. */
  passwordMark: orNull(t.string),
})

/**
 * A code that was mailed: hashed, single use, for one flow. A new one takes the place of the last. A recovery code
 * replaces one password: once the user has another, the code and the link mailed with it are void.
 * Source: 01-access.md, States and transitions.
 */
export type Code = t.TypeOf<typeof code>

export const codes: Collection<Code> = {
  name: 'payments.codes',
  ids: 'text',
  codec: code,
  owner: null,
  indexes: [{ sort: 'expiresAt', acrossOwners: true }],
}

export const CODE_SECONDS = 3_600
/** How long a flow waits between two codes for one e-mail. */
export const RESEND_SECONDS = 120

const SENT_AT = {
  verify: 'verifySentAt',
  recovery: 'recoverySentAt',
  'legacy-recovery': 'legacyRecoverySentAt',
} as const satisfies Readonly<Record<CodeFlow, keyof Code>>

/** What wrong tries at the codes of an e-mail and flow are counted by. */
export const flowTriesId = (flow: CodeFlow, email: string): string => `${flow}|${email}`

type Ports = { readonly cipher: Cipher; readonly digest: Digest }

/** The user of a code, with the current password. */
export type CodeUser = Pick<User, 'id' | 'email' | 'passwordHash'>

interface To {
  readonly user: CodeUser
  readonly flow: CodeFlow
  /** Wrong tries at its codes so far. */
  readonly tries: CodeTries | null
}

interface NewCode {
  readonly typed: string
  readonly codeId: string
  readonly change: Change
}

/** A new code for an e-mail, in place of the one it had, and the change that keeps it. */
export const newCode = (
  { cipher, digest }: Ports,
  fresh: Fresh,
  previous: Code | null,
  { user, flow, tries }: To,
  /** Whether somebody asked for it: then not again for a while. */
  isAskedFor = false,
): NewCode => {
  const format = isReached(tries, TRIES_BEFORE_LONG_CODES, fresh.steady) ? LONG : DIGITS
  const typed = drawCode(fresh, format)
  const codeId = fresh.uuid()
  const set = {
    userId: user.id,
    flow,
    codeId,
    hash: codeHash(cipher, codeId, typed),
    triesLeft: TRIES_AT_CODE,
    expiresAt: addSeconds(fresh.steady, CODE_SECONDS),
    createdAt: fresh.now,
    length: format.length,
    passwordMark: flow === 'verify' ? null : passwordMark({ digest }, user.passwordHash),
    ...(isAskedFor ? { [SENT_AT[flow]]: fresh.steady } : {}),
  }
  if (previous) return { typed, codeId, change: patch(codes, user.email, { set, when: eq('codeId', previous.codeId) }) }
  const unsent = { verifySentAt: null, recoverySentAt: null, legacyRecoverySentAt: null }
  return { typed, codeId, change: insert(codes, { id: user.email, ...unsent, ...set }) }
}

/** How long an e-mail waits before it may ask for another code of the flow; 0 where it may now. */
export const secondsToNextCode = (previous: Code | null, flow: CodeFlow, now: Instant): number => {
  const sentAt = previous?.[SENT_AT[flow]] ?? null
  return sentAt === null ? 0 : Math.max(0, secondsBetween(now, addSeconds(sentAt, RESEND_SECONDS)))
}

const unused = (codeId: string) => all(eq<keyof Code & string>('codeId', codeId), not(eq('hash', null)))

/** Reports whether a code is the user's, and not void by a change of the password. */
const isStillGood = (
  ports: Pick<Ports, 'digest'>,
  { userId, passwordMark: mark }: Pick<Code, 'userId' | 'passwordMark'>,
  user: CodeUser,
): boolean => userId === user.id && (mark === null || mark === passwordMark(ports, user.passwordHash))

/** Returns the code that the user may type in for a flow; null if there is none, or it was used or is void. */
export const mailedCode = (
  ports: Pick<Ports, 'digest'>,
  code: Code | null,
  flow: CodeFlow,
  user: CodeUser | null,
): MailedCode | null => {
  if (!user || code?.flow !== flow || code.hash === null || !isStillGood(ports, code, user)) return null
  const { id, codeId, hash, triesLeft, expiresAt } = code
  const takeTry = patch(codes, id, { add: { triesLeft: -1 }, when: all(unused(codeId), gt('triesLeft', 0)) })
  return { codeId, hash, length: code.length ?? DIGITS.length, triesLeft, expiresAt, takeTry }
}

/** The change that gives a try back which was right, where the code was not used all the same. */
export const giveTryAtCode = (code: Code | null, { codeId, atCode }: RightCode): readonly Change[] =>
  code?.codeId === codeId && atCode.length > 0
    ? [patch(codes, code.id, { add: { triesLeft: 1 }, when: all(unused(codeId), lt('triesLeft', TRIES_AT_CODE)) })]
    : []

/** Returns the change that uses up a right code; null if it was used, replaced or became void in the meantime. */
export const useCode = (
  ports: Pick<Ports, 'digest'>,
  code: Code | null,
  { codeId }: Pick<RightCode, 'codeId'>,
  user: CodeUser | null,
): Change | null =>
  user && code?.codeId === codeId && code.hash !== null && isStillGood(ports, code, user)
    ? patch(codes, code.id, { set: { hash: null }, when: unused(codeId) })
    : null
