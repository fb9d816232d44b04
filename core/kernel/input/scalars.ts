import { flatMap, isLeft, pipe, right } from '../../failure.ts'
import { type Day, dayOf, type Instant, isDay, isInstant, withOffset } from '../values/day.ts'
import { centsFromReais, MAX_AMOUNT_CENTS, MAX_CENTS, reaisFromCents } from '../values/money.ts'
import { isTaxId, normalizeTaxId, type TaxIdKind, taxIdKind } from '../values/tax-id.ts'
import { codePoints, isWellFormed, nfc, parseUrl } from '../values/text.ts'
import {
  bySide,
  enumSchema,
  type Field,
  type FieldOptions,
  field,
  type InputCode,
  type JsonSchema,
  type ReadResult,
  reject,
  type Side,
} from './field.ts'

/** Inclusive bounds. */
export interface Bounds {
  readonly min?: number
  readonly max?: number
}

const isNumber = (value: unknown): value is number => typeof value === 'number'

const bounded = (value: number, code: 'integer' | 'money' | 'number', { min, max }: Bounds): ReadResult<number> => {
  if (min !== undefined && value < min) return reject(`${code}.min`, { min })
  if (max !== undefined && value > max) return reject(`${code}.max`, { max })
  // Adding zero turns -0 into 0.
  return right(value + 0)
}

const boundsSchema = ({ min, max }: Bounds): JsonSchema => ({
  ...(min !== undefined && { minimum: min }),
  ...(max !== undefined && { maximum: max }),
})

/** A safe integer. Fails: `required`, `integer`, `integer.min`, `integer.max`. */
export const integer = ({ min, max, ...about }: Bounds & FieldOptions = {}): Field<number> => {
  const bounds = { ...(min !== undefined && { min }), ...(max !== undefined && { max }) }
  return field<number, number, InputCode>(
    {
      name: 'integer',
      schema: { type: 'integer', ...boundsSchema(bounds) },
      is: isNumber,
      read: (value) =>
        isNumber(value) && Number.isSafeInteger(value) ? bounded(value, 'integer', bounds) : reject('integer'),
    },
    about,
  )
}

/** The id of a record: an integer of at least 1. Fails: as `integer`. */
export const id = (about: FieldOptions = {}): Field<number> => integer({ min: 1, ...about })

interface MoneyBounds extends FieldOptions {
  readonly minCents?: number
  readonly maxCents?: number
}

/**
 * Money: a JSON number in reais on the wire, integer cents in the program. Bounds are in cents; the default minimum is
 * 0.
 * Fails: `required`, `money`, `money.decimals`, `money.min` and `money.max` (in reais); in the program as `integer`.
 */
export const money = (bounds: MoneyBounds = {}): Field<number> => {
  const { minCents = 0, maxCents = MAX_AMOUNT_CENTS, ...about } = bounds
  const inReais = { min: reaisFromCents(minCents), max: reaisFromCents(maxCents) }
  return field<number, number, InputCode>(
    {
      name: 'money',
      schema: { type: 'number', ...boundsSchema(inReais), description: 'Reais, com até 2 casas decimais.' },
      is: isNumber,
      read: (value) => {
        if (!isNumber(value) || !Number.isFinite(value)) return reject('money')
        const inBounds = bounded(value, 'money', inReais)
        if (isLeft(inBounds)) return inBounds
        const cents = centsFromReais(value)
        return isLeft(cents) ? reject('money.decimals') : cents
      },
      encode: reaisFromCents,
    },
    {
      ...about,
      on: bySide(
        () => integer({ min: minCents, max: maxCents, ...about }),
        () => money(bounds),
      ),
    },
  )
}

interface Scale extends FieldOptions {
  readonly min: number
  readonly max: number
  /** The largest number of digits after the decimal point. */
  readonly decimals: number
}

const scaleField = (
  { min, max, decimals, ...about }: Scale,
  decode: (value: number, scaled: number) => number,
  encode: (decoded: number) => number = (number) => number,
  program: (() => Field<number>) | null = null,
): Field<number> => {
  const factor = 10 ** decimals
  // The bound of money holds for every scale: above it, neighbouring doubles are further apart than one step.
  if (Math.max(-min, max) * factor > MAX_CENTS) throw new RangeError(`${decimals} decimals of ${max} are not exact`)
  const wire: Field<number> = field<number, number, InputCode>(
    {
      name: 'number',
      schema: { type: 'number', ...boundsSchema({ min, max }), description: `Até ${decimals} casas decimais.` },
      is: isNumber,
      read: (value) => {
        if (!isNumber(value) || !Number.isFinite(value)) return reject('number')
        const inBounds = bounded(value, 'number', { min, max })
        if (isLeft(inBounds)) return inBounds
        const scaled = Math.round(value * factor) + 0
        return scaled / factor === value
          ? right(decode(inBounds.right, scaled))
          : reject('number.decimals', { decimals })
      },
      encode,
    },
    { ...about, ...(program && { on: bySide(program, () => wire) }) },
  )
  return wire
}

/**
 * A JSON number with few decimals, the same in the program (an area).
 * Fails: `required`, `number`, `number.min`, `number.max`, `number.decimals`.
 */
export const decimal = (scale: Scale): Field<number> => scaleField(scale, (value) => value)

/**
 * A JSON number with few decimals, in the program an integer in units of the last one (4 decimals: 2.5 is 25,000).
 * Fails: as `decimal`; in the program as `integer`.
 */
export const scaled = (scale: Scale): Field<number> => {
  const { min, max, decimals, ...about } = scale
  const factor = 10 ** decimals
  return scaleField(
    scale,
    (_, steps) => steps,
    (steps) => steps / factor,
    () => integer({ min: Math.round(min * factor), max: Math.round(max * factor), ...about }),
  )
}

/** As `scaled`, with 2 decimals: integer hundredths in the program (2.5% is 250). Bounds are those of the wire. */
export const hundredths = (bounds: Omit<Scale, 'decimals'>): Field<number> => scaled({ ...bounds, decimals: 2 })

const isFlag = (value: unknown): value is boolean => typeof value === 'boolean'

/** A boolean. Fails: `required`, `flag`. */
export const flag = (about: FieldOptions = {}): Field<boolean> =>
  field(
    {
      name: 'flag',
      schema: { type: 'boolean' },
      is: isFlag,
      read: (value) => (isFlag(value) ? right(value) : reject('flag')),
    },
    about,
  )

interface Choice<V> extends FieldOptions {
  /** The values in the documentation, if some are accepted but not served yet. */
  readonly offered?: readonly V[]
}

/** One of these words or numbers. Fails: `required`, `one-of` (parameter: the values, comma-separated). */
export const oneOf = <const V extends string | number>(
  values: readonly V[],
  { offered = values, ...about }: Choice<NoInfer<V>> = {},
): Field<V> => {
  const isValue = (value: unknown): value is V => values.some((each) => each === value)
  const params = { values: values.join(', ') }
  return field(
    {
      name: `one of ${params.values}`,
      schema: enumSchema(offered),
      is: isValue,
      read: (value) => (isValue(value) ? right(value) : reject('one-of', params)),
    },
    about,
  )
}

const isText = (value: unknown): value is string => typeof value === 'string'

const ZONED =
  /^(\d{4}-\d{2}-\d{2})T(?:[01]\d|2[0-3])(?::[0-5]\d){1,2}(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/

/** Parses an ISO 8601 date and time with `Z` or an offset, to the millisecond; null for any other text. */
const toInstant = (text: string): Instant | null => {
  const [, day = ''] = ZONED.exec(text) ?? []
  if (!isDay(day)) return null
  const ms = Date.parse(text)
  if (Number.isNaN(ms)) return null
  const moment = new Date(ms).toISOString()
  return isInstant(moment) ? moment : null
}

type Moment = 'day' | 'month' | 'instant'

interface MomentKind {
  readonly schema: JsonSchema
  readonly parse: (sent: string) => string | null
}

const momentField = (
  name: Moment,
  { schema, parse }: MomentKind,
  about: FieldOptions,
  encode: (decoded: string) => string = (decoded) => decoded,
  on?: (side: Side) => Field<string>,
): Field<string> =>
  field(
    {
      name,
      schema: { type: 'string', ...schema },
      is: isText,
      read: (value) => {
        const parsed = isText(value) ? parse(value) : null
        return parsed === null ? reject(name) : right(parsed)
      },
      encode,
    },
    { ...about, ...(on && { on }) },
  )

const DAY: MomentKind = { schema: { format: 'date' }, parse: (sent) => (isDay(sent) ? sent : null) }
const MONTH: MomentKind = {
  schema: { pattern: '^[0-9]{4}-(0[1-9]|1[0-2])$' },
  parse: (sent) => (isDay(`${sent}-01`) ? sent : null),
}
const INSTANT: MomentKind = { schema: { format: 'date-time' }, parse: toInstant }
/** Reads midnight UTC as its own date: as an instant, it would be the evening before in São Paulo. */
const MIDNIGHT_UTC = /^(.{10})T00:00(?::00(?:\.0+)?)?(?:Z|[+-]00:00)$/
const DAY_OR_INSTANT: MomentKind = {
  schema: { anyOf: [{ format: 'date' }, { format: 'date-time' }] },
  parse: (sent) => {
    const [, date = sent] = MIDNIGHT_UTC.exec(sent) ?? []
    if (isDay(date)) return date
    const moment = toInstant(sent)
    return moment && dayOf(moment)
  },
}

/** A calendar day, `YYYY-MM-DD`. Fails: `required`, `day`. */
export const day = (about: FieldOptions = {}): Field<Day> => momentField('day', DAY, about)

/** A month, `YYYY-MM`. Fails: `required`, `month`. */
export const month = (about: FieldOptions = {}): Field<string> => momentField('month', MONTH, about)

/** An ISO 8601 date and time with an offset or `Z`; decodes to the instant in UTC. Fails: `required`, `instant`. */
export const instant = (about: FieldOptions = {}): Field<Instant> => momentField('instant', INSTANT, about)

/** An instant in a reply: on the wire to the second, with the offset of São Paulo. Fails: as `instant`. */
export const timestamp = (about: FieldOptions = {}): Field<Instant> =>
  momentField('instant', INSTANT, about, withOffset, ({ is }) => (is === 'program' ? instant(about) : timestamp(about)))

/** A day, or an instant, which decodes to its day in São Paulo; midnight UTC to its own date. Fails: as `day`. */
export const dayOrInstant = (about: FieldOptions = {}): Field<Day> => momentField('day', DAY_OR_INSTANT, about)

const MAX_SECRET = 1_000
const MAX_EMAIL = 255
const MAX_URL = 2_048
const MAX_TAX_ID = 40

interface Lengths {
  readonly min?: number
  readonly max: number
}

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
  const code = lineFault(text)
  return code === null ? right(text) : reject(code)
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

/** A CPF or CNPJ with valid check digits, without punctuation. Fails: as `text`, and `document`. */
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

/** Returns the error code of a clean text that is no single visible line; null if it is one. */
const lineFault = (text: string): 'text.line' | 'text.direction' | 'text.invisible' | null => {
  if (!/[^ -~]/.test(text)) return null
  if (LINE_BREAK.test(text)) return 'text.line'
  if (BIDI_CONTROL.test(text)) return 'text.direction'
  return VISIBLE.test(text) ? null : 'text.invisible'
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
