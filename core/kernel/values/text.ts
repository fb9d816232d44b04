/** Returns the text in NFC, the form that is stored and compared. */
export const nfc = (text: string): string => text.normalize('NFC')

/** Reports whether every store can hold the text: no NUL, no lone surrogate. */
export const isWellFormed = (text: string): boolean => !text.includes('\0') && !/\p{Surrogate}/u.test(text)

const LAST_ASCII = 0x7f

/** Reports whether the text is in its stored form: NFC, without NUL or lone surrogates. */
export const isStorable = (text: string): boolean => {
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index)
    if (unit === 0) return false
    if (unit > LAST_ASCII) return isWellFormed(text) && nfc(text) === text
  }
  return true
}

/** Returns a text of another system in its stored form: NFC, with U+FFFD for NUL and lone surrogates. */
export const replaceUnstorable = (text: string): string => nfc(text.replace(/[\0\p{Surrogate}]/gu, '\uFFFD'))

/** Counts Unicode code points, the unit of every length limit. */
export const codePoints = (text: string): number => {
  const pairs = text.match(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g)
  return text.length - (pairs?.length ?? 0)
}

/**
 * Folds a text for search: without accents and case. Removes marks (`São` becomes `sao`); upper-casing before
 * lower-casing joins letters that lower-casing alone keeps apart: `İ ı I i` become `i`, `ß ẞ SS` become `ss`, `ſ`
 * becomes `s`, a final `ς` becomes `σ`. Letters without a decomposition (`ø`, `ł`) are unchanged. A run of white space
 * becomes one space. Each letter folds by itself, so that a part of a text folds to a part of the folded text.
 */
export const fold = (text: string): string => {
  if (!/[^ -~]| {2}/.test(text)) return text.toLowerCase()
  const cased = withoutMarks(text.replace(/\s+/g, ' ')).toLowerCase().toUpperCase().toLowerCase()
  // Case mapping adds accents (ŉ becomes ʼn), and the lower case of Σ depends on its neighbours.
  // NFD splits Hangul syllables, which have no marks; stored texts are composed again.
  return nfc(withoutMarks(cased).replaceAll('ς', 'σ'))
}

/** Returns the folded texts of a search, one a line, so that no match spans two texts. */
export const foldLines = (texts: readonly (string | null | undefined)[]): string =>
  texts.flatMap((text) => (text === null || text === undefined ? [] : [fold(text)])).join('\n')

const withoutMarks = (text: string): string => text.normalize('NFD').replace(/\p{M}+/gu, '')

/** Compares by code point, as the stores do: UTF-16 units, as `<` compares, put emoji before `ﬁ` and `＄`. */
export const compareCodePoints = (a: string, b: string): number => {
  if (a === b) return 0
  const shared = Math.min(a.length, b.length)
  for (let index = 0; index < shared; index += 1) {
    const [left, right] = [a.charCodeAt(index), b.charCodeAt(index)]
    if (left !== right) return rank(left) - rank(right)
  }
  return a.length - b.length
}

// Surrogates encode code points above all single units, so they rank after the units that follow them.
const rank = (unit: number): number => (unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800)

/**
 * Returns printable ASCII of at most `maxLength` characters, as names in a BR Code require (BCB, Manual de Padrões para
 * Iniciação do Pix): accents are removed, any other character becomes a space, runs of spaces become one.
 */
export const ascii = (text: string, maxLength: number): string =>
  withoutMarks(text)
    .replace(/[^!-~]+/g, ' ')
    .trim()
    .slice(0, maxLength)
    .trim()

/** Returns the letters and digits of a text, those of every script. */
export const digitsAndLetters = (text: string): string => text.replace(/[^\p{L}\p{N}]+/gu, '')

const ID = /^[1-9]\d{0,14}$/

/** Parses the id in a path or header; null if the text is not an id. */
export const parseId = (text: string): number | null => (ID.test(text) ? Number(text) : null)

/**
 * Parses a URL; null for any other text. Does not use `URL.canParse`: once optimized, that of Node 20 and 22 refuses
 * hosts with letters such as `ã`.
 */
export const parseUrl = (text: string): URL | null => {
  try {
    return new URL(text)
  } catch {
    return null
  }
}
