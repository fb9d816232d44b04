import { failure, invalid, issue, refusal } from '../../failure.ts'
import { isLeft, left, right } from '../../fp.ts'
import { type InputOf, input } from '../../kernel/input/input.ts'
import { inQuery } from '../../kernel/input/query.ts'
import { day } from '../../kernel/input/scalars.ts'
import { pick } from '../../kernel/input/table.ts'
import { guid } from '../../kernel/input/texts.ts'
import { output, view } from '../../kernel/input/view.ts'
import { patch } from '../../kernel/records/change.ts'
import { all, eq } from '../../kernel/records/where.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'
import { accept, useCase, useCaseOf, withValidInput } from '../../kernel/running/use-case.ts'
import { addDays, addMonths, type Day, dayOf, formatDay } from '../../kernel/values/day.ts'
import { halfUpRatio, MAX_AMOUNT_CENTS } from '../../kernel/values/money.ts'
import type { IndexFigure, PriceIndexes } from '../../ports/price-indexes.ts'
import type { Actor } from '../actor.ts'
import { managedBy, oncePaidTermsKept } from '../paid-terms.ts'
import { monthsAfter, valueOn, valueSince, wholeMonths } from '../periods.ts'
import type { RealEstatePorts } from '../real-estate-ports.ts'
import {
  type Contract,
  contract,
  contractFields,
  contracts,
  indexFigureFields,
  MAX_PERIODS,
} from '../records/contract.ts'
import { type ContractRenewal, contractRenewal, percentageOf, type SentRenewal } from './contract-inputs.ts'
import { type ContractDetail, detailOf, readContract } from './read-contract.ts'

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

/** Under a year nothing is adjusted (Lei 10.192/2001, art. 2 §1). */
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
 * Source: Lei 10.192/2001, art. 2.
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

/** For which day an adjustment is worked out. */
export const adjustmentDay = input('AdjustmentDay', {
  on: inQuery.day({ about: 'Dia para o qual se calcula; hoje, se não informado' }),
})
export type AdjustmentDay = InputOf<typeof adjustmentDay>

/** What the index of a contract makes of its value, without changing it. */
export const previewAdjustment =
  (ports: RealEstatePorts) =>
  (actor: Actor, id: string, given: AdjustmentDay = {}) =>
    withValidInput(ports, adjustmentDay, given, ({ on = dayOf(ports.clock.steady()) }) =>
      useCaseOf<Adjustment>()(async () => {
        const found = await readContract(ports)(actor, id)()
        if (isLeft(found)) return found
        const { contract } = found.right
        return adjustmentOf(contract, on, await readFigures(ports.indexes, contract, on))
      }),
    )

const figureView = view('IndexFigure', indexFigureFields, (of: IndexFigure) => of)

/** What an index makes of the value of a contract, as the API shows it. */
export const adjustmentView = view(
  'Adjustment',
  {
    contractId: guid({ about: 'Identificador do contrato' }),
    ...pick(contractFields, 'indexer'),
    since: day({ about: 'Desde quando vale o valor atual' }),
    dueOn: day({ about: 'Data-base a partir da qual vale o reajuste' }),
    figures: output.views(figureView, { about: 'As variações dos doze meses antes da data-base' }),
    measuredPercentage: output.number({ about: 'Variação acumulada, em %' }),
    appliedPercentage: output.number({ about: 'Variação aplicada, em %: a negativa só se foi combinado' }),
    ...pick(contractFields, 'valueCents'),
    newValueCents: output.money({ wire: 'newValue', about: 'Novo valor' }),
  },
  (of: Adjustment) => of,
)

/** What a renewal looks at: the contract, and the figures of its index where it is adjusted. */
interface RenewalFacts {
  readonly detail: ContractDetail
  readonly figures: ReadonlyMap<string, IndexFigure>
}

const UNKNOWN = failure('not-found', 'contract.unknown')

/** The value of the new period, and the adjustment that it is the result of, if any. */
const newTerms = (record: Contract, sent: SentRenewal, figures: RenewalFacts['figures']) => {
  const adjustedFrom = addDays(record.endDate, 1)
  // An adjustment that was to begin after the period has no rent: the value of the new period takes its place.
  const adjustments = record.adjustments.map((each) =>
    each.adjustedFrom !== null && each.adjustedFrom > adjustedFrom ? { ...each, adjustedFrom } : each,
  )
  if (sent.newValueCents !== null) return right({ valueCents: sent.newValueCents, adjustments })
  if (adjustments.length >= MAX_PERIODS) return left(failure('conflict', 'contract.adjustments'))
  const made = adjustmentOf(record, adjustedFrom, figures)
  if (isLeft(made)) return made
  const { contractId: _, ...adjustment } = made.right
  return right({ valueCents: adjustment.newValueCents, adjustments: [...adjustments, { ...adjustment, adjustedFrom }] })
}

/** An active contract goes on: its period becomes one of the former, and a new one begins on the day after. */
export const decideRenewal = (facts: RenewalFacts | null, sent: SentRenewal, { now }: Fresh) => {
  if (!facts) return left(UNKNOWN)
  const { contract: record } = facts.detail
  const { newEndDate, indexer } = sent
  if (newEndDate <= record.endDate) return left(invalid([issue('newEndDate', 'after', { other: 'endDate' })]))
  if (record.status !== 'Active') return left(ENDED)
  if (record.periods.length >= MAX_PERIODS) return left(failure('conflict', 'contract.periods'))
  const made = newTerms(record, sent, facts.figures)
  if (isLeft(made)) return made
  const { startDate, endDate, valueCents, indexer: by, indexerPercentage: had, periods } = record
  const former = { startDate, endDate, valueCents: valueOn(record, endDate), indexer: by, indexerPercentage: had }
  const indexerPercentage = sent.indexerPercentage === undefined ? had : sent.indexerPercentage
  const set = {
    ...made.right,
    periods: [...periods, former],
    startDate: addDays(endDate, 1),
    endDate: newEndDate,
    indexer,
    indexerPercentage: percentageOf({ indexer, indexerPercentage }),
    updatedAt: now,
  }
  // Of two renewals at once the second one goes on from where the first one has got to; so it does from another value.
  const when = all<keyof Contract & string>(
    eq('removedAt', null),
    eq('status', 'Active'),
    eq('startDate', startDate),
    eq('endDate', endDate),
    eq('valueCents', valueCents),
  )
  return accept<ContractDetail>(
    { ...facts.detail, contract: { ...record, ...set } },
    patch(contracts, record.id, { set, when }),
  )
}

/** Goes on with an active contract. */
export const renewContract =
  (ports: RealEstatePorts) =>
  ({ companyId }: Pick<Actor, 'companyId'>, id: string, given: ContractRenewal) =>
    withValidInput(ports, contractRenewal, given, (sent) =>
      oncePaidTermsKept(
        ports,
        () => managedBy(ports.store, companyId, id),
        useCase(
          ports,
          async (store): Promise<RenewalFacts | null> => {
            const record = await contract.find(store, companyId, id)
            const detail = record && (await detailOf(store, record))
            if (!detail) return null
            const on = addDays(detail.contract.endDate, 1)
            const figures = sent.applyAdjustment ? await readFigures(ports.indexes, detail.contract, on) : new Map()
            return { detail, figures }
          },
          (facts, fresh) => decideRenewal(facts, sent, fresh),
        ),
      ),
    )
