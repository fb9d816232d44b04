import { isLeft, right } from '../../fp.ts'
import { type Day, dayOf, type Instant, isDay, isInstant, withOffset } from '../values/day.ts'
import { centsFromReais, MAX_AMOUNT_CENTS, MAX_CENTS, reaisFromCents } from '../values/money.ts'
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

/**
 * A JSON number with at most 2 decimals, in the program integer hundredths (2.5% is 250). Bounds are those of the wire.
 * Fails: as `scaled`.
 */
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
/** Midnight UTC stands for its own date: as an instant, it would be the evening before in São Paulo. */
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

/**
 * A day, or an instant, which decodes to its day in São Paulo; midnight UTC decodes to its own date. Fails: `required`,
 * `day`.
 */
export const dayOrInstant = (about: FieldOptions = {}): Field<Day> => momentField('day', DAY_OR_INSTANT, about)
