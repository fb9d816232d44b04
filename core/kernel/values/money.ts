import { type Either, left, right } from '../../fp.ts'

/** An integer, or a product of integers too large for a number. */
export type Integer = number | bigint

/** The most that is read from a number in reais (2^45 reais): above it the error of a double reaches half a cent. */
export const MAX_CENTS = 3_518_437_208_883_200

/** The most that one amount may be: 9,999,999,999.99 reais, what fits in a Pix code. Source: decisions.md §9. */
export const MAX_AMOUNT_CENTS = 999_999_999_999

/** 100% in hundredths of a percent. */
export const WHOLE_PERCENT = 10_000

/**
 * Integer cents of a number in reais, exactly as the JSON number reads.
 * Fails: `decimals` for a third decimal; `range` for NaN, infinities and amounts that a double cannot tell to the cent.
 * Source: decisions.md §2.
 */
export const centsFromReais = (reais: number): Either<'decimals' | 'range', number> => {
  if (!(Math.abs(reais) <= MAX_CENTS / 100)) return left('range')
  const cents = Math.round(reais * 100)
  // A text of two decimals reads as the double nearest to it, and so does this division: anything else had more.
  if (cents / 100 !== reais) return left('decimals')
  return right(cents === 0 ? 0 : cents)
}

/** Reais, as JSON shows them, of integer cents. */
export const reaisFromCents = (cents: number): number => cents / 100

const grouped = (digits: string): string => digits.replace(/\B(?=(\d{3})+$)/g, '.')

/** A count as Brazilians write it: `10.000`. */
export const formatCount = (count: number): string => grouped(String(count))

/** `R$ 1.234,56` of integer cents; negative ones as `-R$ 1,00`. */
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

/**
 * The ratio of two integers without its fraction (towards zero).
 * Source: pix-boleto.md §6, every part of a charge is truncated.
 */
export const truncateRatio = (numerator: Integer, denominator: Integer): number =>
  exact(BigInt(numerator) / BigInt(denominator))

/**
 * The integer nearest to the ratio of two integers; a half goes away from zero, so that a reversal mirrors its original.
 * Source: decisions.md §10 (commissions), §11 (card net).
 */
export const halfUpRatio = (numerator: Integer, denominator: Integer): number => {
  const [n, d] = [BigInt(numerator), BigInt(denominator)]
  const half = n < 0n === d < 0n ? d : -d
  return exact((2n * n + half) / (2n * d))
}

/** Cents that are a percentage (in hundredths of a percent: 2.5% is 250) of cents, half up. */
export const percentHalfUp = (cents: number, percentHundredths: number): number =>
  halfUpRatio(BigInt(cents) * BigInt(percentHundredths), WHOLE_PERCENT)

/**
 * Cents in `parts` (at least 1) parts that add up exactly; the first one takes all the cents left over.
 * Source: decisions.md §3, instalments of a plan.
 */
export const splitRemainderFirst = (totalCents: number, parts: number): number[] => {
  const leftOver = totalCents % parts
  const share = (totalCents - leftOver) / parts
  return Array.from({ length: parts }, (_, index) => (index === 0 ? share + leftOver : share))
}

/**
 * Cents in `parts` (at least 1) parts that add up exactly; the first ones take one left over cent each.
 * Source: decisions.md §6, expense split.
 */
export const splitRemainderSpread = (totalCents: number, parts: number): number[] => {
  const leftOver = totalCents % parts
  const share = (totalCents - leftOver) / parts
  return Array.from({ length: parts }, (_, index) => (index < Math.abs(leftOver) ? share + Math.sign(leftOver) : share))
}
