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

type IndexTerms = Pick<Contract, 'indexer' | 'indexerPercentage'>

interface Term {
  readonly startDate: Day
  readonly endDate: Day
}

/** Requires the last day to be after the first. */
export const termIssues = ({ startDate, endDate }: Term): readonly Issue<'after'>[] =>
  endDate > startDate ? [] : [issue('endDate', 'after', { other: 'startDate' })]

/** Returns the percentage of an adjustment to store; only a fixed adjustment has one. */
export const percentageOf = ({ indexer: name, indexerPercentage: percentage }: IndexTerms): number | null =>
  name === 'Fixed' ? percentage : null

/** Requires the percentage of a fixed adjustment. */
const indexIssues = ({ indexer: name, indexerPercentage: percentage }: IndexTerms): readonly Issue<'required'>[] =>
  name === 'Fixed' && percentage === null ? [issue('indexerPercentage', 'required')] : []

export const newContract = input(
  'NewContract',
  contractFields,
  rule(['startDate', 'endDate'], termIssues),
  rule(['indexer', 'indexerPercentage'], indexIssues),
)

export type NewContract = InputOf<typeof newContract>

/** Requires an adjustment to begin within the period. */
const adjustmentIssues = ({
  adjustedFrom,
  startDate,
  endDate,
}: Term & { readonly adjustedFrom?: Day | undefined }): readonly Issue<'not-before' | 'not-after'>[] => {
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
  rule(['startDate', 'endDate'], termIssues),
  rule(['indexer', 'indexerPercentage'], indexIssues),
  rule(['adjustedFrom', 'startDate', 'endDate'], adjustmentIssues),
)

export type ContractReplacement = InputOf<typeof contractReplacement>
export type ContractFields = DecodedOf<typeof newContract>

export const contractMove = input('ContractMove', {
  status: oneOf(CONTRACT_STATUSES, { about: 'Nova situação' }),
  reason,
})

export type ContractMove = InputOf<typeof contractMove>

/** The new end and value of a contract: the value in the input, or the current one adjusted by the contract's index. */
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
export type RenewalFields = DecodedOf<typeof contractRenewal>
