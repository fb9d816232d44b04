import { conflict, invalid, isLeft, issue, left, right } from '../../failure.ts'
import { patch } from '../../kernel/records/record.ts'
import { accept, type Fresh, useCase, withValidInput } from '../../kernel/running/use-case.ts'
import { addDays } from '../../kernel/values/day.ts'
import type { IndexFigure } from '../../ports/price-indexes.ts'
import type { CompanyActor, RealEstatePorts } from '../real-estate-ports.ts'
import { type Contract, contract, contracts, MAX_PERIODS } from '../records/contract.ts'
import { unchanged } from '../records/fields.ts'
import { afterStoringPaidTerms, findManagement } from '../terms/paid-terms.ts'
import { valueOn } from '../terms/periods.ts'
import { adjustmentOf, readFigures } from './adjustment.ts'
import {
  type ContractRenewal,
  contractRenewal,
  ENDED,
  percentageOf,
  type RenewalFields,
  UNKNOWN,
} from './contract-inputs.ts'
import { type ContractDetail, readDetail } from './read-contract.ts'

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
