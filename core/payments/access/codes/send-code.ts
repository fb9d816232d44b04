import { invalid, issue, throttled } from '../../../failure.ts'
import { left } from '../../../fp.ts'
import { nullIfAbsent } from '../../../kernel/input/field.ts'
import { type InputOf, input } from '../../../kernel/input/input.ts'
import { pick } from '../../../kernel/input/table.ts'
import type { Fresh } from '../../../kernel/running/fresh.ts'
import { accept, useCase, withValidInput } from '../../../kernel/running/use-case.ts'
import { byId, type Store } from '../../../ports/store.ts'
import type { Person } from '../../actor.ts'
import { findUserByEmail, type User, users } from '../../members/user.ts'
import { userFields } from '../../members/user-fields.ts'
import { queueMail } from '../../office/mails.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { type Code, type CodeFlow, codes, flowTriesId, newCode, secondsToNextCode } from './code.ts'
import { recoveryMail, verificationMail } from './code-mail.ts'
import { type CodeTries, codeTryCounts } from './code-tries.ts'

export interface CodeSendFacts {
  readonly user: User | null
  readonly code: Code | null
  /** Wrong tries at the codes of the flow so far. */
  readonly tries: CodeTries | null
}

/** Who forgot their password. */
export const forgottenPassword = input('ForgottenPassword', pick(userFields, 'email'))

export type ForgottenPassword = InputOf<typeof forgottenPassword>

/** Of whom the e-mail is to be verified, where the caller says so: it must be their own. */
export const verificationRequest = input('VerificationRequest', { email: nullIfAbsent(userFields.email) })

export type VerificationRequest = InputOf<typeof verificationRequest>

/**
 * Mails the caller a code that confirms their e-mail, which they may name.
 * Fails: `fields` (`email`: it is not theirs), `code.soon` within two minutes of the last one. Source: 01-access.md, POST /v1/auth/send-verification-code.
 */
export const sendVerificationCode =
  (ports: PaymentsPorts) =>
  ({ userId }: Pick<Person, 'userId'>, given: VerificationRequest = {}) =>
    withValidInput(ports, verificationRequest, given, ({ email }) =>
      useCase(
        ports,
        async (store) => withCode(store, 'verify', await store.find(byId(users, userId))),
        (facts, fresh) =>
          email !== null && facts.user?.email !== email ? left(NOT_THEIRS) : decideSend(ports, facts, 'verify', fresh),
      ),
    )

/**
 * Mails a code that sets a new password.
 * Fails: `fields` (`email`: nobody has it), `code.soon`. Source: 01-access.md, POST /v1/auth/forgot-password.
 */
export const forgotPassword = (ports: PaymentsPorts) => (given: ForgottenPassword) =>
  withValidInput(ports, forgottenPassword, given, ({ email }) =>
    useCase(
      ports,
      async (store) => withCode(store, 'recovery', await findUserByEmail(store, email)),
      (facts, fresh) => decideSend(ports, facts, 'recovery', fresh),
    ),
  )

const withCode = async (store: Store, flow: CodeFlow, user: User | null): Promise<CodeSendFacts> =>
  user ? { user, ...(await readCodeFor(store, flow, user.email)) } : { user, code: null, tries: null }

/** What a new code for an e-mail takes the place of, and what it is to be like. */
export const readCodeFor = (store: Store, flow: CodeFlow, email: string): Promise<Omit<CodeSendFacts, 'user'>> =>
  store.read({ code: byId(codes, email), tries: byId(codeTryCounts, flowTriesId(flow, email)) })

/** A new code and its mail, unless one was asked for a moment ago: then that one stays good. */
export const decideSend = (
  ports: Pick<PaymentsPorts, 'cipher' | 'digest'>,
  { user, code, tries }: CodeSendFacts,
  flow: CodeFlow,
  fresh: Fresh,
) => {
  if (!user) return left(UNKNOWN_EMAIL)
  const retryAfterSeconds = secondsToNextCode(code, flow, fresh.steady)
  if (retryAfterSeconds > 0) return left(throttled('code.soon', retryAfterSeconds))
  const { typed, change } = newCode(ports, fresh, code, { user, flow, tries }, true)
  const mail = flow === 'verify' ? verificationMail(user.name, typed) : recoveryMail(user.name, typed)
  return accept(null, change, queueMail(ports.cipher, fresh, { to: user.email, ...mail }))
}

/** An e-mail that is not the caller's. */
export const NOT_THEIRS = invalid([issue('email', 'email.other')])

/** The field must name somebody: the specification says so aloud. */
export const UNKNOWN_EMAIL = invalid([issue('email', 'email.unknown')])
