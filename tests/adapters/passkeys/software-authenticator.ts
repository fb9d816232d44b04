import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

/** The options of a ceremony that an authenticator reads, as the server sends them. */
interface CeremonyOptions {
  readonly challenge: string
  readonly rp?: { readonly id: string }
  readonly rpId?: string
}

/** Deviations from a right response. */
interface Deviations {
  readonly origin?: string
  readonly rpId?: string
  readonly challenge?: string
  readonly type?: string
  readonly isPresent?: boolean
  readonly isVerified?: boolean
  readonly isBackedUp?: boolean
  readonly counter?: number
}

interface Key {
  readonly id: string
  readonly privateKey: KeyObject
  counter: number
}

const sha256 = (bytes: Uint8Array | string): Buffer => createHash('sha256').update(bytes).digest()
const cborText = (text: string): Buffer => Buffer.concat([Buffer.of(0x60 + text.length), Buffer.from(text)])
const cborBytes = (bytes: Uint8Array): Buffer =>
  Buffer.concat([Buffer.of(0x59, bytes.length >> 8, bytes.length & 0xff), bytes])

const coseOf = (publicKey: KeyObject): Buffer => {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const coordinate = (label: number, text: string) =>
    Buffer.concat([Buffer.of(label, 0x58, 0x20), Buffer.from(text, 'base64url')])
  return Buffer.concat([Buffer.of(0xa5, 1, 2, 3, 0x26, 0x20, 1), coordinate(0x21, x), coordinate(0x22, y)])
}

const flagsOf = ({ isPresent = true, isVerified = true, isBackedUp = false }: Deviations, hasKey: boolean): number =>
  (isPresent ? 1 : 0) | (isVerified ? 4 : 0) | (isBackedUp ? 24 : 0) | (hasKey ? 64 : 0)

/** An authenticator in memory that signs with real keys, and can be made to deviate. It counts its signatures. */
export const softwareAuthenticator = (origin: string) => {
  const keys: Key[] = []
  const clientData = (type: string, options: CeremonyOptions, over: Deviations): Buffer =>
    Buffer.from(
      JSON.stringify({
        type: over.type ?? type,
        challenge: over.challenge ?? options.challenge,
        origin: over.origin ?? origin,
        crossOrigin: false,
      }),
    )
  const authenticatorData = (
    options: CeremonyOptions,
    over: Deviations,
    key: Key,
    credential: Buffer | null,
  ): Buffer => {
    key.counter += 1
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(over.counter ?? key.counter)
    const domain = over.rpId ?? options.rp?.id ?? options.rpId ?? ''
    const flags = Buffer.of(flagsOf(over, credential !== null))
    return Buffer.concat([sha256(domain), flags, counter, credential ?? Buffer.alloc(0)])
  }
  return {
    /** Creates a passkey: the result of `navigator.credentials.create` in JSON. */
    create(options: CeremonyOptions, over: Deviations = {}) {
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const rawId = randomBytes(32)
      const key: Key = { id: rawId.toString('base64url'), privateKey, counter: 0 }
      keys.push(key)
      const credential = Buffer.concat([Buffer.alloc(16), Buffer.of(0, rawId.length), rawId, coseOf(publicKey)])
      const attestation = Buffer.concat([
        Buffer.of(0xa3),
        ...[cborText('fmt'), cborText('none'), cborText('attStmt'), Buffer.of(0xa0)],
        ...[cborText('authData'), cborBytes(authenticatorData(options, over, key, credential))],
      ])
      return {
        id: key.id,
        rawId: key.id,
        type: 'public-key',
        response: {
          clientDataJSON: clientData('webauthn.create', options, over).toString('base64url'),
          attestationObject: attestation.toString('base64url'),
          transports: ['internal'],
        },
      }
    },
    /**
     * Signs a challenge with the passkey of an id, by default the last one: the result of `navigator.credentials.get`.
     */
    get(options: CeremonyOptions, over: Deviations = {}, id?: string) {
      const key = id === undefined ? keys.at(-1) : keys.find((each) => each.id === id)
      if (!key) throw new Error('the authenticator has no such passkey')
      const client = clientData('webauthn.get', options, over)
      const data = authenticatorData(options, over, key, null)
      return {
        id: key.id,
        rawId: key.id,
        type: 'public-key',
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: sign('sha256', Buffer.concat([data, sha256(client)]), key.privateKey).toString('base64url'),
          userHandle: null,
        },
      }
    },
  }
}
