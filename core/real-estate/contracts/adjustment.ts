import { conflict, isLeft, left, refusal, right } from '../../failure.ts'
import { day, guid, type InputOf, input, inQuery, output, pick, view } from '../../kernel/input/mod.ts'
import { useCaseOf, withValidInput } from '../../kernel/running/use-case.ts'
import { type Day, dayOf, formatDay } from '../../kernel/values/day.ts'
import { halfUpRatio, MAX_AMOUNT_CENTS } from '../../kernel/values/money.ts'
import type { IndexFigure, PriceIndexes } from '../../ports/price-indexes.ts'
import type { Actor, RealEstatePorts } from '../real-estate-ports.ts'
import { type Contract, contractFields, indexFigureFields } from '../records/contract.ts'
import { monthOf, PERCENT_STEPS, shiftMonth } from '../records/fields.ts'
import { monthsAfter, valueSince, wholeMonths } from '../terms/periods.ts'
import { ENDED } from './contract-inputs.ts'
import { readContract } from './read-contract.ts'

export const adjustmentDay = input('AdjustmentDay', {
  on: inQuery.day({ about: 'Dia para o qual se calcula; hoje, se não informado' }),
})
export type AdjustmentDay = InputOf<typeof adjustmentDay>

/** The adjustment of a contract's value by its index. */
export interface Adjustment {
  readonly contractId: string
  readonly indexer: Contract['indexer']
  /** The first day of the value: of the period, or of its last adjustment. */
  readonly since: Day
  /** The anniversary of that day from which the new value applies. */
  readonly dueOn: Day
  /** The index figures of the twelve months; none of a fixed adjustment. */
  readonly figures: readonly IndexFigure[]
  /** The compound of the twelve months, in percent of 4 decimals. */
  readonly measuredPercentage: number
  /** The applied percentage: a fall counts as 0 unless it was agreed. */
  readonly appliedPercentage: number
  readonly valueCents: number
  readonly newValueCents: number
}

/** The fields of a contract that its adjustment depends on. */
export type AdjustableContract = Pick<
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

export const previewAdjustment =
  (ports: RealEstatePorts) =>
  (actor: Actor, id: string, submitted: AdjustmentDay = {}) =>
    withValidInput(ports, adjustmentDay, submitted, ({ on = dayOf(ports.clock.steady()) }) =>
      useCaseOf<Adjustment>()(async () => {
        const found = await readContract(ports)(actor, id)()
        if (isLeft(found)) return found
        const { contract } = found.right
        return adjustmentOf(contract, on, await readFigures(ports.indexes, contract, on))
      }),
    )

/** The months after which a value can be adjusted at the earliest (Lei 10.192/2001, art. 2 §1). */
const MONTHS = 12

/** Returns the last anniversary of a day on or before another; null within the first year. */
export const anniversaryOf = (since: Day, on: Day): Day | null => {
  const years = Math.floor(wholeMonths(since, on) / MONTHS)
  return years < 1 ? null : monthsAfter(since, years * MONTHS)
}

/** Returns the twelve months before the month of an anniversary, oldest first. */
export const monthsBefore = (anniversary: Day): readonly string[] =>
  Array.from({ length: MONTHS }, (_, index) => shiftMonth(monthOf(anniversary), index - MONTHS))

/** Reads the index figures for an adjustment on a day; none of a fixed one and within the first year. */
export const readFigures = async (
  indexes: PriceIndexes,
  { indexer, startDate, adjustments }: AdjustableContract,
  on: Day,
): Promise<ReadonlyMap<string, IndexFigure>> => {
  const anniversary = anniversaryOf(valueSince({ startDate, adjustments }), on)
  if (indexer === 'Fixed' || anniversary === null) return new Map()
  return indexes.figures(indexer, monthsBefore(anniversary))
}

/**
 * Returns the value to which an index adjusts that of a contract on a day, half up: by the product of the twelve months
 * before the last anniversary of the value, and never within its first year (Lei 10.192/2001, art. 2).
 * Fails: `contract.ended`, `adjustment.early`, `adjustment.no-percentage`, `adjustment.missing`, `adjustment.unpayable`
 * (the result is 0 or exceeds the largest amount).
 */
export const adjustmentOf = (contract: AdjustableContract, on: Day, known: ReadonlyMap<string, IndexFigure>) => {
  const { id: contractId, status, indexer, valueCents, allowNegativeAdjustment } = contract
  const since = valueSince(contract)
  if (status !== 'Active') return left(ENDED)
  const dueOn = anniversaryOf(since, on)
  if (dueOn === null) return left(refusal('adjustment.early', formatDay(monthsAfter(since, MONTHS))))
  const measured = percentsOf(contract, dueOn, known)
  if (isLeft(measured)) return measured
  const { figures, percents } = measured.right
  const [numerator, denominator] = factorOf(percents)
  const measuredPercentage = halfUpRatio((numerator - denominator) * WHOLE, denominator) / PERCENT_STEPS
  const isApplied = numerator >= denominator || allowNegativeAdjustment
  const newValueCents = isApplied ? halfUpRatio(BigInt(valueCents) * numerator, denominator) : valueCents
  if (newValueCents > MAX_AMOUNT_CENTS || newValueCents === 0) return conflict('adjustment.unpayable')
  const adjustment: Adjustment = {
    ...{ contractId, indexer, since, dueOn, figures, measuredPercentage, valueCents },
    appliedPercentage: isApplied ? measuredPercentage : 0,
    newValueCents,
  }
  return right(adjustment)
}

/** Returns the monthly rises to apply. Fails with the months that have no figure. */
const percentsOf = (
  { indexer, indexerPercentage }: AdjustableContract,
  dueOn: Day,
  known: ReadonlyMap<string, IndexFigure>,
) => {
  if (indexer === 'Fixed') {
    if (indexerPercentage === null) return conflict('adjustment.no-percentage')
    return right({ figures: [], percents: [indexerPercentage] })
  }
  const months = monthsBefore(dueOn)
  const figures = months.flatMap((month) => known.get(month) ?? [])
  const missing = months.filter((month) => !known.has(month))
  if (missing.length > 0) return left(refusal('adjustment.missing', `${indexer} ${missing.join(', ')}`))
  return right({ figures, percents: figures.map(({ percent }) => percent) })
}

/** 100 percent, in the steps of a percentage. */
const WHOLE = BigInt(100 * PERCENT_STEPS)

const stepsOf = (percent: number): bigint => BigInt(Math.round(percent * PERCENT_STEPS))

/** The exact factor of several rises in a row: numerator and denominator. */
const factorOf = (percents: readonly number[]): readonly [bigint, bigint] =>
  percents.reduce<readonly [bigint, bigint]>(
    ([numerator, denominator], percent) => [numerator * (WHOLE + stepsOf(percent)), denominator * WHOLE],
    [1n, 1n],
  )

const figureView = view('IndexFigure', indexFigureFields)

export const adjustmentView = view('Adjustment', {
  contractId: guid({ about: 'Identificador do contrato' }),
  ...pick(contractFields, 'indexer'),
  since: day({ about: 'Desde quando vale o valor atual' }),
  dueOn: day({ about: 'Data-base a partir da qual vale o reajuste' }),
  figures: output.views(figureView, { about: 'As variações dos doze meses antes da data-base' }),
  measuredPercentage: output.number({ about: 'Variação acumulada, em %' }),
  appliedPercentage: output.number({ about: 'Variação aplicada, em %: a negativa só se foi combinado' }),
  ...pick(contractFields, 'valueCents'),
  newValueCents: output.money({ wire: 'newValue', about: 'Novo valor' }),
})
