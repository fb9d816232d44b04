import { type Either, type Failure, invalid, isLeft, issue, left, right, throttled } from '../../failure.ts'
import { secret } from '../../kernel/input/mod.ts'
import {
  all,
  type Change,
  eq,
  expiringCollection,
  gt,
  insert,
  lt,
  newRecord,
  not,
  orNull,
  patch,
  record,
  t,
  word,
} from '../../kernel/records/record.ts'
import { accept, type Fresh, useCase } from '../../kernel/running/use-case.ts'
import { addSeconds, type Instant, secondsBetween } from '../../kernel/values/day.ts'
import { byId, type Store } from '../../ports/store.ts'
import { findUserByEmail, mailUser, type User, userFields } from '../members/user.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { recoveryMail, verificationMail } from './code-mail.ts'
import {
  type CodeTries,
  type CodeTry,
  codeTryCounts,
  DIGITS,
  drawCode,
  type MailedCode,
  type RightCode,
  readCounted,
  TRIES_AT_CODE,
  tryCode,
  uncountRightCode,
} from './code-tries.ts'
import { passwordMark } from './session.ts'

const FLOWS = ['verify', 'recovery', 'legacy-recovery'] as const
type CodeFlow = (typeof FLOWS)[number]

const code = record({
  /** The e-mail, which has one code at a time for all flows. */
  id: t.string,
  userId: t.number,
  flow: word(...FLOWS),
  /** Changes with every new code and salts its hash. */
  codeId: t.string,
  /** Null after use. */
  hash: orNull(t.string),
  /** The tries left for all addresses together; not counted for a long code. */
  triesLeft: t.number,
  expiresAt: t.string,
  /** The time of each flow's last request, which allows the next one two minutes later. */
  verifySentAt: orNull(t.string),
  recoverySentAt: orNull(t.string),
  legacyRecoverySentAt: orNull(t.string),
  createdAt: t.string,
  /** The number of characters; null for six, in records of earlier releases. */
  length: orNull(t.number),
  /** The mark of the user's password when a recovery code was sent; null for other flows and before 0.11.0. */
  passwordMark: orNull(t.string),
})

/**
 * A mailed code: hashed, single use, for one flow. A new one replaces the last. A recovery code replaces one password:
 * once the user has another, the code and the link mailed with it are void.
 */
export type Code = t.TypeOf<typeof code>

export const codes = expiringCollection('payments.codes', code)

export const CODE_SECONDS = 3_600
/** The wait between two codes of a flow for one e-mail. */
const RESEND_SECONDS = 120

const SENT_AT = {
  verify: 'verifySentAt',
  recovery: 'recoverySentAt',
  'legacy-recovery': 'legacyRecoverySentAt',
} as const satisfies Readonly<Record<CodeFlow, keyof Code>>

const flowTriesId = (flow: CodeFlow, email: string): string => `${flow}|${email}`

type Ports = Pick<PaymentsPorts, 'cipher' | 'digest'>

/** The user of a code, with the current password. */
type CodeUser = Pick<User, 'id' | 'email' | 'passwordHash'>

interface NewCode extends Pick<ReturnType<typeof drawCode>, 'typed' | 'codeId'> {
  readonly change: Change
}

/** Returns a new code for an e-mail and the change that stores it in place of the previous one. */
export const newCode = (
  { cipher, digest }: Ports,
  fresh: Fresh,
  previous: Code | null,
  { user, flow, tries }: Pick<SendFacts, 'tries'> & { readonly user: CodeUser; readonly flow: CodeFlow },
  /** A requested code starts the wait for the next one. */
  isRequested = false,
): NewCode => {
  const { typed, ...drawn } = drawCode(cipher, fresh, tries, DIGITS)
  const { codeId } = drawn
  const set = {
    ...drawn,
    userId: user.id,
    flow,
    triesLeft: TRIES_AT_CODE,
    expiresAt: addSeconds(fresh.steady, CODE_SECONDS),
    createdAt: fresh.now,
    passwordMark: flow === 'verify' ? null : passwordMark({ digest }, user.passwordHash),
    ...(isRequested ? { [SENT_AT[flow]]: fresh.steady } : {}),
  }
  if (previous) return { typed, codeId, change: patch(codes, user.email, { set, when: eq('codeId', previous.codeId) }) }
  return { typed, codeId, change: insert(codes, newRecord(codes, { id: user.email, ...set })) }
}

/** Returns the failure of a request for a code within two minutes of the last one; null if it is allowed. */
export const resendFailure = (sentAt: Instant | null, now: Instant) => {
  const retryAfterSeconds = sentAt === null ? 0 : secondsBetween(now, addSeconds(sentAt, RESEND_SECONDS))
  return retryAfterSeconds > 0 ? throttled('code.soon', retryAfterSeconds) : null
}

/** Returns a requested code for an e-mail. Fails: `code.soon`. */
export const requestCode = (
  ports: Ports,
  { user, code, tries }: Omit<SendFacts, 'user'> & { readonly user: CodeUser },
  flow: CodeFlow,
  fresh: Fresh,
): Either<Failure<'code.soon', never>, NewCode> => {
  const refused = resendFailure(code?.[SENT_AT[flow]] ?? null, fresh.steady)
  return refused ? left(refused) : right(newCode(ports, fresh, code, { user, flow, tries }, true))
}

const isUnused = (codeId: string) => all(eq('codeId', codeId), not(eq('hash', null)))

/** Reports whether a code is the user's, and not void by a change of the password. */
const isValidFor = (
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
  if (!user || code?.flow !== flow || code.hash === null || !isValidFor(ports, code, user)) return null
  const { id, codeId, hash, triesLeft, expiresAt } = code
  const takeTry = patch(codes, id, { add: { triesLeft: -1 }, when: all(isUnused(codeId), gt('triesLeft', 0)) })
  return { codeId, hash, length: code.length ?? DIGITS.length, triesLeft, expiresAt, takeTry }
}

/** Returns the change that uses up a code; null if it was used, replaced or became void in the meantime. */
export const useCode = (
  ports: Pick<Ports, 'digest'>,
  code: Code | null,
  { codeId }: Pick<RightCode, 'codeId'>,
  user: CodeUser | null,
): Change | null =>
  user && code?.codeId === codeId && code.hash !== null && isValidFor(ports, code, user)
    ? patch(codes, code.id, { set: { hash: null }, when: isUnused(codeId) })
    : null

export interface SendFacts {
  readonly user: User | null
  readonly code: Code | null
  /** The wrong tries at earlier codes of the flow. */
  readonly tries: CodeTries | null
}

export const readSendFacts = async (store: Store, flow: CodeFlow, user: User | null): Promise<SendFacts> =>
  user ? { user, ...(await readCodeFor(store, flow, user.email)) } : { user, code: null, tries: null }

/** Reads the previous code of an e-mail and the wrong tries, which decide the length of the next one. */
export const readCodeFor = (store: Store, flow: CodeFlow, email: string): Promise<Omit<SendFacts, 'user'>> =>
  store.read({ code: byId(codes, email), tries: byId(codeTryCounts, flowTriesId(flow, email)) })

/** Sends a new code, unless one was requested within the last two minutes. Fails: `email.unknown`, `code.soon`. */
export const decideSend = (ports: Ports, facts: SendFacts, flow: CodeFlow, fresh: Fresh) => {
  const { user } = facts
  if (!user) return left(UNKNOWN_EMAIL)
  const drawn = requestCode(ports, { ...facts, user }, flow, fresh)
  if (isLeft(drawn)) return drawn
  const { typed, change } = drawn.right
  const mail = flow === 'verify' ? verificationMail(user.name, typed) : recoveryMail(user.name, typed)
  return accept(null, change, mailUser(ports.cipher, fresh, user, mail))
}

export const UNKNOWN_EMAIL = invalid([issue('email', 'email.unknown')])

export const aboutCode = { about: 'Código que foi enviado por e-mail' }

/** A typed code and its e-mail. A text that cannot be a code is a wrong code, not a wrong field. */
export const typedCodeFields = { email: userFields.email, code: secret({ max: 255, ...aboutCode }) }

const readUserAndCode = async (store: Store, email: string) => ({
  user: await findUserByEmail(store, email),
  code: await store.find(byId(codes, email)),
})

export const WRONG_CODE = invalid([issue('code', 'code.invalid')], 'code.invalid')

/**
 * Compares a typed code of a flow. `reject` returns a failure for a user who may not use the code; for an unknown
 * e-mail without such a failure, the code is wrong. Fails: as `tryCode` does.
 */
export const tryFlowCode = <
  C extends string = never,
  I extends string = never,
  D extends string = never,
  J extends string = never,
>(
  ports: PaymentsPorts,
  flow: CodeFlow,
  { email, ...tried }: Pick<CodeTry<D, J>, 'typed' | 'origin' | 'wrong'> & { readonly email: string },
  reject: (user: User | null) => Failure<C, I> | null,
) =>
  tryCode(
    ports,
    async (store) => {
      const { user, code } = await readUserAndCode(store, email)
      const rejected = reject(user)
      return rejected ? left(rejected) : right(mailedCode(ports, code, flow, user))
    },
    { ...tried, subject: flowTriesId(flow, email), short: DIGITS },
  )

/** The user of a right code, the present code, and the counts of the try. */
export interface RightCodeFacts extends Omit<SendFacts, 'tries'> {
  readonly counts: readonly (CodeTries | null)[]
}

export const readRightCode = async (store: Store, email: string, found: RightCode): Promise<RightCodeFacts> => ({
  ...(await readUserAndCode(store, email)),
  counts: await readCounted(store, found),
})

/** Returns the changes that use up a right code; null if it was used, replaced or became void in the meantime. */
export const useRightCode = (
  ports: Pick<Ports, 'digest'>,
  { user, code, counts }: RightCodeFacts,
  found: RightCode,
  now: Instant,
): readonly Change[] | null => {
  const used = user?.removedAt === null ? useCode(ports, code, found, user) : null
  return used && [used, ...uncountRightCode(found, counts, now)]
}

/** No longer counts the try of a right code that could not be used, so that the user can type it again. */
export const uncountCode = (ports: PaymentsPorts, email: string, found: RightCode) => {
  const everyCount = { ...found, counted: [...found.counted, ...found.atCode] }
  return useCase(
    ports,
    async (store) => ({ code: await store.find(byId(codes, email)), counts: await readCounted(store, everyCount) }),
    ({ code, counts }, { steady }) => {
      const { codeId, atCode } = found
      const when = all(isUnused(codeId), lt('triesLeft', TRIES_AT_CODE))
      const isCounted = code?.codeId === codeId && atCode.length > 0
      const uncounted = isCounted ? [patch(codes, email, { add: { triesLeft: 1 }, when })] : []
      return accept(null, ...uncounted, ...uncountRightCode(everyCount, counts, steady))
    },
  )
}
