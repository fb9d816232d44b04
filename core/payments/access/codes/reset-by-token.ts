import { invalid, issue } from '../../../failure.ts'
import { isLeft, left, right } from '../../../fp.ts'
import { nullIfAbsent } from '../../../kernel/input/field.ts'
import { type DecodedOf, type InputOf, input } from '../../../kernel/input/input.ts'
import { secret } from '../../../kernel/input/texts.ts'
import { type Change, remove } from '../../../kernel/records/change.ts'
import { always } from '../../../kernel/records/where.ts'
import { serialByName } from '../../../kernel/running/concurrency.ts'
import type { Fresh } from '../../../kernel/running/fresh.ts'
import { accept, countingUseCase, useCase, withValidInput } from '../../../kernel/running/use-case.ts'
import type { Instant } from '../../../kernel/values/day.ts'
import type { Origin } from '../../../office/audit.ts'
import { hashingUseCaseOf, hashOrUncount } from '../../../office/guesses.ts'
import { byId, type Store } from '../../../ports/store.ts'
import { findUserByEmail, legacyPasswords, type User, userFields, users } from '../../members/user.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { livingSessions, type Session } from '../sessions/session.ts'
import { type Code, codes, flowTriesId, mailedCode, useCode } from './code.ts'
import { DIGITS, readTypedCode } from './code-format.ts'
import type { CodeTries } from './code-tries.ts'
import { giveCodeBack } from './give-code-back.ts'
import { type PasswordLink, passwordLinkId, passwordLinks } from './password-link.ts'
import { type Replacement, replacedPassword } from './reset-password.ts'
import { type RightCode, readCounted, tryCode, uncountRight } from './try-code.ts'

/** A new password, with what shows who sets it: the long token of a link, or a code together with their e-mail. */
export const tokenPasswordFields = {
  token: secret({ max: 255, about: 'Token do link ou código que foi enviado por e-mail' }),
  email: nullIfAbsent(userFields.email),
  password: legacyPasswords.next,
}

export const tokenPassword = input('TokenPassword', tokenPasswordFields)

export type TokenPassword = InputOf<typeof tokenPassword>

type Proof = Omit<DecodedOf<typeof tokenPassword>, 'password'>

interface Facts {
  readonly user: User | null
  readonly code: Code | null
  readonly link: PasswordLink | null
  readonly alive: readonly Session[]
  readonly counts: readonly (CodeTries | null)[]
}

const WRONG = invalid([issue('token', 'code.invalid')], 'code.invalid')
const FLOW = 'legacy-recovery'

/**
 * Sets a new password by what was mailed, and ends every session of the user.
 * Fails: `fields`, `code.invalid` (`token`), `code.throttled` (a code; a link is none), `server.busy`.
 * Source: 01-access.md, POST /access/auth/reset; decisions.md §1, §12 and §13.
 */
export const resetByToken = (ports: PaymentsPorts) => {
  const line = serialByName()
  return (given: TokenPassword, origin: Origin | null = null) =>
    withValidInput(ports, tokenPassword, given, ({ password, ...proof }) =>
      hashingUseCaseOf<null>()((hooks) =>
        line(proof.email ?? proof.token, async () => {
          // What is wrong is counted and refused before anything slow is done for it.
          const found = await findProof(ports, proof, origin)
          if (isLeft(found)) return found
          const passwordHash = await hashOrUncount(
            () => ports.hasher.hash(password, origin),
            async () => found.right && giveCodeBack(ports, proof.email ?? '', found.right)(),
          )
          return countingUseCase(
            ports,
            (store) => readFacts(ports, store, proof, found.right),
            (facts, fresh) => decideReset(ports, facts, found.right, { passwordHash, origin }, fresh),
          )(hooks)
        }),
      ),
    )
}

/** The code that was typed, or null for a link: whether that is good is decided anew when it is used. */
const findProof = async (ports: PaymentsPorts, proof: Proof, origin: Origin | null) => {
  const { token, email } = proof
  if (email !== null && readTypedCode(token, DIGITS)) {
    const tried = { subject: flowTriesId(FLOW, email), typed: token, short: DIGITS, origin, wrong: WRONG }
    // The answer does not show if the e-mail has a user.
    const find = async (store: Store) => {
      const user = await findUserByEmail(store, email)
      return right(mailedCode(ports, await store.find(byId(codes, email)), FLOW, user))
    }
    return tryCode(ports, find, tried)
  }
  return useCase(
    ports,
    (store) => readFacts(ports, store, proof, null),
    (facts, { steady }) => (usedLink(ports, facts, steady) ? accept(null) : left(WRONG)),
  )()
}

const readFacts = async (
  { digest }: Pick<PaymentsPorts, 'digest'>,
  store: Store,
  { token, email }: Proof,
  found: RightCode | null,
): Promise<Facts> => {
  const link = found ? null : await store.find(byId(passwordLinks, passwordLinkId(digest, token)))
  const user = found ? await findUserByEmail(store, email ?? '') : link && (await store.find(byId(users, link.userId)))
  const counts = found ? await readCounted(store, found) : []
  if (!user) return { user: null, code: null, link, alive: [], counts }
  const code = await store.find(byId(codes, user.email))
  return { user, code, link, alive: (await store.list(livingSessions(user.id))).records, counts }
}

/** The changes that use a link up; null where it is not good. */
const usedLink = (
  ports: Pick<PaymentsPorts, 'digest'>,
  { user, code, link }: Facts,
  now: Instant,
): readonly Change[] | null => {
  if (!user || user.removedAt !== null || !link || link.expiresAt <= now) return null
  const used = remove(passwordLinks, link.id, always)
  // A link that was mailed by itself sets the first password, and no other.
  if (link.codeId === null) return user.passwordHash === null ? [used] : null
  const usedCode = useCode(ports, code, { codeId: link.codeId }, user)
  return usedCode && [used, usedCode]
}

/** The same for a code that was found right. */
const usedCode = (
  ports: Pick<PaymentsPorts, 'digest'>,
  { user, code, counts }: Facts,
  found: RightCode,
  now: Instant,
): readonly Change[] | null => {
  const used = user && user.removedAt === null ? useCode(ports, code, found, user) : null
  return used && [used, ...uncountRight(found, counts, now)]
}

const decideReset = (
  ports: Pick<PaymentsPorts, 'cipher' | 'digest'>,
  facts: Facts,
  found: RightCode | null,
  wanted: Replacement,
  fresh: Fresh,
) => {
  const used = found ? usedCode(ports, facts, found, fresh.steady) : usedLink(ports, facts, fresh.steady)
  if (!used || !facts.user) return left(WRONG)
  const replaced = replacedPassword(ports, facts.user, facts.alive, wanted, fresh)
  return accept(right(null), ...used, ...replaced)
}
