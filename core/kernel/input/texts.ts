import { flatMap, isLeft, pipe, right } from '../../fp.ts'
import { parseUrl } from '../values/network.ts'
import { isTaxId, normalizeTaxId, type TaxIdKind, taxIdKind } from '../values/tax-id.ts'
import { codePoints, isWellFormed, nfc } from '../values/text.ts'
import {
  type Field,
  type FieldOptions,
  field,
  type InputCode,
  type JsonSchema,
  type ReadResult,
  reject,
} from './field.ts'

/** The longest password or other secret. */
const MAX_SECRET = 1_000
/** The longest e-mail address. */
const MAX_EMAIL = 255
/** The longest web address. */
const MAX_URL = 2_048
const MAX_TAX_ID = 40

interface Lengths {
  readonly min?: number
  readonly max: number
}

const isText = (value: unknown): value is string => typeof value === 'string'

const checkLength = (text: string, { min = 1, max }: Lengths): ReadResult<string> => {
  if (text === '') return reject('required')
  if (text.length > max && codePoints(text) > max) return reject('text.max', { max })
  return min > 1 && codePoints(text) < min ? reject('text.min', { min }) : right(text)
}

const readText = (value: unknown, lengths: Lengths): ReadResult<string> => {
  if (!isText(value)) return reject('text')
  const text = cleanText(value)
  return text === null ? reject('text.malformed') : checkLength(text, lengths)
}

const textField = <I extends string = InputCode>(
  name: string,
  schema: JsonSchema,
  about: FieldOptions,
  read: (value: unknown) => ReadResult<string, I>,
): Field<string, string, I | 'required'> =>
  field({ name, schema: { type: 'string', ...schema }, is: isText, read }, about)

const lengthSchema = ({ min = 1, max }: Lengths): JsonSchema => ({ minLength: min, maxLength: max })

const satisfying =
  (code: InputCode, holds: (text: string) => boolean) =>
  (text: string): ReadResult<string> =>
    holds(text) ? right(text) : reject(code)

interface Patterned<I extends string> {
  readonly pattern?: { readonly regex: RegExp; readonly code: I }
  /** The case to which the text is converted. */
  readonly casing?: 'lower' | 'upper'
}

/**
 * A text of any number of lines, trimmed and in NFC. Lengths are in code points. The pattern is tested before the case
 * is converted. Fails: `required` (blank), `text`, `text.malformed` (control characters other than tab and line feed,
 * lone surrogates, more than 30 combining marks in a row), `text.min`, `text.max`, the code of the pattern.
 */
export const text = <const I extends string = never>({
  pattern,
  casing,
  min = 1,
  max,
  ...about
}: Lengths & Patterned<I> & FieldOptions): Field<string, string, InputCode | NoInfer<I>> =>
  textField<InputCode | I>(
    'text',
    { ...lengthSchema({ min, max }), ...(pattern && { pattern: pattern.regex.source }) },
    about,
    (value) => {
      const got = readText(value, { min, max })
      if (isLeft(got)) return got
      if (pattern && !pattern.regex.test(got.right)) return reject(pattern.code)
      return casing === undefined ? got : readText(inCase(got.right, casing), { min, max })
    },
  )

/** The result may have more code points, and not be in NFC: `ﬁ` becomes `FI`, and `ΐ` three code points. */
const inCase = (sent: string, casing: 'lower' | 'upper'): string =>
  casing === 'lower' ? sent.toLowerCase() : sent.toUpperCase()

/**
 * A text in one line with a visible character: a name, a label, a subject or a line of an address.
 * Fails: as `text`, and `text.line` (line breaks), `text.direction` (bidirectional controls), `text.invisible`.
 */
export const line = ({ min = 1, max, ...about }: Lengths & FieldOptions): Field<string> =>
  textField('line of text', lengthSchema({ min, max }), about, (value) =>
    pipe(readText(value, { min, max }), flatMap(checkLine)),
  )

const checkLine = (text: string): ReadResult<string> => {
  switch (lineFault(text)) {
    case 'break':
      return reject('text.line')
    case 'direction':
      return reject('text.direction')
    case 'invisible':
      return reject('text.invisible')
    default:
      return right(text)
  }
}

/**
 * A password, PIN, code or token, never trimmed or normalized. The default maximum is 1,000 code points.
 * Fails: `required` (empty), `text`, `text.malformed` (NUL, lone surrogates), `text.min`, `text.max`.
 */
export const secret = ({ min = 1, max = MAX_SECRET, ...about }: Partial<Lengths> & FieldOptions = {}): Field<string> =>
  textField<InputCode>('secret', { ...lengthSchema({ min, max }), format: 'password' }, about, (value) => {
    if (!isText(value)) return reject('text')
    return isWellFormed(value) ? checkLength(value, { min, max }) : reject('text.malformed')
  })

/** A text of exactly `length` ASCII digits (a PIN). Fails: `required`, `text`, `digits`. */
export const digits = ({ length, ...about }: { readonly length: number } & FieldOptions): Field<string> => {
  const regex = new RegExp(`^[0-9]{${length}}$`)
  return textField<InputCode>('digits', { pattern: regex.source }, about, (value) => {
    if (!isText(value)) return reject('text')
    return value === '' ? reject('required') : regex.test(value) ? right(value) : reject('digits', { length })
  })
}

/** An e-mail address, in lower case. Fails: as `text`, and `email`. */
export const email = ({
  max = MAX_EMAIL,
  ...about
}: Pick<Partial<Lengths>, 'max'> & FieldOptions = {}): Field<string> =>
  textField('email', { format: 'email', maxLength: max }, about, (value) =>
    pipe(readText(isText(value) ? value.toLowerCase() : value, { max }), flatMap(satisfying('email', isEmail))),
  )

/** An absolute http or https URL without user and password, unchanged. Fails: as `text`, and `url`. */
export const url = ({ max = MAX_URL, ...about }: Pick<Partial<Lengths>, 'max'> & FieldOptions = {}): Field<string> =>
  textField('url', { format: 'uri', maxLength: max }, about, (value) =>
    pipe(readText(value, { max }), flatMap(satisfying('url', isWebAddress))),
  )

/** The letters and digits of a text, in upper case: a phone, postcode or unchecked document. Fails: as `text`. */
export const alphanumeric = ({ min = 1, max, ...about }: Lengths & FieldOptions): Field<string> =>
  textField('unmarked', lengthSchema({ min, max }), about, (value) =>
    pipe(
      readText(value, { min, max }),
      flatMap((sent) => satisfying('text.malformed', (bare) => bare !== '')(nfc(normalizeTaxId(sent)))),
    ),
  )

/**
 * A CPF or CNPJ with valid check digits, without punctuation; `kind` accepts one only. Fails: as `text`, and
 * `document`.
 */
export const taxId = ({ kind, ...about }: { readonly kind?: TaxIdKind } & FieldOptions = {}): Field<string> =>
  textField('tax id', { maxLength: MAX_TAX_ID }, about, (value) =>
    pipe(
      readText(value, { max: MAX_TAX_ID }),
      flatMap((sent) =>
        satisfying('document', (document) => (kind ? taxIdKind(document) === kind : isTaxId(document)))(
          normalizeTaxId(sent),
        ),
      ),
    ),
  )

const GUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** A GUID, in lower case. Fails: `required`, `guid`. */
export const guid = (about: FieldOptions = {}): Field<string> =>
  textField<InputCode>('guid', { format: 'uuid' }, about, (value) =>
    isText(value) ? satisfying('guid', (id) => GUID.test(id))(value.toLowerCase()) : reject('guid'),
  )

// Control characters other than tab and line feed.
const CONTROL = /[^\P{Cc}\t\n]/u
// Unicode normalization sorts a run of marks in quadratic time; 30 is the limit of its Stream-Safe Text Format.
const TOO_MANY_MARKS = /(?<!\p{M})\p{M}{31}/u

/** Returns the text in NFC; null if it has NUL, a lone surrogate or more than 30 combining marks in a row. */
export const storable = (sent: string): string | null => {
  if (!isWellFormed(sent) || TOO_MANY_MARKS.test(sent)) return null
  const text = nfc(sent)
  // NFC decomposes a few letters into marks; such a text would be refused when it is sent again.
  return TOO_MANY_MARKS.test(text) ? null : text
}

/**
 * Returns the text as it is stored: trimmed, with `\n` as line end, in NFC. Null if it has control characters other
 * than tab and line feed, or is not storable.
 */
export const cleanText = (sent: string): string | null => {
  const trimmed = sent.trim()
  if (!/[^ -~]/.test(trimmed)) return trimmed
  const lines = trimmed.replaceAll('\r\n', '\n')
  return CONTROL.test(lines) ? null : storable(lines)
}

const LINE_BREAK = /[\n\v\f\r\u0085\u2028\u2029]/
// They change the reading order of the text beside them, so that it can pass for another text.
const BIDI_CONTROL = /\p{Bidi_Control}/u
// Excludes spaces, default ignorable code points (zero width, variation selectors, Hangul fillers), controls, marks
// without a letter, and blank symbols: the braille blank, hieroglyph blanks, the null notehead, the object replacement
// character.
const VISIBLE =
  /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{M}\p{Noncharacter_Code_Point}\u2800\uFFFC\u{13441}\u{13442}\u{1D159}]/u

/** Returns the reason why a clean text is no single visible line; null if it is one. */
const lineFault = (text: string): 'break' | 'direction' | 'invisible' | null => {
  if (!/[^ -~]/.test(text)) return null
  if (LINE_BREAK.test(text)) return 'break'
  if (BIDI_CONTROL.test(text)) return 'direction'
  return VISIBLE.test(text) ? null : 'invisible'
}

const MAILBOX = /^[\p{L}\p{N}\p{M}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{N}\p{M}!#$%&'*+/=?^_`{|}~-]+)*$/u
const HOST = /^[\p{L}\p{N}\p{M}-]+(?:\.[\p{L}\p{N}\p{M}-]+)+$/u

/**
 * Reports whether a clean text can be an e-mail address: one `@`, a dotted mailbox, a domain with a dot, no quotes or
 * spaces. No separator is in a character class beside it, so that matching takes linear time.
 */
const isEmail = (text: string): boolean => {
  const [mailbox = '', host = '', ...more] = text.split('@', 3)
  return more.length === 0 && MAILBOX.test(mailbox) && HOST.test(host) && !/(?:^|\.)-|-(?:\.|$)/.test(host)
}

const WEB_ADDRESS = /^https?:\/\/[^/?#@\\\s]+(?:[/?#]\S*)?$/i

/** Reports whether a clean text is an absolute http or https URL without user and password. */
const isWebAddress = (text: string): boolean => {
  const url = WEB_ADDRESS.test(text) ? parseUrl(text) : null
  return url !== null && url.hostname !== ''
}
