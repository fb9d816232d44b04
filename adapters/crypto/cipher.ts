import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  hkdfSync,
  timingSafeEqual,
} from 'node:crypto'
import type { Cipher, Digest } from '../../core/ports/runtime.ts'
import { systemRandom } from './random.ts'

const ALGORITHM = 'aes-256-gcm'
const VERSION = 'v1'
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
/** The purpose of the derived key. */
const MARKS = 'portico marks'

const openError = (): Error => new Error('the sealed text cannot be opened with this key and context')

/** Accepts only canonical base64url, so that no two sealed texts open to one text. */
const decodePart = (part: string): Buffer => {
  const bytes = Buffer.from(part, 'base64url')
  if (bytes.toString('base64url') !== part) throw openError()
  return bytes
}

/**
 * Seals with AES-256-GCM under a key of 32 bytes, as `v1.<nonce>.<ciphertext>.<tag>` in base64url. The nonce is random:
 * change the key before 2^32 sealings (NIST SP 800-38D §8.3). Digests are HMAC-SHA-256 in base64, under a key derived
 * by HKDF (RFC 5869).
 */
export const aesCipher = (key: Uint8Array): Cipher => {
  if (key.length !== KEY_BYTES) throw new RangeError(`the key has ${key.length} bytes instead of ${KEY_BYTES}`)
  const secret = createSecretKey(key)
  const markKey = createSecretKey(Buffer.from(hkdfSync('sha256', key, '', MARKS, KEY_BYTES)))
  return {
    seal: (text, context) => {
      const nonce = systemRandom.bytes(NONCE_BYTES)
      const cipher = createCipheriv(ALGORITHM, secret, nonce, { authTagLength: TAG_BYTES })
      cipher.setAAD(Buffer.from(context, 'utf8'))
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      const parts = [Buffer.from(nonce), sealed, cipher.getAuthTag()].map((part) => part.toString('base64url'))
      return [VERSION, ...parts].join('.')
    },
    open: (sealed, context) => {
      const [version, noncePart, textPart, tagPart, ...rest] = sealed.split('.')
      if (version !== VERSION || noncePart === undefined || textPart === undefined || tagPart === undefined) {
        throw openError()
      }
      const [nonce, text, tag] = [decodePart(noncePart), decodePart(textPart), decodePart(tagPart)]
      if (rest.length > 0 || nonce.length !== NONCE_BYTES || tag.length !== TAG_BYTES) throw openError()
      const decipher = createDecipheriv(ALGORITHM, secret, nonce, { authTagLength: TAG_BYTES })
      decipher.setAAD(Buffer.from(context, 'utf8'))
      decipher.setAuthTag(tag)
      try {
        return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8')
      } catch {
        throw openError()
      }
    },
    digest: (text, context) =>
      createHmac('sha256', markKey)
        .update(JSON.stringify([context, text]))
        .digest('base64'),
  }
}

/** Hashes UTF-16: UTF-8 maps different lone surrogates to one character. */
const fingerprint = (text: string): Buffer => createHash('sha256').update(text, 'utf16le').digest()

export const digest: Digest = {
  sha256: (text) => createHash('sha256').update(text, 'utf8').digest('hex'),
  hmacSha256: (key, text) => createHmac('sha256', key).update(text, 'utf8').digest('base64'),
  hmacSha1: (key, message) => createHmac('sha1', key).update(message).digest(),
  // Compares digests: timingSafeEqual requires equal lengths, and a length may be secret too.
  equal: (a, b) => timingSafeEqual(fingerprint(a), fingerprint(b)),
}
