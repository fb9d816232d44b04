import { isIP } from 'node:net'
import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server'
import { decodeAttestationObject, isoBase64URL } from '@simplewebauthn/server/helpers'
import { parseUrl } from '../../core/kernel/values/text.ts'
import type {
  NewPasskeyFacts,
  PasskeyAssertion,
  PasskeyCeremony,
  PasskeyFacts,
  PasskeyRegistration,
  PasskeyVerifier,
} from '../../core/ports/passkeys.ts'

export interface PasskeyOptions {
  /** The address at which people open the site. Its host is the domain of the passkeys. */
  readonly publicUrl: string
  /** The name that browsers show; `Portico` by default. */
  readonly name?: string
  /** The domain of the passkeys, if it is a parent of the host: `example.com` for `pay.example.com`. */
  readonly id?: string
  /** The origins of all pages that use passkeys, if there are others: `https://app.example.com`. */
  readonly origins?: readonly string[]
}

/** Browsers offer no passkeys at this address. */
export class WrongPasskeySite extends Error {
  override readonly name = 'WrongPasskeySite'
}

/** Ed25519, ES256 and RS256: the algorithms of COSE that every supported runtime verifies. */
const ALGORITHMS = [-8, -7, -257]

/**
 * Creates a verifier of passkeys. Throws `WrongPasskeySite` for an address at which no browser offers passkeys: without
 * TLS, except on `localhost`, or with an IP address for a host; and for a domain that is no parent of the host.
 */
export const passkeyVerifier = ({
  publicUrl,
  name = 'Portico',
  id = hostOf(publicUrl),
  origins = [],
}: PasskeyOptions): PasskeyVerifier => {
  const url = siteAt(publicUrl, id)
  const expected = ({ challenge, requiresVerification }: PasskeyCeremony) => ({
    expectedChallenge: challenge,
    expectedOrigin: [...new Set([url.origin, ...origins])],
    expectedRPID: id,
    requireUserVerification: requiresVerification,
  })
  return {
    site: { id, name },
    algorithms: ALGORITHMS,
    verifyRegistration: (registration, ceremony) => nullIfThrown(() => newPasskey(registration, expected(ceremony))),
    verifyAssertion: (assertion, ceremony) =>
      nullIfThrown(() => asserted(assertion, ceremony.publicKey, expected(ceremony))),
  }
}

const hostOf = (publicUrl: string): string => parseUrl(publicUrl)?.hostname ?? ''

const siteAt = (publicUrl: string, id: string): URL => {
  const url = parseUrl(publicUrl)
  const host = hostOf(publicUrl)
  const isSecure = url?.protocol === 'https:' || (url?.protocol === 'http:' && host === 'localhost')
  const isDomain = host !== '' && !host.startsWith('[') && isIP(host) === 0
  if (!url || !isSecure || !isDomain)
    throw new WrongPasskeySite(`got ${publicUrl}, accepts https:// with a domain, or http://localhost`)
  if (host !== id && !host.endsWith(`.${id}`))
    throw new WrongPasskeySite(`got the domain ${id}, accepts ${host} or a parent of it`)
  return url
}

/** The library throws for every fault of a response, and its messages contain parts of the response. */
const nullIfThrown = async <A>(verify: () => Promise<A | null>): Promise<A | null> => {
  try {
    return await verify()
  } catch {
    return null
  }
}

interface Expected {
  readonly expectedChallenge: string
  readonly expectedOrigin: string[]
  readonly expectedRPID: string
  readonly requireUserVerification: boolean
}

const TYPE = { type: 'public-key', clientExtensionResults: {} } as const

const newPasskey = async (
  { id, clientDataJson: clientDataJSON, attestationObject }: PasskeyRegistration,
  expected: Expected,
): Promise<NewPasskeyFacts | null> => {
  // The lists of revoked certificates would be fetched from addresses in a statement. No certificate was requested.
  const statement = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject)).get('attStmt')
  if (statement.size > 0 && statement.get('x5c') !== undefined) return null
  const { verified, registrationInfo: found } = await verifyRegistrationResponse({
    ...expected,
    supportedAlgorithmIDs: ALGORITHMS,
    response: { ...TYPE, id, rawId: id, response: { clientDataJSON, attestationObject } },
  })
  if (!verified || found.credential.id !== id) return null
  return {
    publicKey: isoBase64URL.fromBuffer(found.credential.publicKey),
    device: found.credentialDeviceType === 'singleDevice' ? 'single' : 'multiple',
    counter: found.credential.counter,
    isVerified: found.userVerified,
    isBackedUp: found.credentialBackedUp,
  }
}

const asserted = async (
  { id, clientDataJson: clientDataJSON, authenticatorData, signature }: PasskeyAssertion,
  publicKey: string,
  expected: Expected,
): Promise<PasskeyFacts | null> => {
  const { verified, authenticationInfo: found } = await verifyAuthenticationResponse({
    ...expected,
    response: { ...TYPE, id, rawId: id, response: { clientDataJSON, authenticatorData, signature } },
    // With a stored counter of 0 the library accepts every counter.
    credential: { id, publicKey: isoBase64URL.toBuffer(publicKey), counter: 0 },
  })
  if (!verified) return null
  return { counter: found.newCounter, isVerified: found.userVerified, isBackedUp: found.credentialBackedUp }
}
