import { isLeft, right } from '../../../fp.ts'
import { centsFromReais, MAX_AMOUNT_CENTS, MAX_CENTS, reaisFromCents } from '../../values/money.ts'
import { type Field, field, type Read, wrong } from '../codec.ts'
import type { JsonSchema } from '../json-schema.ts'

/** Both ends are allowed. */
export interface Bounds {
  readonly min?: number
  readonly max?: number
}

const isNumber = (value: unknown): value is number => typeof value === 'number'

const bounded = (value: number, code: string, { min, max }: Bounds): Read<number> => {
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
export const integer = (bounds: Bounds = {}): Field<number> =>
  field({
    name: 'integer',
    schema: { type: 'integer', ...boundsSchema(bounds) },
    is: isNumber,
    read: (value) =>
      isNumber(value) && Number.isSafeInteger(value) ? bounded(value, 'integer', bounds) : wrong('integer'),
  })

/** The id of a record. Fails: as an integer of at least 1 does. */
export const id = (): Field<number> => integer({ min: 1 })

/**
 * A JSON number in reais, as integer cents; bounds in cents, the least is 0 unless told.
 * Fails: `required`, `money`, `money.decimals`, `money.min` and `money.max` (in reais). Source: decisions.md §2.
 */
export const reais = ({
  minCents = 0,
  maxCents = MAX_AMOUNT_CENTS,
}: {
  readonly minCents?: number
  readonly maxCents?: number
} = {}): Field<number> => {
  const bounds = { min: reaisFromCents(minCents), max: reaisFromCents(maxCents) }
  return field({
    name: 'reais',
    schema: { type: 'number', ...boundsSchema(bounds), description: 'Reais, com até 2 casas decimais.' },
    is: isNumber,
    read: (value) => {
      if (!isNumber(value) || !Number.isFinite(value)) return wrong('money')
      const inBounds = bounded(value, 'money', bounds)
      if (isLeft(inBounds)) return inBounds
      const cents = centsFromReais(value)
      return isLeft(cents) ? wrong('money.decimals') : cents
    },
    encode: reaisFromCents,
  })
}

interface Scale {
  readonly min: number
  readonly max: number
  /** How many digits there may be behind the point. */
  readonly decimals: number
}

const scaleField = (
  { min, max, decimals }: Scale,
  kept: (value: number, scaled: number) => number,
  encode: (kept: number) => number = (number) => number,
): Field<number> => {
  const factor = 10 ** decimals
  // Money's bound is every scale's: beyond it doubles lie further apart than one step.
  if (Math.max(-min, max) * factor > MAX_CENTS) throw new RangeError(`${decimals} decimals of ${max} are not exact`)
  return field({
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
  })
}

/**
 * A JSON number of few decimals, kept as it is (an area).
 * Fails: `required`, `number`, `number.min`, `number.max`, `number.decimals`.
 */
export const decimal = (scale: Scale): Field<number> => scaleField(scale, (value) => value)

/** A JSON number of few decimals as an integer of its last one (4 decimals: 2.5 is 25,000). Fails: as a decimal. */
export const scaled = (scale: Scale): Field<number> =>
  scaleField(
    scale,
    (_, steps) => steps,
    (steps) => steps / 10 ** scale.decimals,
  )

/** A JSON number of at most 2 decimals as integer hundredths (2.5% is 250); bounds as sent. Fails: as a decimal. */
export const hundredths = (bounds: { readonly min: number; readonly max: number }): Field<number> =>
  scaled({ ...bounds, decimals: 2 })
