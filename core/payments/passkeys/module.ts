import { sweepOf } from '../../kernel/running/jobs.ts'
import { listPasskeys, passkeys as passkeyCollection, renamePasskey } from '../challenges/passkey.ts'
import {
  type PaymentsModule,
  type PaymentsPorts,
  withConfirmedPassword,
  withoutApiKeyToken,
} from '../payments-ports.ts'
import { beginPasskeyLogIn, beginProof, completeByPasskey, logInByPasskey, proveByPasskey } from './assertion.ts'
import { ceremonies } from './ceremony.ts'
import { beginRegistration, registerPasskey, removePasskey } from './registration.ts'

/**
 * Passkeys of people (WebAuthn). Each ceremony has two calls: one returns the options of the browser's function, the
 * other verifies its result within five minutes (300 seconds), once. Without a verifier among the ports all but `list`,
 * `rename` and `remove` fail with `passkeys.off`.
 */
export const passkeys = {
  collections: [passkeyCollection, ceremonies],
  sweeps: [sweepOf(ceremonies)],
  useCases: (ports: PaymentsPorts) => ({
    /**
     * Begins the registration of a passkey of the caller, at most 20. The session needs a password of the last ten
     * minutes (600 seconds) by `confirmPassword`, as a guarded one does. Fails: `permission.lacking` (the token was
     * issued for an API key), `password.stale`, `passkeys.off`, `passkey.limit`, `token.invalid`.
     */
    beginRegistration: withoutApiKeyToken(withConfirmedPassword(ports)(beginRegistration(ports))),
    /**
     * Registers a passkey of the caller. The first proof puts the second factor in use: it makes the caller's other
     * sessions invalid and returns ten recovery codes, once. A caller with a factor attaches a proved challenge as
     * `confirmation`. Fails: `permission.lacking` (the token was issued for an API key), `password.stale`, `fields`,
     * `passkeys.off`, `passkey.expired` (the ceremony is unknown, used or over), `passkey.invalid`, `passkey.taken`,
     * `passkey.limit`, `second-factor.required`, `token.invalid`.
     */
    register: withoutApiKeyToken(withConfirmedPassword(ports)(registerPasskey(ports))),
    /** Lists the caller's passkeys, newest first. Fails: `permission.lacking` (the token was issued for an API key). */
    list: withoutApiKeyToken(listPasskeys(ports)),
    /**
     * Changes the name of a passkey of the caller. Fails: `permission.lacking` (the token was issued for an API key),
     * `fields`, `passkey.unknown` (also for a passkey of another person).
     */
    rename: withoutApiKeyToken(renamePasskey(ports)),
    /**
     * Removes a passkey of the caller, who attaches a proved challenge as `confirmation`. With the last proof besides
     * recovery codes, the caller has no second factor any more, and their other sessions end.
     * Fails: `permission.lacking` (the token was issued for an API key), `password.stale`, `passkey.unknown` (also
     * for a passkey of another person), `second-factor.required`, `token.invalid`.
     */
    remove: withoutApiKeyToken(withConfirmedPassword(ports)(removePasskey(ports))),
    /**
     * Begins the proof of a challenge by a passkey of its person.
     * Fails: `fields`, `passkeys.off`, `challenge.ended`, `second-factor.locked`, `passkey.none`.
     */
    beginProof: beginProof(ports),
    /**
     * Completes a log-in by a passkey: opens the session for which the password alone gave a challenge. Wrong responses
     * count as wrong codes do. With `trustDevice`, returns a token by which later log-ins with the password need no
     * second step for 30 days. Fails: `fields`, `passkeys.off`, `challenge.ended`, `second-factor.wrong`,
     * `second-factor.locked`.
     */
    completeLogIn: completeByPasskey(ports),
    /**
     * Answers a challenge of the caller by a passkey.
     * Fails: `permission.lacking` (the token was issued for an API key), `fields`, `passkeys.off`, `challenge.ended`,
     * `second-factor.wrong`, `second-factor.locked`.
     */
    prove: withoutApiKeyToken(proveByPasskey(ports)),
    /** Begins a log-in by a passkey alone. Fails: `passkeys.off`. */
    beginLogIn: beginPasskeyLogIn(ports),
    /**
     * Signs a user in by a passkey alone, for an hour (3,600 seconds). The device must have verified the person, so
     * that no second step follows. Fails: `fields`, `passkeys.off`, `passkey.wrong`, `second-factor.locked`.
     */
    logIn: logInByPasskey(ports),
  }),
} satisfies PaymentsModule
