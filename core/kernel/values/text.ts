/** The text in the one form that is stored and compared (NFC). */
export const nfc = (text: string): string => text.normalize('NFC')

/** Whether every store keeps the text as it is: no NUL, no lone surrogate. */
export const isWellFormed = (text: string): boolean => !text.includes('\0') && !/\p{Surrogate}/u.test(text)

const LAST_ASCII = 0x7f

/** Whether the text is as every store keeps it: NFC, without NUL or lone surrogates. */
export const isStorable = (text: string): boolean => {
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index)
    if (unit === 0) return false
    if (unit > LAST_ASCII) return isWellFormed(text) && nfc(text) === text
  }
  return true
}

/** What strangers send, as a store keeps it: in NFC, with the replacement character for what no store holds. */
export const replaceUnstorable = (text: string): string => nfc(text.replace(/[\0\p{Surrogate}]/gu, '\uFFFD'))

/** Length in Unicode code points, the unit of every length in the specification. */
export const codePoints = (text: string): number => {
  const pairs = text.match(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g)
  return text.length - (pairs?.length ?? 0)
}

/**
 * The text as search compares it: without accents and case, the same for every spelling of a letter.
 * Marks go (`São` is `sao`); upper-casing in between joins letters that lower-casing keeps apart: `İ ı I i` are `i`,
 * `ß ẞ SS` are `ss`, `ſ` is `s`, a final `ς` is `σ`. Letters without a decomposition (`ø`, `ł`) stay themselves.
 * Any run of white space is one space. It works letter by letter, so that a part of a text folds to a part of the folded text.
 * Source: decisions.md §12, Validation.
 */
export const fold = (text: string): string => {
  if (!/[^ -~]| {2}/.test(text)) return text.toLowerCase()
  const bare = withoutMarks(text.replace(/\s+/g, ' ')).toLowerCase().toUpperCase().toLowerCase()
  // Case mapping makes new accents (ŉ becomes ʼn), and the lower case of Σ hangs on its neighbours.
  // A store keeps only composed texts, and Hangul syllables come apart without having marks.
  return nfc(withoutMarks(bare).replaceAll('ς', 'σ'))
}

/** What a search looks through: texts folded, one a line, so that it never matches across two of them. */
export const foldLines = (texts: readonly (string | null | undefined)[]): string =>
  texts.flatMap((text) => (text === null || text === undefined ? [] : [fold(text)])).join('\n')

const withoutMarks = (text: string): string => text.normalize('NFD').replace(/\p{M}+/gu, '')

/** Orders by code point, as the stores do: UTF-16 units, the order of `<`, put emoji before `ﬁ` and `＄`. */
export const compareCodePoints = (a: string, b: string): number => {
  if (a === b) return 0
  const shared = Math.min(a.length, b.length)
  for (let index = 0; index < shared; index += 1) {
    const [left, right] = [a.charCodeAt(index), b.charCodeAt(index)]
    if (left !== right) return rank(left) - rank(right)
  }
  return a.length - b.length
}

// Surrogates stand for code points above all single units, so they trade places with what follows them.
const rank = (unit: number): number => (unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800)

/**
 * Printable ASCII of at most `maxLength` characters: accents dropped, everything else a space, spaces collapsed.
 * Source: pix-boleto.md §1.1 (names in a BR Code).
 */
export const ascii = (text: string, maxLength: number): string =>
  withoutMarks(text)
    .replace(/[^!-~]+/g, ' ')
    .trim()
    .slice(0, maxLength)
    .trim()

/** The text without spaces, punctuation and symbols; letters and digits of every script stay, to be judged as such. */
export const digitsAndLetters = (text: string): string => text.replace(/[^\p{L}\p{N}]+/gu, '')

const ID = /^[1-9]\d{0,14}$/

/** The id that a text of a path or header names; null where it names none. */
export const parseId = (text: string): number | null => (ID.test(text) ? Number(text) : null)
