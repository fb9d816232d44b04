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
