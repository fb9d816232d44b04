import { sweepOf } from '../../../kernel/running/sweep.ts'
import { onlyInPerson } from '../../actor.ts'
import type { PaymentsModule } from '../../payments-module.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { codes as collection } from './code.ts'
import { codeTryCounts } from './code-tries.ts'
import { forgotByLink } from './forgot-by-link.ts'
import { passwordLinks } from './password-link.ts'
import { resetByToken } from './reset-by-token.ts'
import { resetPassword } from './reset-password.ts'
import { forgotPassword, sendVerificationCode } from './send-code.ts'
import { checkCodeTries } from './try-code.ts'
import { verifyEmail } from './verify-email.ts'

/** Codes and links that are mailed: e-mails are verified and passwords recovered by them. */
export const codes = {
  collections: [collection, codeTryCounts, passwordLinks],
  sweeps: [sweepOf(collection), sweepOf(codeTryCounts), sweepOf(passwordLinks)],
  useCases: (ports: PaymentsPorts) => ({
    /** Whether an address may try codes at all now. */
    checkTries: checkCodeTries(ports),
    /** Mails a person the code that verifies their e-mail. */
    sendVerification: onlyInPerson(sendVerificationCode(ports)),
    /** Verifies an e-mail by the code that was mailed to it. */
    verifyEmail: verifyEmail(ports),
    /** Mails a code by which a password is set anew. */
    forgotPassword: forgotPassword(ports),
    /** Sets a password anew by a mailed code. */
    resetPassword: resetPassword(ports),
    /** Mails a link by which a password is set anew. */
    forgotPasswordByLink: forgotByLink(ports),
    /** Sets a password anew by the token of a mailed link. */
    resetPasswordByToken: resetByToken(ports),
  }),
} satisfies PaymentsModule
