/** Fractions have at most 8 decimals: as integers of the last one they add up exactly. */
const STEPS = 100_000_000

/**
 * Returns the weight of each unit in a whole: its ideal fraction if each unit has one, else the same for all. A unit of
 * fraction 0 has no weight in either case.
 */
export const weightsOf = (fractions: readonly (number | null)[]): readonly bigint[] => {
  const isKnown = fractions.every((fraction) => fraction !== null)
  return fractions.map((fraction) => {
    if (fraction === 0) return 0n
    return isKnown && fraction !== null ? BigInt(Math.round(fraction * STEPS)) : 1n
  })
}

/**
 * Parts of a sum of cents by weight, which add up to it exactly: each is rounded down, and the cents that are left go to the
 * first ones that weigh something, one each. Nothing where nothing weighs anything.
 * Source: decisions.md §6, Expense split.
 */
export const sharesOf = (totalCents: number, weights: readonly bigint[]): readonly number[] => {
  const whole = weights.reduce((sum, weight) => sum + weight, 0n)
  if (whole === 0n) return weights.map(() => 0)
  const parts = weights.map((weight) => Number((BigInt(totalCents) * weight) / whole))
  const left = totalCents - parts.reduce((sum, part) => sum + part, 0)
  const weighty = weights.flatMap((weight, index) => (weight > 0n ? [index] : [])).slice(0, left)
  const more = new Set(weighty)
  return parts.map((part, index) => (more.has(index) ? part + 1 : part))
}
