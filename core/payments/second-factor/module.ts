import { sweepOf } from '../../kernel/running/jobs.ts'
import { challenges } from '../challenges/challenge.ts'
import { factors } from '../challenges/factor.ts'
import { trustedDevices } from '../challenges/trusted-device.ts'
import { type PaymentsModule, type PaymentsPorts, withoutApiKeyToken, withRecentPassword } from '../payments-ports.ts'
import { completeLogInByCode, proveByCode } from './code-proof.ts'
import { changePolicy, readPolicy } from './policy.ts'
import { resetByOperator, resetMember } from './reset.ts'
import { challengeSelf } from './second-step.ts'
import { confirmSetUp, readFactor, removeFactor, replaceRecoveryCodes, startSetUp } from './set-up.ts'
import { listTrustedDevices, removeTrustedDevice } from './trusted-devices.ts'

/** The second factor of a person: an authenticator app with recovery codes. */
export const secondFactor = {
  collections: [factors, challenges, trustedDevices],
  sweeps: [sweepOf(challenges), sweepOf(trustedDevices)],
  useCases: (ports: PaymentsPorts) => ({
    /**
     * Reads the caller's second factor, without its secrets.
     * Fails: `permission.lacking` (the token was issued for an API key), `token.invalid`.
     */
    read: withoutApiKeyToken(readFactor(ports)),
    /**
     * Starts the set-up of an authenticator app: verifies the password, and returns a secret with its `otpauth://` URI
     * and QR code, once. The secret takes effect by `confirm` within ten minutes. Fails: `permission.lacking` (the
     * token was issued for an API key), `fields`, `token.invalid`, `password.wrong`, `second-factor.set` (an app is in
     * use: remove it first), `login.throttled`, `server.busy`.
     */
    start: withoutApiKeyToken(startSetUp(ports)),
    /**
     * Takes the app into use by its first code, and returns ten recovery codes, once. Every other session of the caller
     * ends; this one continues as one that proved the factor.
     * Fails: `permission.lacking` (the token was issued for an API key), `fields`, `token.invalid`,
     * `second-factor.no-set-up` (none was started, or it expired), `second-factor.wrong`, `second-factor.locked`.
     */
    confirm: withoutApiKeyToken(confirmSetUp(ports)),
    /**
     * Takes the app and the recovery codes out of use, by the password and a code. Every other session of the caller
     * ends, and no device is trusted any longer. Fails: `permission.lacking` (the token was issued for an API key),
     * `fields`, `token.invalid`, `password.wrong`, `second-factor.off`, `second-factor.wrong`, `second-factor.locked`,
     * `login.throttled`, `server.busy`.
     */
    remove: withoutApiKeyToken(removeFactor(ports)),
    /**
     * Removes every proof of a member who lost them: the app, the passkeys and the recovery codes. Every session of the
     * member ends, trusted devices are void, and the member is notified by mail. Attach a proved challenge of the actor
     * as `confirmation`. Fails: `user.unknown` (not a member of the account), `second-factor.own` (use `remove`),
     * `user.shared` (the member belongs to another account too), `second-factor.off` (the member has none),
     * `second-factor.required`.
     */
    resetMember: resetMember(ports),
    /**
     * Removes every proof of a person, as `resetMember` does, for the operator of the server: the last ADMIN of an
     * account has no other way to sign in again. Check by other means that the person requested it. Fails: `fields`,
     * `user.unknown`, `second-factor.off`.
     */
    reset: resetByOperator(ports),
    /**
     * Replaces the recovery codes, by a code of the app or one of them, and returns ten new ones, once. Fails:
     * `permission.lacking` (the token was issued for an API key), `fields`, `token.invalid`, `second-factor.off`,
     * `second-factor.wrong`, `second-factor.locked`.
     */
    replaceRecoveryCodes: withoutApiKeyToken(replaceRecoveryCodes(ports)),
    /**
     * Completes a log-in by a code of the app or a recovery code: opens the session for which the password alone gave a
     * challenge. With `trustDevice`, returns a token by which later log-ins with the password need no second step for
     * 30 days (`deviceToken`), until the password or the factor changes. Fails: `fields`, `challenge.ended`,
     * `second-factor.wrong`, `second-factor.locked`.
     */
    completeLogIn: completeLogInByCode(ports),
    /**
     * Opens a challenge of the caller, which `prove` answers within five minutes. Its id, as `confirmation` of an
     * actor, then confirms one action: a withdrawal, a transfer, a first split to an account, a change of the caller's
     * passkeys, a reset of a member's factor, or a change of an account's team or policy, or its removal. Fails:
     * `permission.lacking` (the token was issued for an API key), `token.invalid`, `second-factor.off`.
     */
    challenge: withoutApiKeyToken(challengeSelf(ports)),
    /**
     * Answers a challenge of the caller by a code of the app or a recovery code.
     * Fails: `permission.lacking` (the token was issued for an API key), `fields`, `challenge.ended`,
     * `second-factor.wrong`, `second-factor.locked`.
     */
    prove: withoutApiKeyToken(proveByCode(ports)),
    /**
     * Lists the caller's trusted devices, newest first.
     * Fails: `permission.lacking` (the token was issued for an API key).
     */
    listDevices: withoutApiKeyToken(listTrustedDevices(ports)),
    /**
     * Removes a trusted device of the caller: its next log-in needs the second step.
     * Fails: `permission.lacking` (the token was issued for an API key), `trusted-device.unknown`.
     */
    removeDevice: withoutApiKeyToken(removeTrustedDevice(ports)),
    /** Reads the second-factor policy of an account. Fails: `account.unknown`. */
    readPolicy: readPolicy(ports),
    /**
     * Changes the second-factor policy of an account: whether every member needs one, and the values from which
     * withdrawals and transfers need a confirmation. A weaker policy requires a proved challenge of the actor as
     * `confirmation`.
     * Fails: `fields`, `account.unknown`, `password.stale`, `second-factor.required`.
     */
    changePolicy: withRecentPassword(ports)(changePolicy(ports)),
  }),
} satisfies PaymentsModule
