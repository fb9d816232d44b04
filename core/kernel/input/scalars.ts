import { isLeft, right } from '../../fp.ts'
import { type Day, dayOf, type Instant, isDay, isInstant, withOffset } from '../values/day.ts'
import { centsFromReais, MAX_AMOUNT_CENTS, MAX_CENTS, reaisFromCents } from '../values/money.ts'
import {
  type About,
  enumSchema,
  type Field,
  field,
  type InputCode,
  type JsonSchema,
  type Read,
  type Side,
  wrong,
} from './field.ts'

/** Both ends are allowed. */
export interface Bounds {
  readonly min?: number
  readonly max?: number
}

const isNumber = (value: unknown): value is number => typeof value === 'number'

const bounded = (value: number, code: 'integer' | 'money' | 'number', { min, max }: Bounds): Read<number> => {
  if (min !== undefined && value < min) return wrong(`${code}.min`, { min })
  if (max !== undefined && value > max) return wrong(`${code}.max`, { max })
  // Adding zero makes 0 of -0.
  return right(value + 0)
}

const boundsSchema = ({ min, max }: Bounds): JsonSchema => ({
  ...(min !== undefined && { minimum: min }),
  ...(max !== undefined && { maximum: max }),
})

/** A JSON number without a fraction, exact as such. Fails: `required`, `integer`, `integer.min`, `integer.max`. */
export const integer = ({ min, max, ...about }: Bounds & About = {}): Field<number> => {
  const bounds = { ...(min !== undefined && { min }), ...(max !== undefined && { max }) }
  return field<number, number, InputCode>(
    {
      name: 'integer',
      schema: { type: 'integer', ...boundsSchema(bounds) },
      is: isNumber,
      read: (value) =>
        isNumber(value) && Number.isSafeInteger(value) ? bounded(value, 'integer', bounds) : wrong('integer'),
    },
    about,
  )
}

/** The id of a record. Fails: as an integer of at least 1 does. */
export const id = (about: About = {}): Field<number> => integer({ min: 1, ...about })

interface MoneyBounds extends About {
  readonly minCents?: number
  readonly maxCents?: number
}

/**
 * Money: a JSON number in reais, in a program integer cents; bounds in cents, the least is 0 unless told.
 * Fails: `required`, `money`, `money.decimals`, `money.min` and `money.max` (in reais); in a program as an integer does.
 * Source: decisions.md §2.
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
        if (!isNumber(value) || !Number.isFinite(value)) return wrong('money')
        const inBounds = bounded(value, 'money', inReais)
        if (isLeft(inBounds)) return inBounds
        const cents = centsFromReais(value)
        return isLeft(cents) ? wrong('money.decimals') : cents
      },
      encode: reaisFromCents,
    },
    {
      ...about,
      on: inProgram(
        () => integer({ min: minCents, max: maxCents, ...about }),
        () => money(bounds),
      ),
    },
  )
}

const inProgram =
  (program: () => Field<number>, wire: () => Field<number>) =>
  ({ is }: Side): Field<number> =>
    is === 'program' ? program() : wire()

interface Scale extends About {
  readonly min: number
  readonly max: number
  /** How many digits there may be behind the point. */
  readonly decimals: number
}

const scaleField = (
  { min, max, decimals, ...about }: Scale,
  kept: (value: number, scaled: number) => number,
  encode: (kept: number) => number = (number) => number,
  program: (() => Field<number>) | null = null,
): Field<number> => {
  const factor = 10 ** decimals
  // Money's bound is every scale's: beyond it doubles lie further apart than one step.
  if (Math.max(-min, max) * factor > MAX_CENTS) throw new RangeError(`${decimals} decimals of ${max} are not exact`)
  const wire: Field<number> = field<number, number, InputCode>(
    {
      name: 'number',
      schema: { type: 'number', ...boundsSchema({ min, max }), description: `Até ${decimals} casas decimais.` },
      is: isNumber,
      read: (value) => {
        if (!isNumber(value) || !Number.isFinite(value)) return wrong('number')
        const inBounds = bounded(value, 'number', { min, max })
        if (isLeft(inBounds)) return inBounds
        const scaled = Math.round(value * factor) + 0
        return scaled / factor === value ? right(kept(inBounds.right, scaled)) : wrong('number.decimals', { decimals })
      },
      encode,
    },
    { ...about, ...(program && { on: inProgram(program, () => wire) }) },
  )
  return wire
}

/**
 * A JSON number of few decimals, kept as it is (an area).
 * Fails: `required`, `number`, `number.min`, `number.max`, `number.decimals`.
 */
export const decimal = (scale: Scale): Field<number> => scaleField(scale, (value) => value)

/**
 * A JSON number of few decimals, in a program an integer of its last one (4 decimals: 2.5 is 25,000).
 * Fails: as a decimal; in a program as an integer does.
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
 * A JSON number of at most 2 decimals, in a program integer hundredths (2.5% is 250); bounds as sent.
 * Fails: as a scaled number does.
 */
export const hundredths = (bounds: Omit<Scale, 'decimals'>): Field<number> => scaled({ ...bounds, decimals: 2 })

const isFlag = (value: unknown): value is boolean => typeof value === 'boolean'

/** true or false. Fails: `required`, `flag`. */
export const flag = (about: About = {}): Field<boolean> =>
  field(
    {
      name: 'flag',
      schema: { type: 'boolean' },
      is: isFlag,
      read: (value) => (isFlag(value) ? right(value) : wrong('flag')),
    },
    about,
  )

interface Choice<V> extends About {
  /** Those that the documentation speaks of, where the others are not served yet. */
  readonly offered?: readonly V[]
}

/** One of these words or numbers, exactly. Fails: `required`, `one-of` (its values, comma-separated). */
export const oneOf = <const V extends string | number>(
  values: readonly V[],
  { offered = values, ...about }: Choice<NoInfer<V>> = {},
): Field<V> => {
  const among = (value: unknown): value is V => values.some((each) => each === value)
  const params = { values: values.join(', ') }
  return field(
    {
      name: `one of ${params.values}`,
      schema: enumSchema(offered),
      is: among,
      read: (value) => (among(value) ? right(value) : wrong('one-of', params)),
    },
    about,
  )
}

const isText = (value: unknown): value is string => typeof value === 'string'

const ZONED =
  /^(\d{4}-\d{2}-\d{2})T(?:[01]\d|2[0-3])(?::[0-5]\d){1,2}(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/

/** The instant of an ISO 8601 date and time with `Z` or an offset, to the millisecond; null for anything else. */
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
  readonly take: (sent: string) => string | null
}

const momentField = (
  name: Moment,
  { schema, take }: MomentKind,
  about: About,
  encode: (kept: string) => string = (kept) => kept,
  on?: (side: Side) => Field<string>,
): Field<string> =>
  field(
    {
      name,
      schema: { type: 'string', ...schema },
      is: isText,
      read: (value) => {
        const taken = isText(value) ? take(value) : null
        return taken === null ? wrong(name) : right(taken)
      },
      encode,
    },
    { ...about, ...(on && { on }) },
  )

const DAY: MomentKind = { schema: { format: 'date' }, take: (sent) => (isDay(sent) ? sent : null) }
const MONTH: MomentKind = {
  schema: { pattern: '^[0-9]{4}-(0[1-9]|1[0-2])$' },
  take: (sent) => (isDay(`${sent}-01`) ? sent : null),
}
const INSTANT: MomentKind = { schema: { format: 'date-time' }, take: toInstant }
/** A date as many programs send it. It names no moment of a day, which in São Paulo would be the evening before. */
const MIDNIGHT_UTC = /^(.{10})T00:00(?::00(?:\.0+)?)?(?:Z|[+-]00:00)$/
const DAY_OR_INSTANT: MomentKind = {
  schema: { anyOf: [{ format: 'date' }, { format: 'date-time' }] },
  take: (sent) => {
    const [, date = sent] = MIDNIGHT_UTC.exec(sent) ?? []
    if (isDay(date)) return date
    const moment = toInstant(sent)
    return moment && dayOf(moment)
  },
}

/** A day of the calendar, `YYYY-MM-DD`. Fails: `required`, `day`. */
export const day = (about: About = {}): Field<Day> => momentField('day', DAY, about)

/** A month, `YYYY-MM`. Fails: `required`, `month`. */
export const month = (about: About = {}): Field<string> => momentField('month', MONTH, about)

/** An ISO 8601 date and time with its offset or `Z`, as the instant in UTC. Fails: `required`, `instant`. */
export const instant = (about: About = {}): Field<Instant> => momentField('instant', INSTANT, about)

/** An instant that is only shown: on the wire to the second, with São Paulo's offset. Fails: as an instant does. */
export const timestamp = (about: About = {}): Field<Instant> =>
  momentField('instant', INSTANT, about, withOffset, ({ is }) => (is === 'program' ? instant(about) : timestamp(about)))

/** A day, or an instant of which the São Paulo day is taken; midnight UTC is its own date. Fails: `required`, `day`. */
export const dayOrInstant = (about: About = {}): Field<Day> => momentField('day', DAY_OR_INSTANT, about)
