import { isLeft, right } from '../../../fp.ts'
import { centsFromReais, MAX_AMOUNT_CENTS, MAX_CENTS, reaisFromCents } from '../../values/money.ts'
import { type About, type Field, field, type Read, wrong } from '../codec.ts'
import type { InputCode } from '../codes.ts'
import type { JsonSchema } from '../json-schema.ts'
import type { Side } from '../side.ts'

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
