import { sweepOf } from '../../../kernel/running/jobs.ts'
import { onlyInPerson } from '../../actor.ts'
import type { PaymentsModule, PaymentsPorts } from '../../payments-ports.ts'
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
    /**
     * Whether codes may be typed in from an address now: 100 wrong ones within an hour (3,600 seconds) stop it.
     * Fails: `code.throttled`.
     * Source: decisions.md §1, Sessions and codes.
     */
    checkTries: checkCodeTries(ports),
    /**
     * Mails a person a code of six digits that verifies their e-mail for an hour (3,600 seconds).
     * Fails: `permission.lacking` (the token was given for an API key), `fields` (`email.other`), `code.soon` (within
     * 120 seconds of the last one).
     * Source: 01-access.md, POST /v1/auth/send-verification-code.
     */
    sendVerification: onlyInPerson(sendVerificationCode(ports)),
    /**
     * Verifies an e-mail by the code that was mailed to it.
     * Fails: `fields` (`email.unknown`, `email.other`), `code.invalid`, `code.throttled`.
     * Source: 01-access.md, POST /v1/auth/verify-email; decisions.md §1, Sessions and codes.
     */
    verifyEmail: verifyEmail(ports),
    /**
     * Mails a code by which a password is set anew.
     * Fails: `fields` (`email.unknown`), `code.soon` (within 120 seconds of the last one).
     * Source: 01-access.md, POST /v1/auth/forgot-password.
     */
    forgotPassword: forgotPassword(ports),
    /**
     * Sets a password anew by a mailed code, and ends every session of its user.
     * Fails: `fields` (`email.unknown`), `code.invalid`, `code.throttled`, `server.busy`.
     * Source: 01-access.md, POST /v1/auth/reset-password.
     */
    resetPassword: resetPassword(ports),
    /**
     * Mails a code by which a password is set anew, and a link to where the caller wants it, if that is a host of ours.
     * Fails: `fields` (`email.unknown`, `document.other`), `code.soon` (within 120 seconds of the last one).
     * Source: 01-access.md, POST /access/auth/forgot; decisions.md §12, Codes.
     */
    forgotPasswordByLink: forgotByLink(ports),
    /**
     * Sets a password anew by the token of a mailed link, or by the code that came with it, and ends every session of
     * its user.
     * Fails: `fields`, `code.invalid`, `code.throttled`, `server.busy`.
     * Source: 01-access.md, POST /access/auth/reset; decisions.md §1, §12 and §13.
     */
    resetPasswordByToken: resetByToken(ports),
  }),
} satisfies PaymentsModule
