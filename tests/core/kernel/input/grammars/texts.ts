import fc from 'fast-check'
import { decoded, type Grammar, type Verdict } from './grammar.ts'

interface Lengths {
  readonly min?: number
  readonly max: number
}

const count = (text: string) => Array.from(text).length

/** Reports whether a text has neither NUL nor a lone surrogate. */
export const isWhole = (text: string): boolean => {
  try {
    encodeURIComponent(text)
    return !text.includes('\0')
  } catch {
    return false
  }
}

/** Returns the length of the longest run of combining marks. */
const marksIn = (text: string): number => {
  let [run, longest] = [0, 0]
  for (const letter of text) {
    run = /\p{M}/u.test(letter) ? run + 1 : 0
    longest = Math.max(longest, run)
  }
  return longest
}

const MOST_MARKS = 30
const isControl = (letter: string) => {
  const code = letter.codePointAt(0) ?? 0
  return (code < 0x20 && letter !== '\t' && letter !== '\n') || (code >= 0x7f && code <= 0x9f)
}

/** Decodes a text letter by letter; null if it is refused. */
export const plain = (text: string, { min = 1, max }: Lengths): string | null => {
  const letters = Array.from(text.split('\r\n').join('\n'))
  const isBlank = (letter: string | undefined) => letter !== undefined && /^[\s\ufeff]$/.test(letter)
  // A lone carriage return at either end is trimmed too.
  while (isBlank(letters[0])) letters.shift()
  while (isBlank(letters.at(-1))) letters.pop()
  const whole = letters.join('')
  const text2 = whole.normalize('NFC')
  if (!isWhole(whole) || letters.some(isControl) || marksIn(whole) > MOST_MARKS || marksIn(text2) > MOST_MARKS)
    return null
  return count(text2) >= min && count(text2) <= max ? text2 : null
}

const orRefused = (text: string | null): Verdict => (text === null ? null : decoded(text))

/** Pieces with their decoded form, which does not depend on their neighbours. */
const PIECES: readonly (readonly [sent: string, decoded: string])[] = [
  ...Array.from('aZ09çã東Ж٣ßİ', (letter) => [letter, letter] as const),
  ['e\u0301', 'é'],
  ['\u1100\u1161\u11a8', '각'],
  ['😀', '😀'],
  ['q\u0323\u0307', 'q\u0323\u0307'],
  [`x${'\u0316'.repeat(30)}`, `x${'\u0316'.repeat(30)}`],
  ['１', '１'],
  ['%_', '%_'],
  ["'", "'"],
  ['\u202e', '\u202e'],
]
const BETWEEN: readonly (readonly [string, string])[] = [
  [' ', ' '],
  ['\r\n', '\n'],
  ['\t', '\t'],
  ['\u00a0', '\u00a0'],
  ['', ''],
]
const around = fc.constantFrom('', ' ', '\n', '\u00a0\ufeff', '\r\n', '\u2003\t')

/** A text of any number of lines. */
export const plainText = ({ min = 1, max }: Lengths): Grammar => {
  const words = fc.array(fc.tuple(fc.constantFrom(...PIECES), fc.constantFrom(...BETWEEN)), {
    minLength: 1,
    maxLength: Math.min(max, 12),
  })
  return {
    near: ' aé\u0301\r\n\t',
    oracle: (text) => orRefused(plain(text, { min, max })),
    valid: fc
      .tuple(around, words, around)
      .map(([before, pairs, after]): readonly [string, string] => {
        const flat = pairs.flat().slice(0, -1)
        const text = before + flat.map(([sent]) => sent).join('') + after
        return [text, flat.map(([, whole]) => whole).join('')]
      })
      .filter(([, whole]) => count(whole) >= min && count(whole) <= max),
  }
}

/** Invisible code points other than marks, from the tables of Unicode 15. */
const INVISIBLE: readonly (readonly [first: number, last?: number])[] = [
  // Controls and spaces.
  ...([
    [0x00, 0x20],
    [0x7f, 0xa0],
    [0x1680],
    [0x2000, 0x200a],
    [0x2028, 0x2029],
    [0x202f],
    [0x205f],
    [0x3000],
  ] as const),
  // Format characters and default ignorable code points.
  ...([[0xad], [0x34f], [0x600, 0x605], [0x61c], [0x6dd], [0x70f], [0x890, 0x891], [0x8e2]] as const),
  ...([
    [0x115f, 0x1160],
    [0x17b4, 0x17b5],
    [0x180b, 0x180f],
    [0x200b, 0x200f],
    [0x202a, 0x202e],
  ] as const),
  ...([[0x2060, 0x206f], [0x3164], [0xfe00, 0xfe0f], [0xfeff], [0xffa0], [0xfff0, 0xfffb]] as const),
  ...([[0x110bd], [0x110cd], [0x13430, 0x1343f], [0x1bca0, 0x1bca3], [0x1d173, 0x1d17a], [0xe0000, 0xe0fff]] as const),
  // Blank symbols.
  ...([[0x2800], [0xfffc], [0x13441, 0x13442], [0x1d159]] as const),
  [0xfdd0, 0xfdef],
]

export const isInvisible = (letter: string): boolean => {
  const code = letter.codePointAt(0) ?? 0
  const isListed = INVISIBLE.some(([first, last = first]) => code >= first && code <= last)
  return isListed || (code & 0xfffe) === 0xfffe || /\p{M}/u.test(letter)
}

/** Line breaks and bidirectional controls. */
const NOT_IN_LINES = [0x0a, 0x0b, 0x0c, 0x0d, 0x85, 0x2028, 0x2029, 0x61c, 0x200e, 0x200f]
const isInNoLine = (letter: string): boolean => {
  const code = letter.codePointAt(0) ?? 0
  return NOT_IN_LINES.includes(code) || (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069)
}

/** Letters, words and emoji that contain invisible code points. */
const JOINED = [
  ...['👨\u200d👩\u200d👧', '❤\ufe0f', '1\ufe0f\u20e3', 'می\u200cخواهم', 'ක්\u200dෂ', 'a\u00adb', '\ue000'],
  ...['\u3164한'],
]

/** A text in one line with a visible character. */
export const plainLine = ({ min = 1, max }: Lengths): Grammar => {
  const pieces = PIECES.filter(([, whole]) => !isInNoLine(whole))
  const words = fc.array(
    fc.tuple(
      fc.oneof(
        fc.constantFrom(...pieces),
        fc.constantFrom(...JOINED).map((each) => [each, each] as const),
      ),
      fc.constantFrom(...BETWEEN.filter(([sent]) => sent !== '\r\n')),
    ),
    { minLength: 1, maxLength: Math.min(max, 6) },
  )
  return {
    near: ' aé\u0301\n\t\u2028\u2029\u202e\u2066\u2069\u200e\u061c\u200b\u200d\ufe0f\u2800\u3164',
    oracle: (text) => {
      const clean = plain(text, { min, max })
      if (clean === null) return null
      const letters = Array.from(clean)
      return letters.some(isInNoLine) || letters.every(isInvisible) ? null : decoded(clean)
    },
    valid: fc
      .tuple(around, words, around)
      .map(([before, pairs, after]): readonly [string, string] => {
        const flat = pairs.flat().slice(0, -1)
        return [before + flat.map(([sent]) => sent).join('') + after, flat.map(([, whole]) => whole).join('')]
      })
      .filter(([, whole]) => count(whole) >= min && count(whole) <= max),
  }
}

/** Texts of invisible code points only. */
export const invisible: fc.Arbitrary<string> = fc
  .array(
    fc.constantFrom(...['\u200b', '\u200d', '\ufe0f', '\u0301', '\u115f', '\u2800', '\u00ad', '\ufffc', ' ', '\u3164']),
    { minLength: 1, maxLength: 8 },
  )
  .map((letters) => letters.join(''))

export const agency: Grammar = {
  near: '0123456789 ',
  oracle: (text) => {
    const clean = plain(text, { max: 4 })
    return clean !== null && Array.from(clean).every((digit) => '0123456789'.includes(digit)) ? decoded(clean) : null
  },
  valid: fc
    .tuple(around, fc.stringMatching(/^[0-9]{1,4}$/), around)
    .map(([before, digits, after]) => [before + digits + after, digits] as const),
}

const letter = fc.oneof(
  fc.constantFrom(...'a Z9ç😀\n\t\u0301\u202e'),
  fc.string({ unit: 'binary-ascii', minLength: 1, maxLength: 1 }),
)

export const secret: Grammar = {
  near: 'a \n\u0301',
  oracle: (text) => (isWhole(text) && count(text) >= 8 && count(text) <= 1_000 ? decoded(text) : null),
  valid: fc
    .array(letter, { minLength: 8, maxLength: 40 })
    .map((letters) => letters.join('').replaceAll('\0', '0'))
    .map((text) => [text, text] as const),
}

const fixedDigits = (text: string, length: number) =>
  text.length === length && [...text].every((digit) => digit >= '0' && digit <= '9')

export const digits: Grammar = {
  near: '0123456789',
  oracle: (text) => (fixedDigits(text, 6) ? decoded(text) : null),
  valid: fc.stringMatching(/^[0-9]{6}$/).map((text) => [text, text] as const),
}

const HEX = '0123456789abcdef'
/** The positions of the hyphens in a GUID. */
const HYPHENS = [8, 13, 18, 23]

export const guid: Grammar = {
  near: 'abcdefABCDEFg0189-{}',
  oracle: (text) => {
    const isGuid =
      text.length === 36 &&
      // Unicode has letters that become ASCII in lower case.
      [...text].every((each, at) =>
        HYPHENS.includes(at) ? each === '-' : HEX.includes(each) || 'ABCDEF'.includes(each),
      )
    return isGuid ? decoded(text.toLowerCase()) : null
  },
  valid: fc
    .tuple(fc.uuid(), fc.boolean())
    .map(([text, isUpper]) => [isUpper ? text.toUpperCase() : text, text] as const),
}

/** Letters and digits of any script, ASCII letters in upper case. */
export const alphanumeric: Grammar = {
  near: '0aZ-()/. +é１',
  oracle: (text) => {
    const clean = plain(text, { max: 20 })
    const bare = Array.from(clean ?? '')
      .filter((each) => /[\p{L}\p{N}]/u.test(each))
      .map((each) => (each >= 'a' && each <= 'z' ? each.toUpperCase() : each))
      .join('')
    return bare === '' ? null : decoded(bare.normalize('NFC'))
  },
  valid: fc
    .array(fc.tuple(fc.constantFrom('', '-', ' ', '.', '('), fc.constantFrom(...'019azAZç東１')), {
      minLength: 1,
      maxLength: 9,
    })
    .map((pairs) => {
      const raised = pairs.map(([, each]) => (/[a-z]/.test(each) ? each.toUpperCase() : each))
      return [pairs.flat().join(''), raised.join('')] as const
    }),
}
