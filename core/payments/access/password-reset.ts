import { isLeft, left, right } from '../../failure.ts'
import { type InputOf, input, pick } from '../../kernel/input/input.ts'
import { all, type Change, eq, patch } from '../../kernel/records/record.ts'
import { serialByName } from '../../kernel/running/concurrency.ts'
import { accept, countingUseCase, type Fresh, useCase, withValidInput } from '../../kernel/running/use-case.ts'
import type { Origin } from '../../office/audit.ts'
import { hashingUseCaseOf, hashOrUncount } from '../../office/guesses.ts'
import type { Store } from '../../ports/store.ts'
import { findUserByEmail, passwordFields, type User, userFields, users } from '../members/user.ts'
import { changesOf, queueMail, recordAudit } from '../office.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import {
  type CodeFacts,
  decideSend,
  flowTriesId,
  mailedCode,
  readSendFacts,
  readUserAndCode,
  typedCodeFields,
  UNKNOWN_EMAIL,
  uncountCode,
  useCode,
  WRONG_CODE,
} from './code.ts'
import { DIGITS } from './code-format.ts'
import { passwordChangedMail } from './code-mail.ts'
import { type CodeTries, type RightCode, readCounted, tryCode, uncountRightCode } from './code-tries.ts'
import { aliveSessions, endSessions, type Session } from './session.ts'

const FLOW = 'recovery'

export const forgottenPassword = input('ForgottenPassword', pick(userFields, 'email'))

export type ForgottenPassword = InputOf<typeof forgottenPassword>

/** Mails a code that sets a new password. Fails: `fields` (`email.unknown`), `code.soon`. */
export const forgotPassword = (ports: PaymentsPorts) => (request: ForgottenPassword) =>
  withValidInput(ports, forgottenPassword, request, ({ email }) =>
    useCase(
      ports,
      async (store) => readSendFacts(store, FLOW, await findUserByEmail(store, email)),
      (facts, fresh) => decideSend(ports, facts, FLOW, fresh),
    ),
  )

/** A new password and the mailed code. */
export const newPassword = input('NewPassword', { ...typedCodeFields, password: passwordFields.password })

export type NewPassword = InputOf<typeof newPassword>

interface Facts extends CodeFacts {
  readonly alive: readonly Session[]
  readonly counts: readonly (CodeTries | null)[]
}

/**
 * Sets a new password by a mailed code, and ends every session of the user.
 * Fails: `fields` (`email.unknown`), `code.invalid`, `code.throttled`, `server.busy`.
 */
export const resetPassword = (ports: PaymentsPorts) => {
  // Tries at one code run in sequence: their counts would conflict.
  const inSequence = serialByName()
  return (submitted: NewPassword, origin: Origin | null = null) =>
    withValidInput(ports, newPassword, submitted, ({ email, code, password }) =>
      hashingUseCaseOf<null>()((hooks) =>
        inSequence(email, async () => {
          // A wrong code is rejected before the password is hashed, which is slow.
          const found = await tryCode(ports, (store) => findCode(ports, store, email), {
            subject: flowTriesId(FLOW, email),
            typed: code,
            short: DIGITS,
            origin,
            wrong: WRONG_CODE,
          })
          if (isLeft(found)) return found
          const passwordHash = await hashOrUncount(
            () => ports.hasher.hash(password, origin),
            uncountCode(ports, email, found.right),
          )
          return countingUseCase(
            ports,
            (store) => readFacts(store, email, found.right),
            (facts, fresh) => decideReset(ports, facts, found.right, { passwordHash, origin }, fresh),
          )(hooks)
        }),
      ),
    )
}

const findCode = async (ports: PaymentsPorts, store: Store, email: string) => {
  const { user, code } = await readUserAndCode(store, email)
  return user ? right(mailedCode(ports, code, FLOW, user)) : left(UNKNOWN_EMAIL)
}

const readFacts = async (store: Store, email: string, found: RightCode): Promise<Facts> => {
  const facts = await readUserAndCode(store, email)
  const alive = facts.user ? (await store.list(aliveSessions(facts.user.id))).records : []
  return { ...facts, alive, counts: await readCounted(store, found) }
}

const decideReset = (
  ports: Pick<PaymentsPorts, 'cipher' | 'digest'>,
  { user, code, alive, counts }: Facts,
  found: RightCode,
  replacement: NewPasswordHash,
  fresh: Fresh,
) => {
  const used = useCode(ports, code, found, user)
  if (!user || !used) return left(WRONG_CODE)
  const replaced = replacePassword(ports, user, alive, replacement, fresh)
  return accept(right(null), used, ...uncountRightCode(found, counts, fresh.steady), ...replaced)
}

export interface NewPasswordHash {
  readonly passwordHash: string
  readonly origin: Origin | null
}

/** Returns the changes that replace a password, end every session of the user and notify them. */
export const replacePassword = (
  { cipher }: Pick<PaymentsPorts, 'cipher'>,
  user: User,
  alive: readonly Session[],
  { passwordHash, origin }: NewPasswordHash,
  fresh: Fresh,
): readonly Change[] => [
  patch(users, user.id, {
    set: { passwordHash, updatedAt: fresh.now },
    // The code replaces the password that was read; one set since then stays.
    when: all(eq<keyof User & string>('email', user.email), eq('passwordHash', user.passwordHash)),
  }),
  ...endSessions(alive, fresh.now),
  queueMail(cipher, fresh, { to: user.email, ...passwordChangedMail(user.name) }),
  ...recordAudit(
    fresh,
    { userId: null, origin },
    {
      chain: `user:${user.id}`,
      action: 'password.reset',
      subject: `user:${user.id}`,
      changes: changesOf(user, { passwordHash }),
    },
  ),
]
