import { type Either, left, right } from '../../failure.ts'

/** An integer; a bigint if it can exceed the safe integers. */
export type Integer = number | bigint

/** The largest amount read from a number in reais (2^45): above it, the error of a double reaches half a cent. */
export const MAX_CENTS = 3_518_437_208_883_200

/** The largest amount: 9,999,999,999.99 reais, the largest in a Pix code. */
export const MAX_AMOUNT_CENTS = 999_999_999_999

/** 100% in hundredths of a percent. */
export const WHOLE_PERCENT = 10_000

/**
 * Converts a number in reais to integer cents, exactly.
 * Fails: `decimals` for a third decimal; `range` for NaN, infinities and amounts that a double cannot represent to the
 * cent.
 */
export const centsFromReais = (reais: number): Either<'decimals' | 'range', number> => {
  if (!(Math.abs(reais) <= MAX_CENTS / 100)) return left('range')
  const cents = Math.round(reais * 100)
  // A number with two decimals parses to the nearest double, which is also the result of this division.
  if (cents / 100 !== reais) return left('decimals')
  return right(cents === 0 ? 0 : cents)
}

/** Converts integer cents to a number in reais, as in JSON. */
export const reaisFromCents = (cents: number): number => cents / 100

const grouped = (digits: string): string => digits.replace(/\B(?=(\d{3})+$)/g, '.')

/** Formats a count in Brazilian notation: `10.000`. */
export const formatCount = (count: number): string => grouped(String(count))

/** Formats integer cents as `R$ 1.234,56`, negative ones as `-R$ 1,00`. */
export const formatReais = (cents: number): string => {
  const digits = String(Math.abs(cents)).padStart(3, '0')
  const whole = grouped(digits.slice(0, -2))
  return `${cents < 0 ? '-' : ''}R$ ${whole},${digits.slice(-2)}`
}

const exact = (whole: bigint): number => {
  const value = Number(whole)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${whole} is too large for an exact number`)
  return value
}

/** Divides two integers and truncates the result towards zero, as every part of a charge is. */
export const truncateRatio = (numerator: Integer, denominator: Integer): number =>
  exact(BigInt(numerator) / BigInt(denominator))

/** Divides two integers and rounds half away from zero, so that a reversal mirrors its original. */
export const halfUpRatio = (numerator: Integer, denominator: Integer): number => {
  const [n, d] = [BigInt(numerator), BigInt(denominator)]
  const half = n < 0n === d < 0n ? d : -d
  return exact((2n * n + half) / (2n * d))
}

/** Returns a percentage of cents, rounded half up. The percentage is in hundredths of a percent: 2.5% is 250. */
export const percentHalfUp = (cents: number, percentHundredths: number): number =>
  halfUpRatio(BigInt(cents) * BigInt(percentHundredths), WHOLE_PERCENT)

/** Splits cents into `parts` (at least 1) equal parts; the first one takes the remainder (instalments of a plan). */
export const splitRemainderFirst = (totalCents: number, parts: number): number[] => {
  const remainder = totalCents % parts
  const share = (totalCents - remainder) / parts
  return Array.from({ length: parts }, (_, index) => (index === 0 ? share + remainder : share))
}

/**
 * Divides cents by weights (integers, not negative) of a whole, by default their positive sum, by largest remainder:
 * each part is its exact share rounded down, and the cents that are left of their exact sum go to the largest
 * fractions, the first of equal ones.
 */
export const splitByWeights = (
  totalCents: number,
  weights: readonly number[],
  whole: number | null = null,
): number[] => {
  const sum = weights.reduce((all, weight) => all + BigInt(weight), 0n)
  const divisor = whole === null ? sum : BigInt(whole)
  const exactParts = weights.map((weight, index) => {
    const product = BigInt(totalCents) * BigInt(weight)
    return { index, cents: exact(product / divisor), rest: product % divisor }
  })
  const sharedCents = exact((BigInt(totalCents) * sum) / divisor)
  const left = sharedCents - exactParts.reduce((all, { cents }) => all + cents, 0)
  const favoured = new Set(
    exactParts
      .toSorted((a, b) => (a.rest === b.rest ? a.index - b.index : a.rest > b.rest ? -1 : 1))
      .slice(0, left)
      .map(({ index }) => index),
  )
  return exactParts.map(({ index, cents }) => cents + (favoured.has(index) ? 1 : 0))
}

/** Divides cents among parts in their order, up to the limit of each. The rest that exceeds all limits is dropped. */
export const fillInOrder = (cents: number, limits: readonly number[]): number[] => {
  let left = cents
  return limits.map((limit) => {
    const part = Math.min(left, limit)
    left -= part
    return part
  })
}

/** Returns the sum of an amount of each item. */
export const sumBy = <A>(items: readonly A[], centsOf: (item: A) => number): number =>
  items.reduce((sum, item) => sum + centsOf(item), 0)
