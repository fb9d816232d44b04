import { failure, type Issue, invalid, issue } from '../../failure.ts'
import { isLeft, left, right } from '../../fp.ts'
import { type Change, patch } from '../../kernel/records/change.ts'
import { all, always, eq } from '../../kernel/records/where.ts'
import type { Facts } from '../../kernel/resources/resource.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'
import { accept, useCase, withValidInput } from '../../kernel/running/use-case.ts'
import type { Instant } from '../../kernel/values/day.ts'
import type { Store } from '../../ports/store.ts'
import type { Actor } from '../actor.ts'
import { findOffer } from '../own.ts'
import type { RealEstatePorts } from '../real-estate-ports.ts'
import { type Broker, broker, brokers } from '../records/broker.ts'
import { type Client, client, clients } from '../records/client.ts'
import { type Contract, contract } from '../records/contract.ts'
import { historyEntry } from '../records/fields.ts'
import { properties, property } from '../records/property.ts'
import { type Proposal, proposals } from '../records/proposal.ts'
import { oncePaidTermsKept } from '../terms/paid-terms.ts'
import { type NewContract, newContract, percentageOf, type SentContract } from './contract-inputs.ts'
import type { ContractDetail } from './contract-view.ts'
import { isTenure, lastLease, movedTo, TAKEN, tenureRefused, type Wanted } from './tenure.ts'

type By = Pick<Actor, 'companyId' | 'userId'>

const live = eq<'removedAt'>('removedAt', null)

/** What a new contract looks at. */
export interface ContractFacts {
  readonly facts: Facts<Contract>
  /** Null where there is no such property. */
  readonly wanted: Wanted | null
  readonly client: Client | null
  readonly broker: Broker | null
  /** The proposal that it comes from; null where none is named, or there is none that they may see. */
  readonly offer: Proposal | null
}

export const readContractFacts = async (store: Store, actor: Actor, sent: SentContract): Promise<ContractFacts> => {
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

/** One more or less active contract of whoever has a part in it. */
export const countActive = (
  { propertyId, clientId, brokerId, type }: Pick<Contract, 'propertyId' | 'clientId' | 'brokerId' | 'type'>,
  by: 1 | -1,
): readonly Change[] => {
  const free = by === 1 && isTenure(type) ? [eq<'activeTenures'>('activeTenures', 0)] : []
  const there = by === 1 ? live : always
  return [
    patch(properties, propertyId, {
      add: { activeContracts: by, ...(isTenure(type) && { activeTenures: by }) },
      when: all<'removedAt' | 'activeTenures'>(there, ...free),
    }),
    patch(clients, clientId, { add: { activeContracts: by }, when: there }),
    ...(brokerId === null ? [] : [patch(brokers, brokerId, { add: { activeContracts: by }, when: there })]),
  ]
}

/** That a proposal became a contract, once: it is open no more. */
export const convertedBy = ({ id, propertyId, brokerId }: Proposal, { now }: Fresh): readonly Change[] => [
  patch(proposals, id, {
    set: { isConverted: true, updatedAt: now },
    when: all(live, eq('status', 'Approved'), eq('isConverted', false)),
  }),
  patch(properties, propertyId, { add: { openProposals: -1 }, when: always }),
  patch(brokers, brokerId, { add: { openProposals: -1 }, when: always }),
]

const UNCONVERTIBLE = failure('conflict', 'proposal.unconvertible')

/** Whether a contract may be the conversion of this proposal. Source: decisions.md §10, States and Edges. */
const isConvertible = (offer: Proposal, { propertyId, clientId, type }: SentContract, steady: Instant): boolean =>
  offer.status === 'Approved' &&
  !offer.isConverted &&
  offer.validUntil >= steady &&
  offer.propertyId === propertyId &&
  offer.clientId === clientId &&
  offer.type === type

type Made = ReturnType<typeof contract.create> | ReturnType<typeof contract.update>

/** What a contract names that the company does not have. */
export const unknownIn = (
  made: Made,
  proposalId: string | null,
  offer: Proposal | null,
): readonly Issue<'unknown'>[] => [
  ...(isLeft(made) && made.left.tag === 'invalid' ? made.left.issues : []),
  ...(proposalId !== null && offer === null ? [issue('proposalId', 'unknown')] : []),
]

/**
 * A new contract, what it makes of its property, and the conversion of its proposal, which the caller has found convertible:
 * parts of one commit.
 * Fails: `fields` (`unknown` references), `property.purpose`, `property.occupied`.
 */
export const decideContract = (
  { facts, wanted, client: tenant, broker: agent, offer }: ContractFacts,
  by: By,
  sent: SentContract,
  fresh: Fresh,
) => {
  const made = contract.create(facts, by.companyId, { ...sent, indexerPercentage: percentageOf(sent) }, fresh, {
    statusHistory: [historyEntry('Active', by, null, fresh)],
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
      ...(isTenure(type) ? movedTo(wanted.property, TAKEN[type], { userId: by.userId, reason: null }, fresh) : []),
      ...(offer ? convertedBy(offer, fresh) : []),
    ],
  })
}

/**
 * Makes a contract, with or without a proposal; values are cents.
 * Fails: `fields` (`unknown` references, `after`), `property.purpose`, `property.occupied`, `proposal.unconvertible`.
 * Source: 03-real-estate.md, Contracts; decisions.md §6 and §10.
 */
export const createContract = (ports: RealEstatePorts) => (by: Actor, given: NewContract) =>
  withValidInput(ports, newContract, given, (sent) =>
    oncePaidTermsKept(
      ports,
      async () => (sent.type === 'Management' ? { companyId: by.companyId, propertyId: sent.propertyId } : null),
      useCase(
        ports,
        (store) => readContractFacts(store, by, sent),
        (facts, fresh) => {
          const made = decideContract(facts, by, sent, fresh)
          if (isLeft(made)) return made
          if (facts.offer && !isConvertible(facts.offer, sent, fresh.steady)) return left(UNCONVERTIBLE)
          return accept(made.right.detail, ...made.right.changes)
        },
      ),
    ),
  )
