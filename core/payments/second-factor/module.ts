import { sweepOf } from '../../kernel/running/jobs.ts'
import { challenges } from '../challenges/challenge.ts'
import { factors } from '../challenges/factor.ts'
import { trustedDevices } from '../challenges/trusted-device.ts'
import { type PaymentsModule, type PaymentsPorts, withoutApiKeyToken } from '../payments-ports.ts'
import { completeLogInByCode, proveByCode } from './code-proof.ts'

/** The second factor of a person: an authenticator app with recovery codes. */
export const secondFactor = {
  collections: [factors, challenges, trustedDevices],
  sweeps: [sweepOf(challenges), sweepOf(trustedDevices)],
  useCases: (ports: PaymentsPorts) => ({
    /**
     * Completes a log-in by a code of the app or a recovery code: opens the session for which the password alone gave a
     * challenge. With `trustDevice`, returns a token by which later log-ins with the password need no second step for 30
     * days (`deviceToken`), until the password or the factor changes.
     * Fails: `fields`, `challenge.ended`, `second-factor.wrong`, `second-factor.locked`.
     */
    completeLogIn: completeLogInByCode(ports),
    /**
     * Answers a challenge of the caller by a code of the app or a recovery code, for one withdrawal.
     * Fails: `permission.lacking` (the token was issued for an API key), `fields`, `challenge.ended`,
     * `second-factor.wrong`, `second-factor.locked`.
     */
    prove: withoutApiKeyToken(proveByCode(ports)),
  }),
} satisfies PaymentsModule
