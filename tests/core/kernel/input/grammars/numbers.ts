import fc from 'fast-check'
import { type Fate, type Grammar, kept, parsed } from './grammar.ts'

/** A number as a double prints itself, digit by digit: `units` of its `decimals`-th decimal. */
interface Exact {
  readonly units: bigint
  readonly decimals: number
}

const exactOf = (value: number): Exact => {
  const [mantissa = '', exponent = '0'] = `${value}`.split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const decimals = fraction.length - Number(exponent)
  const units = BigInt(whole + fraction)
  return decimals < 0 ? { units: units * 10n ** BigInt(-decimals), decimals: 0 } : { units, decimals }
}

/** How many steps of so many decimals a number is; null where it has more decimals than that. */
const stepsOf = (value: number, decimals: number): bigint | null => {
  const { units, decimals: own } = exactOf(value)
  if (own <= decimals) return units * 10n ** BigInt(decimals - own)
  const cut = 10n ** BigInt(own - decimals)
  return units % cut === 0n ? units / cut : null
}

interface Range {
  /** Both in steps of the last decimal. */
  readonly min: number
  readonly max: number
  readonly decimals?: number
  /** What is kept: the steps, or the number itself. */
  readonly keeps?: 'steps' | 'number'
}

/** The fate of a number that JSON reads. */
export const numberFate = (value: unknown, { min, max, decimals = 0, keeps = 'steps' }: Range): Fate => {
  if (typeof value !== 'number' || !Number.isFinite(value)) return null
  const steps = stepsOf(value, decimals)
  if (steps === null || steps < BigInt(min) || steps > BigInt(max)) return null
  return kept(keeps === 'steps' || value === 0 ? Number(steps) : value)
}

const written = (steps: number, decimals: number): string => {
  const digits = `${Math.abs(steps)}`.padStart(decimals + 1, '0')
  const sign = steps < 0 ? '-' : ''
  return decimals === 0 ? sign + digits : `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

const isZero = (steps: number) => fc.constantFrom(...(steps === 0 ? ['', '-'] : ['']))

/** JSON numbers in a range, however they are written: `2.50`, `2.5`, `25e-1`, `-0`. */
export const numbers = (range: Range): Grammar => {
  const { min, max, decimals = 0, keeps = 'steps' } = range
  const steps = fc.oneof(
    fc.integer({ min: Math.max(min, -1_000), max: Math.min(max, 1_000) }),
    fc.integer({ min, max }),
    fc.constantFrom(min, max),
  )
  return {
    near: '0123456789.-+eE',
    oracle: (text) => {
      const json = parsed(text)
      return json === null ? null : numberFate(json.kept, range)
    },
    valid: steps.chain((value) =>
      fc
        .tuple(isZero(value), fc.constantFrom('plain', 'short', 'power'))
        .map(([sign, form]): readonly [string, number] => {
          const plain = written(value, decimals)
          const short = plain.includes('.') ? plain.replace(/\.?0+$/, '') : plain
          const text = { plain, short, power: `${value}e-${decimals}` }[form] ?? plain
          return [sign + text, keeps === 'steps' ? value : Number(plain)]
        }),
    ),
  }
}
