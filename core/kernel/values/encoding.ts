const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** Decodes a base64 text, padded or not. Throws a RangeError for any other text. */
export const decodeBase64 = (text: string): Uint8Array => {
  if (!BASE64.test(text)) throw new RangeError('not base64')
  const digits = text.replace(/=+$/, '')
  const bytes: number[] = []
  let bits = 0
  let width = 0
  for (const digit of digits) {
    bits = (bits << 6) | DIGITS.indexOf(digit)
    width += 6
    if (width < 8) continue
    width -= 8
    bytes.push((bits >> width) & 0xff)
    bits &= (1 << width) - 1
  }
  return Uint8Array.from(bytes)
}

/** A multiple of three bytes, small enough for the arguments of one `String.fromCharCode` call. */
const SLICE_BYTES = 3 * 4_096

/** Encodes bytes as a padded base64 text. */
export const encodeBase64 = (bytes: Uint8Array): string => {
  let text = ''
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) text += encodeSlice(bytes.subarray(at, at + SLICE_BYTES))
  return text
}

const PAD = '='.charCodeAt(0)
const codeOf = (bits: number): number => DIGITS.charCodeAt(bits & 0x3f)

// Built from character codes: appending to a text digit by digit takes several times as long for files of megabytes.
const encodeSlice = (bytes: Uint8Array): string => {
  const codes: number[] = []
  for (let at = 0; at < bytes.length; at += 3) {
    const [first = 0, second, third] = [bytes[at], bytes[at + 1], bytes[at + 2]]
    const bits = (first << 16) | ((second ?? 0) << 8) | (third ?? 0)
    codes.push(codeOf(bits >> 18), codeOf(bits >> 12))
    codes.push(second === undefined ? PAD : codeOf(bits >> 6), third === undefined ? PAD : codeOf(bits))
  }
  return String.fromCharCode(...codes)
}

/**
 * Returns a UUID of version 8 (RFC 9562, 5.8: custom content) from a SHA-256 in hex, so that the same content has the
 * same UUID. The variant digit must stay the one of the stored records: another one would not find them.
 */
export const uuidFromHash = (hex: string, variant: '8' | 'a'): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
