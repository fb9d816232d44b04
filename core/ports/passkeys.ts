/** The site of passkeys, which browsers call the relying party. A passkey works at this site only. */
export interface PasskeySite {
  /** The domain of the site: `pay.example.com`. If it changes, no stored passkey works any more. */
  readonly id: string
  /** The name that browsers show. */
  readonly name: string
}

/** The result of `navigator.credentials.create`: a new passkey. Binary values are in base64url. */
export interface PasskeyRegistration {
  readonly id: string
  readonly clientDataJson: string
  readonly attestationObject: string
}

/** The result of `navigator.credentials.get`: a challenge that a passkey signed. Binary values are in base64url. */
export interface PasskeyAssertion {
  readonly id: string
  readonly clientDataJson: string
  readonly authenticatorData: string
  readonly signature: string
}

/** The conditions of a ceremony, which the server chose when it began. */
export interface PasskeyCeremony {
  /** Random bytes in base64url. */
  readonly challenge: string
  /** Requires that the device verified the person, by PIN, fingerprint or face. */
  readonly requiresVerification: boolean
}

/** The facts that the authenticator signed. */
export interface PasskeyFacts {
  /** The number of signatures; always 0 of an authenticator that does not count. */
  readonly counter: number
  /** True if the device verified the person, by PIN, fingerprint or face. */
  readonly isVerified: boolean
  /** True if the passkey is copied to other devices, such as by a password manager. */
  readonly isBackedUp: boolean
}

/** The reach of a passkey: one device, or all devices of a person that share a password manager. */
export const PASSKEY_DEVICES = ['single', 'multiple'] as const

export interface NewPasskeyFacts extends PasskeyFacts {
  readonly device: (typeof PASSKEY_DEVICES)[number]
  /** The public key in COSE, in base64url. */
  readonly publicKey: string
}

/**
 * Verifies passkeys (WebAuthn Level 3) of one site. It requires the presence of the person, and accepts the origins of
 * the site only. It does not compare counters: the core does, in the commit that uses an assertion. No member throws
 * for wrong input, and none sends requests.
 */
export interface PasskeyVerifier {
  readonly site: PasskeySite
  /** The accepted algorithms of COSE, the preferred one first. */
  readonly algorithms: readonly number[]
  /** Returns the facts of a new passkey; null if the registration is not valid. Attestations are not evaluated. */
  verifyRegistration(registration: PasskeyRegistration, ceremony: PasskeyCeremony): Promise<NewPasskeyFacts | null>
  /** Returns the facts of an assertion; null if it is not valid under the public key. */
  verifyAssertion(
    assertion: PasskeyAssertion,
    ceremony: PasskeyCeremony & { readonly publicKey: string },
  ): Promise<PasskeyFacts | null>
}
