import { conflict, invalid, isLeft, issue, left, refusal, right } from '../../failure.ts'
import { day, guid, type InputOf, input, inQuery, output, pick, view } from '../../kernel/input/mod.ts'
import { patch } from '../../kernel/records/record.ts'
import { accept, type Fresh, useCase, useCaseOf, withValidInput } from '../../kernel/running/use-case.ts'
import { addDays, type Day, dayOf, formatDay } from '../../kernel/values/day.ts'
import { halfUpRatio, MAX_AMOUNT_CENTS } from '../../kernel/values/money.ts'
import type { IndexFigure, PriceIndexes } from '../../ports/price-indexes.ts'
import type { Actor, CompanyActor, RealEstatePorts } from '../real-estate-ports.ts'
import {
  type Contract,
  contract,
  contractFields,
  contracts,
  indexFigureFields,
  MAX_PERIODS,
} from '../records/contract.ts'
import { monthOf, PERCENT_STEPS, shiftMonth, unchanged } from '../records/fields.ts'
import { afterStoringPaidTerms, findManagement } from '../terms/paid-terms.ts'
import { monthsAfter, valueOn, valueSince, wholeMonths } from '../terms/periods.ts'
import {
  type ContractRenewal,
  contractRenewal,
  ENDED,
  percentageOf,
  type RenewalFields,
  UNKNOWN,
} from './contract-inputs.ts'
import { type ContractDetail, readContract, readDetail } from './read-contract.ts'

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

/** The months after which a value can be adjusted at the earliest (Lei 10.192/2001, art. 2 §1). */
const MONTHS = 12
/** 100 percent, in the steps of a percentage. */
const WHOLE = BigInt(100 * PERCENT_STEPS)

/** Returns the last anniversary of a day on or before another; null within the first year. */
export const anniversaryOf = (since: Day, on: Day): Day | null => {
  const years = Math.floor(wholeMonths(since, on) / MONTHS)
  return years < 1 ? null : monthsAfter(since, years * MONTHS)
}

/** Returns the twelve months before the month of an anniversary, oldest first. */
export const monthsBefore = (anniversary: Day): readonly string[] =>
  Array.from({ length: MONTHS }, (_, index) => shiftMonth(monthOf(anniversary), index - MONTHS))

const stepsOf = (percent: number): bigint => BigInt(Math.round(percent * PERCENT_STEPS))

/** The exact factor of several rises in a row: numerator and denominator. */
const factorOf = (percents: readonly number[]): readonly [bigint, bigint] =>
  percents.reduce<readonly [bigint, bigint]>(
    ([numerator, denominator], percent) => [numerator * (WHOLE + stepsOf(percent)), denominator * WHOLE],
    [1n, 1n],
  )

/** Reads the index figures for an adjustment on a day; none of a fixed one and within the first year. */
const readFigures = async (
  indexes: PriceIndexes,
  { indexer, startDate, adjustments }: AdjustableContract,
  on: Day,
): Promise<ReadonlyMap<string, IndexFigure>> => {
  const anniversary = anniversaryOf(valueSince({ startDate, adjustments }), on)
  if (indexer === 'Fixed' || anniversary === null) return new Map()
  return indexes.figures(indexer, monthsBefore(anniversary))
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

export const adjustmentDay = input('AdjustmentDay', {
  on: inQuery.day({ about: 'Dia para o qual se calcula; hoje, se não informado' }),
})
export type AdjustmentDay = InputOf<typeof adjustmentDay>

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

/** Returns the value of the new period and the adjustments after a renewal. */
const newTerms = (record: Contract, renewal: RenewalFields, figures: ReadonlyMap<string, IndexFigure>) => {
  const adjustedFrom = addDays(record.endDate, 1)
  // An adjustment from a later day moves to the first day of the new period, whose value replaces it.
  const adjustments = record.adjustments.map((each) =>
    each.adjustedFrom !== null && each.adjustedFrom > adjustedFrom ? { ...each, adjustedFrom } : each,
  )
  if (renewal.newValueCents !== null) return right({ valueCents: renewal.newValueCents, adjustments })
  if (adjustments.length >= MAX_PERIODS) return conflict('contract.adjustments')
  const adjusted = adjustmentOf(record, adjustedFrom, figures)
  if (isLeft(adjusted)) return adjusted
  const { contractId: _, ...adjustment } = adjusted.right
  return right({ valueCents: adjustment.newValueCents, adjustments: [...adjustments, { ...adjustment, adjustedFrom }] })
}

/** Reads the contract to renew, and the index figures if it is adjusted. */
const readRenewal = async (
  { store, indexes }: RealEstatePorts,
  companyId: string,
  id: string,
  renewal: RenewalFields,
) => {
  const record = await contract.find(store, companyId, id)
  if (!record) return null
  const figures: ReadonlyMap<string, IndexFigure> = renewal.applyAdjustment
    ? await readFigures(indexes, record, addDays(record.endDate, 1))
    : new Map()
  return { detail: await readDetail(store, record), figures }
}

/** Ends the current period of an active contract and begins a new one on the day after it. */
const decideRenewal = (facts: Awaited<ReturnType<typeof readRenewal>>, renewal: RenewalFields, { now }: Fresh) => {
  if (!facts) return left(UNKNOWN)
  const { contract: record } = facts.detail
  const { newEndDate, indexer } = renewal
  if (newEndDate <= record.endDate) return left(invalid([issue('newEndDate', 'after', { other: 'endDate' })]))
  if (record.status !== 'Active') return left(ENDED)
  if (record.periods.length >= MAX_PERIODS) return conflict('contract.periods')
  const terms = newTerms(record, renewal, facts.figures)
  if (isLeft(terms)) return terms
  const { startDate, endDate } = record
  const former = {
    ...{ startDate, endDate, valueCents: valueOn(record, endDate) },
    ...{ indexer: record.indexer, indexerPercentage: record.indexerPercentage },
  }
  const indexerPercentage =
    renewal.indexerPercentage === undefined ? record.indexerPercentage : renewal.indexerPercentage
  const set = {
    ...terms.right,
    periods: [...record.periods, former],
    startDate: addDays(endDate, 1),
    endDate: newEndDate,
    indexer,
    indexerPercentage: percentageOf({ indexer, indexerPercentage }),
    updatedAt: now,
  }
  // The commit is stale after another renewal or another value.
  const when = unchanged(record, 'removedAt', 'status', 'startDate', 'endDate', 'valueCents')
  return accept<ContractDetail>(
    { ...facts.detail, contract: { ...record, ...set } },
    patch(contracts, record.id, { set, when }),
  )
}

export const renewContract =
  (ports: RealEstatePorts) =>
  ({ companyId }: CompanyActor, id: string, submitted: ContractRenewal) =>
    withValidInput(ports, contractRenewal, submitted, (renewal) =>
      afterStoringPaidTerms(
        ports,
        () => findManagement(ports.store, companyId, id),
        useCase(
          ports,
          () => readRenewal(ports, companyId, id, renewal),
          (facts, fresh) => decideRenewal(facts, renewal, fresh),
        ),
      ),
    )
