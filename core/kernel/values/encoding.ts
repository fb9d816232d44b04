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

const DIGIT_CODES = Uint8Array.from(DIGITS, (digit) => digit.charCodeAt(0))
const PAD = '='.charCodeAt(0)
const ASCII = new TextDecoder()

const codeOf = (bits: number): number => DIGIT_CODES[bits & 0x3f] ?? PAD

/** Encodes bytes as a padded base64 text. */
export const encodeBase64 = (bytes: Uint8Array): string => {
  // One array of the final size: a text or an array that grows takes a hundred times the bytes of the result.
  const codes = new Uint8Array(Math.ceil(bytes.length / 3) * 4)
  let end = 0
  for (let at = 0; at < bytes.length; at += 3) {
    const [first = 0, second, third] = [bytes[at], bytes[at + 1], bytes[at + 2]]
    const bits = (first << 16) | ((second ?? 0) << 8) | (third ?? 0)
    codes[end] = codeOf(bits >> 18)
    codes[end + 1] = codeOf(bits >> 12)
    codes[end + 2] = second === undefined ? PAD : codeOf(bits >> 6)
    codes[end + 3] = third === undefined ? PAD : codeOf(bits)
    end += 4
  }
  return ASCII.decode(codes)
}

/**
 * Returns a UUID of version 8 (RFC 9562, 5.8: custom content) from a SHA-256 in hex, so that the same content has the
 * same UUID. The variant digit must stay the one of the stored records: another one would not find them.
 */
export const uuidFromHash = (hex: string, variant: '8' | 'a'): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** Returns a UUID (version 4) of 16 random bytes. */
export const uuidOf = (bytes: Uint8Array): string => {
  let text = ''
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index] ?? 0
    if (index === 4 || index === 6 || index === 8 || index === 10) text += '-'
    if (index === 6) text += HEX[(byte & 0x0f) | 0x40]
    else text += HEX[index === 8 ? (byte & 0x3f) | 0x80 : byte]
  }
  return text
}
