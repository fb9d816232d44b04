import { failure, type Issue, issue } from '../../failure.ts'
import {
  type DecodedOf,
  dayOrInstant,
  flag,
  type InputOf,
  input,
  money,
  nullIfAbsent,
  oneOf,
  optional,
  rule,
  withDefault,
} from '../../kernel/input/mod.ts'
import type { Day } from '../../kernel/values/day.ts'
import { CONTRACT_STATUSES, type Contract, contractFields, indexer, indexerPercentage } from '../records/contract.ts'
import { reason } from '../records/fields.ts'

export const UNKNOWN = failure('not-found', 'contract.unknown')
export const ENDED = failure('conflict', 'contract.ended')

type Indexed = Pick<Contract, 'indexer' | 'indexerPercentage'>

interface Days {
  readonly startDate: Day
  readonly endDate: Day
}

/** Requires the last day to be after the first. */
export const lasts = ({ startDate, endDate }: Days): readonly Issue<'after'>[] =>
  endDate > startDate ? [] : [issue('endDate', 'after', { other: 'startDate' })]

/** The percentage of an indexer; only a fixed adjustment has one. */
export const percentageOf = ({ indexer: by, indexerPercentage: percentage }: Indexed): number | null =>
  by === 'Fixed' ? percentage : null

const isIndexed = ({ indexer: by, indexerPercentage: percentage }: Indexed): readonly Issue<'required'>[] =>
  by === 'Fixed' && percentage === null ? [issue('indexerPercentage', 'required')] : []

export const newContract = input(
  'NewContract',
  contractFields,
  rule(['startDate', 'endDate'], lasts),
  rule(['indexer', 'indexerPercentage'], isIndexed),
)

export type NewContract = InputOf<typeof newContract>

/** Requires an adjustment to begin within the period. */
const isWithin = ({
  adjustedFrom,
  startDate,
  endDate,
}: Days & { readonly adjustedFrom?: Day | undefined }): readonly Issue<'not-before' | 'not-after'>[] => {
  if (adjustedFrom === undefined) return []
  if (adjustedFrom < startDate) return [issue('adjustedFrom', 'not-before', { other: 'startDate' })]
  return adjustedFrom > endDate ? [issue('adjustedFrom', 'not-after', { other: 'endDate' })] : []
}

export const contractReplacement = input(
  'ContractReplacement',
  {
    ...contractFields,
    adjustedFrom: optional(
      dayOrInstant({
        about: 'Desde quando um novo aluguel é cobrado, se algum já foi; o primeiro dia do mês seguinte, se ausente',
      }),
    ),
  },
  rule(['startDate', 'endDate'], lasts),
  rule(['indexer', 'indexerPercentage'], isIndexed),
  rule(['adjustedFrom', 'startDate', 'endDate'], isWithin),
)

export type ContractReplacement = InputOf<typeof contractReplacement>
export type SentContract = DecodedOf<typeof newContract>

export const contractMove = input('ContractMove', {
  status: oneOf(CONTRACT_STATUSES, { about: 'Nova situação' }),
  reason,
})

export type ContractMove = InputOf<typeof contractMove>

/** The new end and value of a contract: a given value, or the current one adjusted by the contract's index. */
export const contractRenewal = input(
  'ContractRenewal',
  {
    newEndDate: dayOrInstant({ about: 'Novo último dia, depois do atual' }),
    newValueCents: nullIfAbsent(money({ wire: 'newValue', minCents: 1, about: 'Novo valor' })),
    applyAdjustment: withDefault(
      flag({ about: 'Se o novo valor é o atual reajustado pelo índice do contrato' }),
      false,
    ),
    indexer,
    indexerPercentage: optional(indexerPercentage),
  },
  rule(['newValueCents', 'applyAdjustment'], ({ newValueCents, applyAdjustment }) => {
    if (applyAdjustment)
      return newValueCents === null ? [] : [issue('newValueCents', 'only-one', { other: 'applyAdjustment' })]
    return newValueCents === null ? [issue('newValueCents', 'required')] : []
  }),
)

export type ContractRenewal = InputOf<typeof contractRenewal>
export type SentRenewal = DecodedOf<typeof contractRenewal>
