import { failure, refusal } from '../../failure.ts'
import { isLeft, left, right } from '../../fp.ts'
import { addMonths, type Day, formatDay } from '../../kernel/values/day.ts'
import { halfUpRatio, MAX_AMOUNT_CENTS } from '../../kernel/values/money.ts'
import type { IndexFigure, PriceIndexes } from '../../ports/price-indexes.ts'
import type { Contract } from '../records/contract.ts'
import { valueSince } from './stretches.ts'
import { monthsAfter, wholeMonths } from './term.ts'

/** What an index makes of the value of a contract. */
export interface Adjustment {
  readonly contractId: string
  readonly indexer: Contract['indexer']
  /** The first day of the value: of the period, or of its last adjustment. */
  readonly since: Day
  /** The anniversary of that day from which the new value may be asked. */
  readonly dueOn: Day
  /** What was measured in the twelve months before; of a fixed adjustment nothing. */
  readonly figures: readonly IndexFigure[]
  /** What the twelve months make together, in percent of 4 decimals. */
  readonly measuredPercentage: number
  /** What of it is applied: a fall is not, unless that was agreed. */
  readonly appliedPercentage: number
  readonly valueCents: number
  readonly newValueCents: number
}

/** A contract as its adjustment looks at it. */
export type Adjusted = Pick<
  Contract,
  | 'id'
  | 'status'
  | 'indexer'
  | 'indexerPercentage'
  | 'startDate'
  | 'valueCents'
  | 'adjustments'
  | 'allowNegativeAdjustment'
>

/** Under a year nothing is adjusted. Source: Lei 10.192/2001, art. 2 §1. */
const MONTHS = 12
/** The last of the 4 decimals of a percent, in a whole. */
const WHOLE = 1_000_000n
const PERCENT_DECIMALS = 10_000

/** The last anniversary of a day on or before another; null within the first year. */
export const anniversaryOf = (since: Day, on: Day): Day | null => {
  const years = Math.floor(wholeMonths(since, on) / MONTHS)
  return years < 1 ? null : monthsAfter(since, years * MONTHS)
}

/** The twelve months before that of an anniversary, the oldest first. */
export const monthsBefore = (anniversary: Day): readonly string[] =>
  Array.from({ length: MONTHS }, (_, index) => addMonths(`${anniversary.slice(0, 7)}-01`, index - MONTHS).slice(0, 7))

/** A percentage of 4 decimals as its last one. */
const stepsOf = (percent: number): bigint => BigInt(Math.round(percent * PERCENT_DECIMALS))

/** What several rises make one after the other, exactly: numerator and denominator of the factor. */
const factorOf = (percents: readonly number[]): readonly [bigint, bigint] =>
  percents.reduce<readonly [bigint, bigint]>(
    ([above, below], percent) => [above * (WHOLE + stepsOf(percent)), below * WHOLE],
    [1n, 1n],
  )

const ENDED = failure('conflict', 'contract.ended')
const UNPAYABLE = failure('conflict', 'adjustment.unpayable')
const NO_PERCENTAGE = failure('conflict', 'adjustment.no-percentage')

/** The figures that an adjustment on a day asks for: of a fixed one, and within the first year, none. */
export const readFigures = async (
  indexes: PriceIndexes,
  { indexer, startDate, adjustments }: Adjusted,
  on: Day,
): Promise<ReadonlyMap<string, IndexFigure>> => {
  const anniversary = anniversaryOf(valueSince({ startDate, adjustments }), on)
  if (indexer === 'Fixed' || anniversary === null) return new Map()
  return indexes.figures(indexer, monthsBefore(anniversary))
}

/** The rises that are applied, or which of them are not known. */
const percentsOf = ({ indexer, indexerPercentage }: Adjusted, due: Day, known: ReadonlyMap<string, IndexFigure>) => {
  if (indexer === 'Fixed') {
    if (indexerPercentage === null) return left(NO_PERCENTAGE)
    return right({ figures: [], percents: [indexerPercentage] })
  }
  const months = monthsBefore(due)
  const figures = months.flatMap((month) => known.get(month) ?? [])
  const missing = months.filter((month) => !known.has(month))
  if (missing.length > 0) return left(refusal('adjustment.missing', `${indexer} ${missing.join(', ')}`))
  return right({ figures, percents: figures.map(({ percent }) => percent) })
}

/**
 * Returns the value to which an index adjusts that of a contract on a day, half up: by the product of the twelve months before
 * the last anniversary of the value, and never within its first year.
 * Fails: `contract.ended`, `adjustment.early`, `adjustment.no-percentage`, `adjustment.missing`, `adjustment.unpayable` (nothing
 * is left, or more than an amount may be).
 * Source: Lei 10.192/2001, art. 2; decisions.md §6, index port.
 */
export const adjustmentOf = (contract: Adjusted, on: Day, known: ReadonlyMap<string, IndexFigure>) => {
  const { id: contractId, status, indexer, valueCents, allowNegativeAdjustment } = contract
  const since = valueSince(contract)
  if (status !== 'Active') return left(ENDED)
  const dueOn = anniversaryOf(since, on)
  if (dueOn === null) return left(refusal('adjustment.early', formatDay(monthsAfter(since, MONTHS))))
  const measured = percentsOf(contract, dueOn, known)
  if (isLeft(measured)) return measured
  const { figures, percents } = measured.right
  const [above, below] = factorOf(percents)
  const measuredPercentage = halfUpRatio((above - below) * WHOLE, below) / PERCENT_DECIMALS
  const isApplied = above >= below || allowNegativeAdjustment
  const newValueCents = isApplied ? halfUpRatio(BigInt(valueCents) * above, below) : valueCents
  if (newValueCents > MAX_AMOUNT_CENTS || newValueCents === 0) return left(UNPAYABLE)
  const adjustment: Adjustment = {
    ...{ contractId, indexer, since, dueOn, figures, measuredPercentage, valueCents },
    appliedPercentage: isApplied ? measuredPercentage : 0,
    newValueCents,
  }
  return right(adjustment)
}
