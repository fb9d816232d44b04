/**
 * Passkeys (WebAuthn), for a process that embeds a core: `nodePorts(setup, { passkeys: passkeyVerifier({ publicUrl })
 * })`. Needs `@simplewebauthn/server`.
 */
export type {
  NewPasskeyFacts,
  PasskeyAssertion,
  PasskeyCeremony,
  PasskeyFacts,
  PasskeyRegistration,
  PasskeySite,
  PasskeyVerifier,
} from '../../core/ports/passkeys.ts'
export { type PasskeyOptions, passkeyVerifier, WrongPasskeySite } from './passkey-verifier.ts'
