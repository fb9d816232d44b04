import { epochSeconds, type Instant } from '../../kernel/values/day.ts'
import type { Digest } from '../../ports/runtime.ts'

/** 160 bits, the length of the key of HMAC-SHA-1 that RFC 4226 recommends. */
export const SECRET_BYTES = 20
const STEP_SECONDS = 30
const DIGITS = 6
/** Accepts the codes of the step before and after the present one: the clock of a phone may be 30 s off. */
const DRIFT_STEPS = 1

/** Returns the code of a step (RFC 6238 with HMAC-SHA-1, RFC 4226 for the digits). */
export const totpAt = (
  { hmacSha1 }: Pick<Digest, 'hmacSha1'>,
  secret: Uint8Array,
  step: number,
  digits = DIGITS,
): string => {
  const counter = new Uint8Array(8)
  new DataView(counter.buffer).setBigUint64(0, BigInt(step))
  const mac = hmacSha1(secret, counter)
  const view = new DataView(mac.buffer, mac.byteOffset, mac.byteLength)
  const truncated = view.getUint32(view.getUint8(mac.byteLength - 1) & 0xf) & 0x7fffffff
  return `${truncated % 10 ** digits}`.padStart(digits, '0')
}

export const totpStep = (now: Instant): number => Math.floor(epochSeconds(now) / STEP_SECONDS)

/** Returns the step whose code was typed, if it is later than the last one that was used; null for a wrong code. */
export const matchTotp = (
  digest: Pick<Digest, 'hmacSha1' | 'equal'>,
  secret: Uint8Array,
  typed: string,
  { now, lastStep }: { readonly now: Instant; readonly lastStep: number | null },
): number | null => {
  const present = totpStep(now)
  const steps = [present - DRIFT_STEPS, present, present + DRIFT_STEPS]
  const matches = steps.filter((step) => digest.equal(totpAt(digest, secret, step), typed))
  return matches.find((step) => lastStep === null || step > lastStep) ?? null
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Encodes bytes in base32 (RFC 4648) without padding, as authenticator apps read it. */
export const base32 = (bytes: Uint8Array): string => {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? []).map((group) => ALPHABET[Number.parseInt(group.padEnd(5, '0'), 2)]).join('')
}

/** Decodes a secret that `base32` encoded. */
export const fromBase32 = (text: string): Uint8Array => {
  const bits = [...text].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Uint8Array.from(bits.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2))
}

const ISSUER = 'Portico'

/** Returns the URI that authenticator apps read from a QR code; all other parameters have their defaults. */
export const otpauthUri = (email: string, secret: string): string =>
  `otpauth://totp/${ISSUER}:${encodeURIComponent(email)}?secret=${secret}&issuer=${ISSUER}`
