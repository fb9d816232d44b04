import { halfUpRatio } from '../kernel/values/money.ts'

/** Steps of a number of percent, which has at most 4 decimals. Source: decisions.md §10, Edges. */
const STEPS = 10_000
const WHOLE = 100 * STEPS

/** Cents that are a number of percent (7.5 is 7.5%) of cents, half up. Source: decisions.md §10, Figures. */
export const percentOf = (cents: number, percent: number): number =>
  halfUpRatio(BigInt(cents) * BigInt(Math.round(percent * STEPS)), WHOLE)
