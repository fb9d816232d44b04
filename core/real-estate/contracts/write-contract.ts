import { conflict, failure, type Issue, invalid, isLeft, issue, left, right } from '../../failure.ts'
import type { DecodedOf } from '../../kernel/input/mod.ts'
import { all, always, type Change, check, eq, patch } from '../../kernel/records/record.ts'
import { accept, type Fresh, useCase, withValidInput } from '../../kernel/running/use-case.ts'
import { addDays, addMonths, type Day, type Instant } from '../../kernel/values/day.ts'
import { halfUpRatio } from '../../kernel/values/money.ts'
import type { Store } from '../../ports/store.ts'
import { findVisibleProposal } from '../reads.ts'
import type { Actor, CompanyUser, RealEstatePorts } from '../real-estate-ports.ts'
import { type Contract, contract, contracts, MAX_PERIODS, MAX_RISE } from '../records/contract.ts'
import { historyEntry, monthOf, PERCENT_STEPS, unchanged } from '../records/fields.ts'
import { broker, brokers, client, clients } from '../records/people.ts'
import { properties } from '../records/property.ts'
import { type Proposal, proposals } from '../records/proposal.ts'
import { afterStoringPaidTerms } from '../terms/paid-terms.ts'
import { valueOn, valueSince } from '../terms/periods.ts'
import {
  type ContractFields,
  type ContractReplacement,
  contractReplacement,
  ENDED,
  type NewContract,
  newContract,
  percentageOf,
  UNKNOWN,
} from './contract-inputs.ts'
import { type ContractDetail, readDetail } from './read-contract.ts'
import { isTenure, moveProperty, readTenureFacts, TENURE_STATUS, tenureRefusal } from './tenure.ts'

export const createContract = (ports: RealEstatePorts) => (actor: Actor, submitted: NewContract) =>
  withValidInput(ports, newContract, submitted, (fields) =>
    afterStoringPaidTerms(
      ports,
      async () => (fields.type === 'Management' ? { companyId: actor.companyId, propertyId: fields.propertyId } : null),
      useCase(
        ports,
        (store) => readContractFacts(store, actor, fields),
        (facts, fresh) => {
          const decision = decideContract(facts, actor, fields, fresh)
          if (isLeft(decision)) return decision
          if (facts.offer && !isConvertible(facts.offer, fields, fresh.steady))
            return conflict('proposal.unconvertible')
          return accept(decision.right.detail, ...decision.right.changes)
        },
      ),
    ),
  )

/** Reads the records that a new contract depends on. */
export const readContractFacts = async (store: Store, actor: Actor, fields: ContractFields) => {
  const { companyId } = actor
  return {
    facts: await contract.readFacts(store, companyId, null, fields),
    tenure: await readTenureFacts(store, companyId, fields.propertyId),
    client: await client.find(store, companyId, fields.clientId),
    broker: fields.brokerId === null ? null : await broker.find(store, companyId, fields.brokerId),
    offer: await findVisibleProposal(store, actor, fields.proposalId),
  }
}

/** Creates a contract, moves its property and converts its proposal; callers check that it is convertible. */
export const decideContract = (
  { facts, tenure, client: tenant, broker: agent, offer }: Awaited<ReturnType<typeof readContractFacts>>,
  user: CompanyUser,
  fields: ContractFields,
  fresh: Fresh,
) => {
  const terms = { ...fields, indexerPercentage: percentageOf(fields) }
  const decision = contract.create(facts, user.companyId, terms, fresh, {
    statusHistory: [historyEntry('Active', user, null, fresh)],
    automaticFrom: monthOf(fresh.today),
    propertyCode: tenure?.property.code ?? '',
    clientName: tenant?.name ?? '',
  })
  const unknown = unknownReferences(decision, fields.proposalId, offer)
  if (isLeft(decision) || unknown.length > 0 || !tenure) return left(invalid(unknown))
  const { type } = fields
  const { property } = tenure
  const refusal = isTenure(type) ? tenureRefusal(tenure, type) : null
  if (refusal) return left(refusal)
  const { record, changes } = decision.right
  const detail: ContractDetail = { contract: record, property, client: tenant, broker: agent, payments: [] }
  const move = { userId: user.userId, reason: null }
  return right({
    detail,
    changes: [
      ...changes,
      ...countActive(fields, 1),
      ...(isTenure(type) ? moveProperty(property, TENURE_STATUS[type], move, fresh) : []),
      ...(offer ? markConverted(offer, fresh) : []),
    ],
  })
}

/** Returns an issue for each reference that does not exist in the company. */
const unknownReferences = (
  decision: ReturnType<typeof contract.update>,
  proposalId: string | null,
  offer: Proposal | null,
): readonly Issue<'unknown'>[] => [
  ...(isLeft(decision) && decision.left.tag === 'invalid' ? decision.left.issues : []),
  ...(proposalId !== null && offer === null ? [issue('proposalId', 'unknown')] : []),
]

/** Reports whether a contract with these fields can result from a proposal. */
const isConvertible = (offer: Proposal, { propertyId, clientId, type }: ContractFields, steady: Instant): boolean =>
  offer.status === 'Approved' &&
  !offer.isConverted &&
  offer.validUntil >= steady &&
  offer.propertyId === propertyId &&
  offer.clientId === clientId &&
  offer.type === type

const live = eq('removedAt', null)

/** Adds to the active contracts of the property, client and broker. A new one requires that they are not removed. */
export const countActive = (
  { propertyId, clientId, brokerId, type }: Pick<Contract, 'propertyId' | 'clientId' | 'brokerId' | 'type'>,
  by: 1 | -1,
): readonly Change[] => {
  const isFree = by === 1 && isTenure(type) ? [eq('activeTenures', 0)] : []
  const when = by === 1 ? live : always
  return [
    patch(properties, propertyId, {
      add: { activeContracts: by, ...(isTenure(type) && { activeTenures: by }) },
      when: all(when, ...isFree),
    }),
    patch(clients, clientId, { add: { activeContracts: by }, when }),
    ...(brokerId === null ? [] : [patch(brokers, brokerId, { add: { activeContracts: by }, when })]),
  ]
}

/** Marks a proposal as converted, once, and counts it as no longer open. */
const markConverted = ({ id, propertyId, brokerId }: Proposal, { now }: Fresh): readonly Change[] => [
  patch(proposals, id, {
    set: { isConverted: true, updatedAt: now },
    when: all(live, eq('status', 'Approved'), eq('isConverted', false)),
  }),
  patch(properties, propertyId, { add: { openProposals: -1 }, when: always }),
  patch(brokers, brokerId, { add: { openProposals: -1 }, when: always }),
]

type Replacement = Omit<DecodedOf<typeof contractReplacement>, 'proposalId'>

export const replaceContract = (ports: RealEstatePorts) => (actor: Actor, id: string, submitted: ContractReplacement) =>
  withValidInput(ports, contractReplacement, submitted, ({ proposalId, ...replacement }) => {
    const { companyId } = actor
    const { adjustedFrom: _, ...terms } = replacement
    const replace = useCase(
      ports,
      async (store) => {
        const facts = await contract.readFacts(store, companyId, id, terms)
        return {
          facts,
          detail: facts.record && (await readDetail(store, facts.record)),
          agent: replacement.brokerId === null ? null : await broker.find(store, companyId, replacement.brokerId),
          offer: await findVisibleProposal(store, actor, proposalId),
        }
      },
      ({ facts, detail, agent, offer }, fresh) => {
        const { record } = facts
        if (!record || !detail) return left(UNKNOWN)
        const adjustment = adjustmentTo(detail, replacement, fresh.today)
        const decision = contract.update(facts, { ...terms, indexerPercentage: percentageOf(replacement) }, fresh, {
          ...(adjustment && { adjustments: [...record.adjustments, adjustment] }),
        })
        // A contract may keep the proposal that it came from, even if the actor cannot see it.
        const otherProposalId = proposalId === record.proposalId ? null : proposalId
        const unknown = unknownReferences(decision, otherProposalId, offer)
        if (isLeft(decision) || unknown.length > 0) return left(invalid(unknown))
        const refusal = replacementRefusal(record, replacement, otherProposalId !== null)
        if (refusal) return left(refusal)
        if (adjustment && record.adjustments.length >= MAX_PERIODS) return conflict('contract.adjustments')
        return accept<ContractDetail>(
          { ...detail, contract: decision.right.record, broker: agent },
          check(contracts, id, replaceable(record, replacement)),
          ...decision.right.changes,
          ...moveBrokerCount(record, replacement.brokerId),
        )
      },
    )
    return afterStoringPaidTerms(
      ports,
      () => findIfAdministrationMayChange(ports.store, companyId, id, replacement),
      replace,
    )
  })

/** Returns the contract if a replacement may change the administration of its property, else null. */
const findIfAdministrationMayChange = async (store: Store, companyId: string, id: string, replacement: Replacement) => {
  const found = await contract.find(store, companyId, id)
  const hasOtherPercentage = found?.administrationPercentage !== replacement.administrationPercentage
  return found && (found.type === 'Management' || hasOtherPercentage) ? found : null
}

/** Returns the failure of a replacement that breaks a rule, or null. */
const replacementRefusal = (record: Contract, replacement: Replacement, hasOtherProposal: boolean) => {
  if (record.status !== 'Active') return ENDED
  const isSame = (['propertyId', 'clientId', 'type'] as const).every((field) => replacement[field] === record[field])
  if (!isSame || hasOtherProposal) return failure('conflict', 'contract.bound')
  const issues = periodIssues(record, replacement)
  return issues.length > 0 ? invalid(issues, 'contract.period-closed') : null
}

/** Requires the current period to begin after the former ones. */
const periodIssues = ({ periods }: Contract, { startDate }: Replacement) => {
  const former = periods.at(-1)
  return former && startDate <= former.endDate ? [issue('startDate', 'contract.period-closed')] : []
}

/**
 * Returns the adjustment that a replacement with another rent makes once a rent is billed: from `adjustedFrom`, by
 * default from the first of the next month, or from the start of a period that begins later. Before the first rent,
 * another value is a correction, and the result is null.
 */
const adjustmentTo = (
  { contract: record, payments }: Pick<ContractDetail, 'contract' | 'payments'>,
  {
    valueCents,
    adjustedFrom,
    startDate,
    endDate,
  }: Pick<Replacement, 'valueCents' | 'adjustedFrom' | 'startDate' | 'endDate'>,
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

const firstOfNextMonth = (day: Day): Day => addMonths(`${monthOf(day)}-01`, 1)

/** Returns the change between two values in percent of 4 decimals. */
const riseOf = (before: number, after: number): number => {
  const steps = halfUpRatio(BigInt(after - before) * BigInt(100 * PERCENT_STEPS), before)
  return Math.min(steps / PERCENT_STEPS, MAX_RISE)
}

/** Guards that the contract is active and, if the rent changes, neither billed nor replaced since it was read. */
const replaceable = (record: Contract, { valueCents }: Replacement) =>
  valueCents === record.valueCents
    ? unchanged(record, 'status')
    : unchanged(record, 'status', 'valueCents', 'rentWrites', 'updatedAt')

/** Moves the count of an active contract from the former broker to the new one. */
const moveBrokerCount = ({ brokerId: before }: Contract, after: string | null): readonly Change[] => {
  if (before === after) return []
  return [
    ...(before === null ? [] : [patch(brokers, before, { add: { activeContracts: -1 }, when: always })]),
    ...(after === null ? [] : [patch(brokers, after, { add: { activeContracts: 1 }, when: live })]),
  ]
}
