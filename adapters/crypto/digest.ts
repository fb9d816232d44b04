import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { Digest } from '../../core/ports/runtime.ts'

/** UTF-16, so that texts with lone surrogates, which UTF-8 makes alike, stay different. */
const fingerprint = (text: string): Buffer => createHash('sha256').update(text, 'utf16le').digest()

/** SHA-256 by the runtime's own crypto. */
export const digest: Digest = {
  sha256: (text) => createHash('sha256').update(text, 'utf8').digest('hex'),
  hmacSha256: (key, text) => createHmac('sha256', key).update(text, 'utf8').digest('base64'),
  // Digests of both are compared, since timingSafeEqual wants equal lengths and a length may be a secret too.
  equal: (a, b) => timingSafeEqual(fingerprint(a), fingerprint(b)),
}
