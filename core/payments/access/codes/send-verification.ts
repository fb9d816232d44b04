import { left } from '../../../fp.ts'
import { nullIfAbsent } from '../../../kernel/input/field.ts'
import { type InputOf, input } from '../../../kernel/input/input.ts'
import { useCase, withValidInput } from '../../../kernel/running/use-case.ts'
import { byId } from '../../../ports/store.ts'
import type { Person } from '../../actor.ts'
import { userFields, users } from '../../members/user.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { decideSend, NOT_THEIRS, withCode } from './send-code.ts'

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
