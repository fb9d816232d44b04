import { failure, type Issue, invalid, isLeft, issue, left, right } from '../../failure.ts'
import type { DecodedOf } from '../../kernel/input/mod.ts'
import { all, always, type Change, check, eq, patch } from '../../kernel/records/record.ts'
import { accept, type Fresh, useCase, withValidInput } from '../../kernel/running/use-case.ts'
import { addDays, addMonths, type Day, type Instant } from '../../kernel/values/day.ts'
import { halfUpRatio } from '../../kernel/values/money.ts'
import type { Store } from '../../ports/store.ts'
import { afterStoringPaidTerms } from '../paid-terms.ts'
import { valueOn, valueSince } from '../periods.ts'
import { findOffer } from '../reads.ts'
import type { Actor, RealEstatePorts } from '../real-estate-ports.ts'
import { type Contract, contract, contracts, MAX_PERIODS, MOST_MEASURED } from '../records/contract.ts'
import { historyEntry } from '../records/fields.ts'
import { broker, brokers, client, clients } from '../records/people.ts'
import { properties, property } from '../records/property.ts'
import { type Proposal, proposals } from '../records/proposal.ts'
import {
  type ContractReplacement,
  contractReplacement,
  ENDED,
  type NewContract,
  newContract,
  percentageOf,
  type SentContract,
  UNKNOWN,
} from './contract-inputs.ts'
import { type ContractDetail, detailOf } from './read-contract.ts'
import { isTenure, lastLease, moveProperty, TAKEN, tenureRefused } from './tenure.ts'

const live = eq('removedAt', null)

/** Reads the records that a new contract depends on. */
export const readContractFacts = async (store: Store, actor: Actor, sent: SentContract) => {
  const { companyId } = actor
  const facts = await contract.readFacts(store, companyId, null, sent)
  const of = await property.find(store, companyId, sent.propertyId)
  return {
    facts,
    wanted: of && { property: of, lastLease: await lastLease(store, of) },
    client: await client.find(store, companyId, sent.clientId),
    broker: sent.brokerId === null ? null : await broker.find(store, companyId, sent.brokerId),
    offer: await findOffer(store, actor, sent.proposalId),
  }
}

/** Adds to the active contracts of the property, client and broker. */
export const countActive = (
  { propertyId, clientId, brokerId, type }: Pick<Contract, 'propertyId' | 'clientId' | 'brokerId' | 'type'>,
  by: 1 | -1,
): readonly Change[] => {
  const free = by === 1 && isTenure(type) ? [eq('activeTenures', 0)] : []
  const there = by === 1 ? live : always
  return [
    patch(properties, propertyId, {
      add: { activeContracts: by, ...(isTenure(type) && { activeTenures: by }) },
      when: all(there, ...free),
    }),
    patch(clients, clientId, { add: { activeContracts: by }, when: there }),
    ...(brokerId === null ? [] : [patch(brokers, brokerId, { add: { activeContracts: by }, when: there })]),
  ]
}

/** Marks a proposal as converted, once, and counts it as no longer open. */
const convertedBy = ({ id, propertyId, brokerId }: Proposal, { now }: Fresh): readonly Change[] => [
  patch(proposals, id, {
    set: { isConverted: true, updatedAt: now },
    when: all(live, eq('status', 'Approved'), eq('isConverted', false)),
  }),
  patch(properties, propertyId, { add: { openProposals: -1 }, when: always }),
  patch(brokers, brokerId, { add: { openProposals: -1 }, when: always }),
]

/** Reports whether a contract can result from this proposal. */
const isConvertible = (offer: Proposal, { propertyId, clientId, type }: SentContract, steady: Instant): boolean =>
  offer.status === 'Approved' &&
  !offer.isConverted &&
  offer.validUntil >= steady &&
  offer.propertyId === propertyId &&
  offer.clientId === clientId &&
  offer.type === type

/** Reports the references that do not exist in the company. */
const unknownIn = (
  made: ReturnType<typeof contract.update>,
  proposalId: string | null,
  offer: Proposal | null,
): readonly Issue<'unknown'>[] => [
  ...(isLeft(made) && made.left.tag === 'invalid' ? made.left.issues : []),
  ...(proposalId !== null && offer === null ? [issue('proposalId', 'unknown')] : []),
]

/** Creates a contract, moves its property and converts its proposal, which the caller has found convertible. */
export const decideContract = (
  { facts, wanted, client: tenant, broker: agent, offer }: Awaited<ReturnType<typeof readContractFacts>>,
  by: Pick<Actor, 'companyId' | 'userId'>,
  sent: SentContract,
  fresh: Fresh,
) => {
  const made = contract.create(facts, by.companyId, { ...sent, indexerPercentage: percentageOf(sent) }, fresh, {
    statusHistory: [historyEntry('Active', by, null, fresh)],
    automaticFrom: fresh.today.slice(0, 7),
    propertyCode: wanted?.property.code ?? '',
    clientName: tenant?.name ?? '',
  })
  const unknown = unknownIn(made, sent.proposalId, offer)
  if (isLeft(made) || unknown.length > 0 || !wanted) return left(invalid(unknown))
  const { type } = sent
  const refused = isTenure(type) ? tenureRefused(wanted, type) : null
  if (refused) return left(refused)
  const detail: ContractDetail = {
    contract: made.right.record,
    property: wanted.property,
    client: tenant,
    broker: agent,
    payments: [],
  }
  return right({
    detail,
    changes: [
      ...made.right.changes,
      ...countActive(sent, 1),
      ...(isTenure(type) ? moveProperty(wanted.property, TAKEN[type], { userId: by.userId, reason: null }, fresh) : []),
      ...(offer ? convertedBy(offer, fresh) : []),
    ],
  })
}

export const createContract = (ports: RealEstatePorts) => (by: Actor, given: NewContract) =>
  withValidInput(ports, newContract, given, (sent) =>
    afterStoringPaidTerms(
      ports,
      async () => (sent.type === 'Management' ? { companyId: by.companyId, propertyId: sent.propertyId } : null),
      useCase(
        ports,
        (store) => readContractFacts(store, by, sent),
        (facts, fresh) => {
          const made = decideContract(facts, by, sent, fresh)
          if (isLeft(made)) return made
          if (facts.offer && !isConvertible(facts.offer, sent, fresh.steady))
            return left(failure('conflict', 'proposal.unconvertible'))
          return accept(made.right.detail, ...made.right.changes)
        },
      ),
    ),
  )

type Sent = Omit<DecodedOf<typeof contractReplacement>, 'proposalId'>

/** Moves the count of an active contract from the former broker to the new one. */
const brokerChanged = ({ brokerId: before }: Contract, after: string | null): readonly Change[] => {
  if (before === after) return []
  return [
    ...(before === null ? [] : [patch(brokers, before, { add: { activeContracts: -1 }, when: always })]),
    ...(after === null ? [] : [patch(brokers, after, { add: { activeContracts: 1 }, when: live })]),
  ]
}

const PERCENT_STEPS = 10_000

/** Returns the change between two values in percent of 4 decimals. */
const riseOf = (before: number, after: number): number => {
  const steps = halfUpRatio(BigInt(after - before) * BigInt(100 * PERCENT_STEPS), before)
  return Math.min(steps / PERCENT_STEPS, MOST_MEASURED)
}

const firstOfNextMonth = (day: Day): Day => addMonths(`${day.slice(0, 7)}-01`, 1)

/**
 * Returns the adjustment that another rent makes once the first rent is billed: from the first of the next month or
 * from the given day, and not before the current or coming period. Before that, another rent is a correction, and the
 * result is null.
 */
const adjustmentBy = (
  { contract: record, payments }: Pick<ContractDetail, 'contract' | 'payments'>,
  { valueCents, adjustedFrom, startDate, endDate }: Pick<Sent, 'valueCents' | 'adjustedFrom' | 'startDate' | 'endDate'>,
  today: Day,
): Contract['adjustments'][number] | null => {
  if (record.type !== 'Lease' || valueCents === record.valueCents) return null
  if (!payments.some(({ type }) => type === 'Rent')) return null
  const next = firstOfNextMonth(today)
  const from = adjustedFrom ?? (next > startDate ? next : startDate)
  const before = from > startDate ? valueOn({ ...record, startDate, endDate }, addDays(from, -1)) : record.valueCents
  const rise = riseOf(before, valueCents)
  return {
    since: valueSince(record),
    dueOn: from,
    adjustedFrom: from,
    indexer: record.indexer,
    figures: [],
    measuredPercentage: rise,
    appliedPercentage: rise,
    valueCents: before,
    newValueCents: valueCents,
  }
}

/** The current period must begin after the former ones. */
const closedIssues = ({ periods }: Contract, { startDate }: Sent) => {
  const former = periods.at(-1)
  return former && startDate <= former.endDate ? [issue('startDate', 'contract.period-closed')] : []
}

/** Returns the rule that a replacement breaks, or null. */
const refused = (record: Contract, sent: Sent, isRenamed: boolean) => {
  if (record.status !== 'Active') return ENDED
  const isSame = (['propertyId', 'clientId', 'type'] as const).every((field) => sent[field] === record[field])
  if (!isSame || isRenamed) return failure('conflict', 'contract.bound')
  const closed = closedIssues(record, sent)
  return closed.length > 0 ? invalid(closed, 'contract.period-closed') : null
}

/** Returns the contract if the replacement may change the administration of its property. */
const withOtherTerms = async (store: Store, companyId: string, id: string, sent: Sent) => {
  const found = await contract.find(store, companyId, id)
  const isOther = found?.type === 'Management' || found?.administrationPercentage !== sent.administrationPercentage
  return found && isOther ? found : null
}

export const replaceContract = (ports: RealEstatePorts) => (actor: Actor, id: string, given: ContractReplacement) =>
  withValidInput(ports, contractReplacement, given, ({ proposalId, ...sent }) => {
    const { companyId } = actor
    const { adjustedFrom: _, ...terms } = sent
    const replace = useCase(
      ports,
      async (store) => {
        const facts = await contract.readFacts(store, companyId, id, terms)
        return {
          facts,
          detail: facts.record && (await detailOf(store, facts.record)),
          agent: sent.brokerId === null ? null : await broker.find(store, companyId, sent.brokerId),
          offer: await findOffer(store, actor, proposalId),
        }
      },
      ({ facts, detail, agent, offer }, fresh) => {
        const { record } = facts
        if (!record || !detail) return left(UNKNOWN)
        const adjusted = adjustmentBy(detail, sent, fresh.today)
        const made = contract.update(facts, { ...terms, indexerPercentage: percentageOf(sent) }, fresh, {
          ...(adjusted && { adjustments: [...record.adjustments, adjusted] }),
        })
        // A contract may keep the proposal that it came from, even if the actor cannot see it.
        const named = proposalId === record.proposalId ? null : proposalId
        const unknown = unknownIn(made, named, offer)
        if (isLeft(made) || unknown.length > 0) return left(invalid(unknown))
        const refusal = refused(record, sent, named !== null)
        if (refusal) return left(refusal)
        if (adjusted && record.adjustments.length >= MAX_PERIODS)
          return left(failure('conflict', 'contract.adjustments'))
        return accept<ContractDetail>(
          { ...detail, contract: made.right.record, broker: agent },
          check(contracts, id, unchanged(record, sent)),
          ...made.right.changes,
          ...brokerChanged(record, sent.brokerId),
        )
      },
    )
    return afterStoringPaidTerms(ports, () => withOtherTerms(ports.store, companyId, id, sent), replace)
  })

/** Guards that the contract is active and, if the rent changes, neither billed nor replaced since it was read. */
const unchanged = ({ valueCents, rentWrites, updatedAt }: Contract, sent: Sent) => {
  const isActive = eq('status', 'Active')
  if (sent.valueCents === valueCents) return isActive
  return all(isActive, eq('valueCents', valueCents), eq('rentWrites', rentWrites), eq('updatedAt', updatedAt))
}
