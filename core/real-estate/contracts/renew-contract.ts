import { failure, invalid, issue } from '../../failure.ts'
import { isLeft, left, right } from '../../fp.ts'
import { patch } from '../../kernel/records/change.ts'
import { all, eq } from '../../kernel/records/where.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'
import { accept, useCase, withValidInput } from '../../kernel/running/use-case.ts'
import { addDays } from '../../kernel/values/day.ts'
import type { IndexFigure } from '../../ports/price-indexes.ts'
import type { Actor } from '../actor.ts'
import type { RealEstatePorts } from '../real-estate-ports.ts'
import { type Contract, contract, contracts, MAX_PERIODS } from '../records/contract.ts'
import { adjustmentOf, readFigures } from '../terms/adjustment.ts'
import { managedBy, oncePaidTermsKept } from '../terms/paid-terms.ts'
import { valueOn } from '../terms/stretches.ts'
import { type ContractRenewal, contractRenewal, percentageOf, type SentRenewal } from './contract-inputs.ts'
import type { ContractDetail } from './contract-view.ts'
import { detailOf } from './read-contract.ts'

/** What a renewal looks at: the contract, and the figures of its index where it is adjusted. */
interface RenewalFacts {
  readonly detail: ContractDetail
  readonly figures: ReadonlyMap<string, IndexFigure>
}

const UNKNOWN = failure('not-found', 'contract.unknown')
const ENDED = failure('conflict', 'contract.ended')

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
