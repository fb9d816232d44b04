import { invalid } from '../../../failure.ts'
import { isLeft, left, right } from '../../../fp.ts'
import { type DecodedOf, type InputOf, input } from '../../../kernel/input/input.ts'
import { patch } from '../../../kernel/records/change.ts'
import { eq } from '../../../kernel/records/where.ts'
import { serialByName } from '../../../kernel/running/concurrency.ts'
import type { Fresh } from '../../../kernel/running/fresh.ts'
import { accept, countingUseCase, useCaseOf, withValidInput } from '../../../kernel/running/use-case.ts'
import type { Store } from '../../../ports/store.ts'
import { users } from '../../members/user.ts'
import { type By, queueMail, recordAudit } from '../../office.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { flowTriesId, mailedCode, useCode } from './code.ts'
import { DIGITS } from './code-format.ts'
import { verifiedMail } from './code-mail.ts'
import type { CodeTries } from './code-tries.ts'
import { NOT_THEIRS, UNKNOWN_EMAIL } from './send-code.ts'
import { type RightCode, readCounted, tryCode, uncountRight } from './try-code.ts'
import { type CodeFacts, readCode, typedCodeFields, wrongCode } from './typed-code-fields.ts'

export const emailVerification = input('EmailVerification', typedCodeFields)

export type EmailVerification = InputOf<typeof emailVerification>

type TypedCode = DecodedOf<typeof emailVerification>

interface Facts extends CodeFacts {
  readonly counts: readonly (CodeTries | null)[]
}

/**
 * Marks an e-mail as verified by the code that was mailed to it, and writes back.
 * Fails: `fields` (`email`: nobody has it, or not the caller where one is told), `code.invalid`, `code.throttled`.
 * Source: 01-access.md, POST /v1/auth/verify-email.
 */
export const verifyEmail = (ports: PaymentsPorts) => {
  // Tries at one code wait for each other: their counts would contend.
  const line = serialByName()
  return (given: EmailVerification, by: By = SIGNED_OUT) =>
    withValidInput(ports, emailVerification, given, (typed) =>
      useCaseOf<null>()((hooks) =>
        line(typed.email, async () => {
          const found = await tryCode(ports, (store) => findCode(ports, store, typed, by), {
            subject: flowTriesId('verify', typed.email),
            typed: typed.code,
            short: DIGITS,
            origin: by.origin,
            wrong: wrongCode(),
          })
          if (isLeft(found)) return found
          return countingUseCase(
            ports,
            async (store) => ({
              ...(await readCode(store, typed.email)),
              counts: await readCounted(store, found.right),
            }),
            (facts, fresh) => decideVerify(ports, facts, found.right, by, fresh),
          )(hooks)
        }),
      ),
    )
}

const SIGNED_OUT: By = { userId: null }

const findCode = async (ports: PaymentsPorts, store: Store, { email }: TypedCode, by: By) => {
  const { user, code } = await readCode(store, email)
  if (by.userId !== null && user?.id !== by.userId) return left(NOT_THEIRS)
  return user ? right(mailedCode(ports, code, 'verify', user)) : left(UNKNOWN_EMAIL)
}

export const decideVerify = (
  ports: Pick<PaymentsPorts, 'cipher' | 'digest'>,
  { user, code, counts }: Facts,
  found: RightCode,
  by: By,
  fresh: Fresh,
) => {
  const used = useCode(ports, code, found, user)
  if (!user || !used) return left(wrongCode())
  const set = { emailVerifiedAt: fresh.now, updatedAt: fresh.now }
  return accept(
    right(null),
    used,
    ...uncountRight(found, counts, fresh.steady),
    patch(users, user.id, { set, when: eq('email', user.email) }),
    queueMail(ports.cipher, fresh, { to: user.email, ...verifiedMail(user.name) }),
    ...recordAudit(fresh, by, { chain: `user:${user.id}`, action: 'email.verified', subject: `user:${user.id}` }),
  )
}
