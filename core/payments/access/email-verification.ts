import { isLeft, left, right } from '../../failure.ts'
import { nullIfAbsent } from '../../kernel/input/field.ts'
import { type DecodedOf, type InputOf, input } from '../../kernel/input/input.ts'
import { eq, patch } from '../../kernel/records/record.ts'
import { serialByName } from '../../kernel/running/concurrency.ts'
import {
  accept,
  countingUseCase,
  type Fresh,
  useCase,
  useCaseOf,
  withValidInput,
} from '../../kernel/running/use-case.ts'
import { byId, type Store } from '../../ports/store.ts'
import { userFields, users } from '../members/user.ts'
import { type AuditActor, queueMail, recordAudit } from '../office.ts'
import type { PaymentsPorts, Person } from '../payments-ports.ts'
import {
  type CodeFacts,
  decideSend,
  FOREIGN_EMAIL,
  flowTriesId,
  mailedCode,
  readSendFacts,
  readUserAndCode,
  typedCodeFields,
  UNKNOWN_EMAIL,
  useCode,
  WRONG_CODE,
} from './code.ts'
import { DIGITS } from './code-format.ts'
import { verifiedMail } from './code-mail.ts'
import { type CodeTries, type RightCode, readCounted, tryCode, uncountRightCode } from './code-tries.ts'

/** A request for a verification code; the e-mail is optional and must be the caller's. */
export const verificationRequest = input('VerificationRequest', { email: nullIfAbsent(userFields.email) })

export type VerificationRequest = InputOf<typeof verificationRequest>

/**
 * Mails the caller a code that verifies their e-mail.
 * Fails: `fields` (`email.other` if the e-mail is not the caller's), `code.soon` within two minutes of the last
 * request.
 */
export const sendVerificationCode =
  (ports: PaymentsPorts) =>
  ({ userId }: Pick<Person, 'userId'>, request: VerificationRequest = {}) =>
    withValidInput(ports, verificationRequest, request, ({ email }) =>
      useCase(
        ports,
        async (store) => readSendFacts(store, 'verify', await store.find(byId(users, userId))),
        (facts, fresh) =>
          email !== null && facts.user?.email !== email
            ? left(FOREIGN_EMAIL)
            : decideSend(ports, facts, 'verify', fresh),
      ),
    )

export const emailVerification = input('EmailVerification', typedCodeFields)

export type EmailVerification = InputOf<typeof emailVerification>

type TypedCode = DecodedOf<typeof emailVerification>

interface Facts extends CodeFacts {
  readonly counts: readonly (CodeTries | null)[]
}

/**
 * Marks an e-mail as verified by a mailed code, and mails a confirmation.
 * Fails: `fields` (`email.unknown`; `email.other` if it is not the signed-in caller's), `code.invalid`,
 * `code.throttled`.
 */
export const verifyEmail = (ports: PaymentsPorts) => {
  // Tries at one code run in sequence: their counts would conflict.
  const inSequence = serialByName()
  return (submitted: EmailVerification, by: AuditActor = ANONYMOUS) =>
    withValidInput(ports, emailVerification, submitted, (typed) =>
      useCaseOf<null>()((hooks) =>
        inSequence(typed.email, async () => {
          const found = await tryCode(ports, (store) => findCode(ports, store, typed, by), {
            subject: flowTriesId('verify', typed.email),
            typed: typed.code,
            short: DIGITS,
            origin: by.origin,
            wrong: WRONG_CODE,
          })
          if (isLeft(found)) return found
          return countingUseCase(
            ports,
            async (store) => ({
              ...(await readUserAndCode(store, typed.email)),
              counts: await readCounted(store, found.right),
            }),
            (facts, fresh) => decideVerify(ports, facts, found.right, by, fresh),
          )(hooks)
        }),
      ),
    )
}

const ANONYMOUS: AuditActor = { userId: null }

const findCode = async (ports: PaymentsPorts, store: Store, { email }: TypedCode, by: AuditActor) => {
  const { user, code } = await readUserAndCode(store, email)
  if (by.userId !== null && user?.id !== by.userId) return left(FOREIGN_EMAIL)
  return user ? right(mailedCode(ports, code, 'verify', user)) : left(UNKNOWN_EMAIL)
}

const decideVerify = (
  ports: Pick<PaymentsPorts, 'cipher' | 'digest'>,
  { user, code, counts }: Facts,
  found: RightCode,
  by: AuditActor,
  fresh: Fresh,
) => {
  const used = useCode(ports, code, found, user)
  if (!user || !used) return left(WRONG_CODE)
  const set = { emailVerifiedAt: fresh.now, updatedAt: fresh.now }
  return accept(
    right(null),
    used,
    ...uncountRightCode(found, counts, fresh.steady),
    patch(users, user.id, { set, when: eq('email', user.email) }),
    queueMail(ports.cipher, fresh, { to: user.email, ...verifiedMail(user.name) }),
    ...recordAudit(fresh, by, { chain: `user:${user.id}`, action: 'email.verified', subject: `user:${user.id}` }),
  )
}
