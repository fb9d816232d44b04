import { invalid, isLeft, issue, left, right } from '../../failure.ts'
import { type InputOf, input, nullIfAbsent } from '../../kernel/input/mod.ts'
import { eq, patch } from '../../kernel/records/record.ts'
import { serialByName } from '../../kernel/running/concurrency.ts'
import { accept, countingUseCase, useCase, useCaseOf, withValidInput } from '../../kernel/running/use-case.ts'
import { byId } from '../../ports/store.ts'
import { auditUser, mailUser, userFields, users } from '../members/user.ts'
import type { AuditActor } from '../office.ts'
import type { PaymentsPorts, Person } from '../payments-ports.ts'
import {
  decideSend,
  readRightCode,
  readSendFacts,
  tryFlowCode,
  typedCodeFields,
  UNKNOWN_EMAIL,
  useRightCode,
  WRONG_CODE,
} from './code.ts'
import { verifiedMail } from './code-mail.ts'

/** A request for a verification code; the e-mail is optional and must be the caller's. */
const verificationRequest = input('VerificationRequest', { email: nullIfAbsent(userFields.email) })
export type VerificationRequest = InputOf<typeof verificationRequest>

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

const FOREIGN_EMAIL = invalid([issue('email', 'email.other')])

const emailVerification = input('EmailVerification', typedCodeFields)
export type EmailVerification = InputOf<typeof emailVerification>

/** Marks an e-mail, of a signed-in caller only their own, as verified by a mailed code, and mails a confirmation. */
export const verifyEmail = (ports: PaymentsPorts) => {
  // Tries at one code run in sequence: their counts would conflict.
  const inSequence = serialByName()
  return (submitted: EmailVerification, by: AuditActor = { userId: null }) =>
    withValidInput(ports, emailVerification, submitted, ({ email, code: typed }) =>
      useCaseOf<null>()((hooks) =>
        inSequence(email, async () => {
          const tried = { email, typed, origin: by.origin, wrong: WRONG_CODE }
          const found = await tryFlowCode(ports, 'verify', tried, (user) => {
            if (by.userId !== null && user?.id !== by.userId) return FOREIGN_EMAIL
            return user ? null : UNKNOWN_EMAIL
          })
          if (isLeft(found)) return found
          return countingUseCase(
            ports,
            (store) => readRightCode(store, email, found.right),
            (facts, fresh) => {
              const { user } = facts
              const used = useRightCode(ports, facts, found.right, fresh.steady)
              if (!user || !used) return left(WRONG_CODE)
              const set = { emailVerifiedAt: fresh.now, updatedAt: fresh.now }
              return accept(
                right(null),
                ...used,
                patch(users, user.id, { set, when: eq('email', user.email) }),
                mailUser(ports.cipher, fresh, user, verifiedMail(user.name)),
                ...auditUser(fresh, by, user.id, 'email.verified'),
              )
            },
          )(hooks)
        }),
      ),
    )
}
