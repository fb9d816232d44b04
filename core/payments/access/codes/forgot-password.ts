import { type InputOf, input } from '../../../kernel/input/input.ts'
import { pick } from '../../../kernel/input/table.ts'
import { useCase, withValidInput } from '../../../kernel/running/use-case.ts'
import { findUserByEmail, userFields } from '../../members/user.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { decideSend, withCode } from './send-code.ts'

/** Who forgot their password. */
export const forgottenPassword = input('ForgottenPassword', pick(userFields, 'email'))

export type ForgottenPassword = InputOf<typeof forgottenPassword>

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
