import { conflict, failure, type Issue, invalid, isLeft, issue, left, right } from '../failure.ts'
import {
  type DecodedOf,
  type InputOf,
  input,
  inQuery,
  nullIfAbsent,
  oneOf,
  output,
  pick,
  rule,
  view,
} from '../kernel/input/mod.ts'
import { always, type Change, check, eq, patch } from '../kernel/records/record.ts'
import { acceptMade, scopeOf } from '../kernel/resources/plain-use-cases.ts'
import type { Facts } from '../kernel/resources/queries.ts'
import { accept, type Fresh, readUseCase, useCase, useCaseOf, withValidInput } from '../kernel/running/use-case.ts'
import type { PageOf, Store } from '../ports/store.ts'
import { type ContractFields, termIssues } from './contracts/contract-inputs.ts'
import { offerRefusal, readTenureFacts } from './contracts/tenure.ts'
import { decideContract, readContractFacts } from './contracts/write-contract.ts'
import { recordEvent } from './office.ts'
import { namesOf, type Parties, readBrokerScope, readPage, readParties } from './reads.ts'
import type { RealEstateModule } from './real-estate-module.ts'
import type { Actor, CompanyUser, RealEstatePorts } from './real-estate-ports.ts'
import { contractFields } from './records/contract.ts'
import { historyEntry, id, namedView, pageFields, reason, timestamps, unchanged } from './records/fields.ts'
import { brokers, clientFields } from './records/people.ts'
import { type Property, properties, propertyFields } from './records/property.ts'
import {
  proposals as collection,
  PROPOSAL_STATUSES,
  type Proposal,
  type ProposalStatus,
  proposal,
  proposalFields,
  proposalMoves,
} from './records/proposal.ts'

/** The offers of clients for properties. */
export const proposals = {
  useCases: (ports: RealEstatePorts) => ({
    /**
     * Returns a page of the company's proposals, newest first; brokers see their own. The search covers property code
     * and client name.
     * Fails: `fields`.
     */
    list: listProposals(ports),
    /**
     * Returns a proposal with its property, client and broker; brokers see their own.
     * Fails: `proposal.unknown`.
     */
    read: readProposal(ports),
    /**
     * Creates a proposal under review; its value is cents. The broker's user and the Admins are notified.
     * Fails: `fields` (`unknown` references, `past`), `proposal.broker` (a broker names another one),
     * `property.other-purpose`, `property.occupied`.
     */
    create: createProposal(ports),
    /**
     * Replaces the fields of a proposal under review or negotiation, even of an expired one; missing fields are
     * cleared.
     * Fails: as `create`, and `proposal.unknown`, `proposal.closed`.
     */
    replace: replaceProposal(ports),
    /**
     * Moves a proposal to another status; on approval the broker's user is notified.
     * Fails: `fields`, `proposal.unknown`, `proposal.move`, `proposal.expired`.
     */
    move: moveProposal(ports),
    /**
     * Creates the contract of an approved proposal, once, and returns it; its property is rented or sold. The value is
     * cents.
     * Fails: `fields` (`after`; `unknown` if a party was removed), `proposal.unknown`, `proposal.not-approved`,
     * `proposal.expired`, `proposal.converted`, `property.other-purpose`, `property.occupied`.
     */
    convert: convertProposal(ports),
    /**
     * Removes a proposal that was not converted.
     * Fails: `proposal.unknown`, `proposal.in-use`.
     */
    remove: removeProposal(ports),
  }),
} satisfies RealEstateModule

const UNKNOWN = failure('not-found', 'proposal.unknown')
const NOT_OWN = failure('forbidden', 'proposal.broker')
const EXPIRED = failure('conflict', 'proposal.expired')

/** A proposal is valid up to and including `validUntil`. */
const isExpired = ({ validUntil }: Pick<Proposal, 'validUntil'>, steady: string): boolean => validUntil < steady

const isOpen = ({ status, isConverted }: Proposal): boolean => status !== 'Rejected' && !isConverted

/** Guards that a proposal is neither moved, converted nor removed, and has the same broker and property as read. */
const sameProposal = (record: Proposal) =>
  unchanged(record, 'removedAt', 'status', 'isConverted', 'propertyId', 'brokerId')

/** Counts an open proposal of a property. The commit is stale if its status or purpose has changed. */
const countAtProperty = (record: Property): Change =>
  patch(properties, record.id, { add: { openProposals: 1 }, when: unchanged(record, 'removedAt', 'status', 'purpose') })
const countAtBroker = (brokerId: string): Change =>
  patch(brokers, brokerId, { add: { openProposals: 1 }, when: eq('removedAt', null) })
const uncountAtProperty = ({ propertyId }: Proposal): Change =>
  patch(properties, propertyId, { add: { openProposals: -1 }, when: always })
const uncountAtBroker = ({ brokerId }: Proposal): Change =>
  patch(brokers, brokerId, { add: { openProposals: -1 }, when: always })

/** Returns the changes that count a proposal as no longer open for its property and broker. */
const uncount = (record: Proposal): readonly Change[] => [uncountAtProperty(record), uncountAtBroker(record)]

type ProposalFacts = Awaited<ReturnType<typeof readFacts>>

/** Reports whether a broker names another broker in a proposal. */
const namesOtherBroker = ({ scope: { own } }: ProposalFacts, { brokerId }: ProposalFields): boolean =>
  own !== undefined && own !== brokerId

/** Returns the issues of a decision on the fields of a proposal: unknown references, and an end in the past. */
const issuesOf = (decision: ReturnType<typeof proposal.update>, fields: ProposalFields, steady: string) => {
  const unknown: readonly Issue<'unknown'>[] =
    isLeft(decision) && decision.left.tag === 'invalid' ? decision.left.issues : []
  return isExpired(fields, steady) ? [...unknown, issue('validUntil', 'past')] : unknown
}

const proposalEvent = (fresh: Fresh, type: 'proposal.created' | 'proposal.approved', record: Proposal): Change => {
  const { companyId, id: subjectId, brokerId, propertyCode, clientName, proposedValueCents } = record
  const data = { brokerId, propertyCode, clientName, proposedValueCents }
  return recordEvent(fresh, { companyId, subjectId, type, data })
}

/** Creates a proposal under review, and counts it for the property and the broker. */
const decideProposal = (read: ProposalFacts, user: CompanyUser, fields: ProposalFields, fresh: Fresh) => {
  if (namesOtherBroker(read, fields)) return left(NOT_OWN)
  const { facts, tenure, parties } = read
  const internal = { statusHistory: [historyEntry('UnderReview', user, null, fresh)], ...namesOf(parties) }
  const decision = proposal.create(facts, user.companyId, fields, fresh, internal)
  const issues = issuesOf(decision, fields, fresh.steady)
  if (isLeft(decision) || !tenure || issues.length > 0) return left(invalid(issues))
  const refusal = offerRefusal(tenure, fields.type)
  if (refusal) return left(refusal)
  const { record, changes } = decision.right
  return accept<ProposalDetail>(
    { proposal: record, ...parties },
    ...changes,
    countAtProperty(tenure.property),
    countAtBroker(record.brokerId),
    proposalEvent(fresh, 'proposal.created', record),
  )
}

/** Replaces the fields of a proposal that is neither approved nor rejected; an expired one is valid again. */
const decideReplacement = (read: ProposalFacts, fields: ProposalFields, fresh: Fresh) => {
  const { facts, tenure, parties } = read
  const { record } = facts
  if (!record) return left(UNKNOWN)
  if (namesOtherBroker(read, fields)) return left(NOT_OWN)
  const decision = proposal.update(facts, fields, fresh, namesOf(parties))
  const issues = issuesOf(decision, fields, fresh.steady)
  if (isLeft(decision) || !tenure || issues.length > 0) return left(invalid(issues))
  if (proposalMoves.isFinal(record.status)) return conflict('proposal.closed')
  const refusal = offerRefusal(tenure, fields.type)
  if (refusal) return left(refusal)
  return accept<ProposalDetail>(
    { proposal: decision.right.record, ...parties },
    check(collection, record.id, sameProposal(record)),
    ...decision.right.changes,
    ...(record.propertyId === fields.propertyId ? [] : [uncountAtProperty(record), countAtProperty(tenure.property)]),
    ...(record.brokerId === fields.brokerId ? [] : [uncountAtBroker(record), countAtBroker(fields.brokerId)]),
  )
}

const decideMove = (
  detail: ProposalDetail | null,
  user: CompanyUser,
  { status, reason }: { readonly status: ProposalStatus; readonly reason: string | null },
  fresh: Fresh,
) => {
  if (!detail) return left(UNKNOWN)
  const { proposal: record } = detail
  if (!proposalMoves.can(record.status, status)) return conflict('proposal.move')
  if (isExpired(record, fresh.steady)) return left(EXPIRED)
  const statusHistory = [...record.statusHistory, historyEntry(status, user, reason, fresh)]
  const set = { status, statusHistory, updatedAt: fresh.now }
  const after: Proposal = { ...record, ...set }
  return accept<ProposalDetail>(
    { ...detail, proposal: after },
    patch(collection, record.id, { set, when: sameProposal(record) }),
    ...(isOpen(after) ? [] : uncount(record)),
    ...(status === 'Approved' ? [proposalEvent(fresh, 'proposal.approved', after)] : []),
  )
}

const decideRemoval = (facts: Facts<Proposal>, fresh: Fresh) => {
  const { record } = facts
  if (!record) return left(UNKNOWN)
  if (record.isConverted) return conflict('proposal.in-use')
  const guard = check(collection, record.id, sameProposal(record))
  return acceptMade(proposal.remove(facts, fresh), () => null, guard, ...(isOpen(record) ? uncount(record) : []))
}

/** Reads the records that a new or replaced proposal depends on. */
const readFacts = async (store: Store, actor: Actor, id: string | null, fields: ProposalFields) => {
  const { companyId } = actor
  const scope = await readBrokerScope(store, actor)
  return {
    scope,
    facts: await readers.readFacts(store, scope, id, fields),
    tenure: await readTenureFacts(store, companyId, fields.propertyId),
    parties: (await readParties(store, companyId, [fields]))(fields),
  }
}

const createProposal = (ports: RealEstatePorts) => (actor: Actor, submitted: NewProposal) =>
  withValidInput(ports, newProposal, submitted, (fields) =>
    useCase(
      ports,
      (store) => readFacts(store, actor, null, fields),
      (facts, fresh) => decideProposal(facts, actor, fields, fresh),
    ),
  )

const replaceProposal = (ports: RealEstatePorts) => (actor: Actor, id: string, submitted: NewProposal) =>
  withValidInput(ports, newProposal, submitted, (fields) =>
    useCase(
      ports,
      (store) => readFacts(store, actor, id, fields),
      (facts, fresh) => decideReplacement(facts, fields, fresh),
    ),
  )

const moveProposal = (ports: RealEstatePorts) => (actor: Actor, id: string, submitted: ProposalMove) =>
  withValidInput(ports, proposalMove, submitted, (move) =>
    useCase(
      ports,
      async (store) => findProposal(store, await readBrokerScope(store, actor), id),
      (detail, fresh) => decideMove(detail, actor, move, fresh),
    ),
  )

const removeProposal = (ports: RealEstatePorts) => (actor: Actor, id: string) =>
  useCase(
    ports,
    async (store) => readers.readFacts(store, await readBrokerScope(store, actor), id, {}),
    (facts, fresh) => decideRemoval(facts, fresh),
  )

/** The terms of a contract that its proposal does not contain. */
export const conversion = input(
  'Conversion',
  pick(
    contractFields,
    ...(['startDate', 'endDate', 'dueDay', 'indexer', 'indexerPercentage', 'valueCents', 'documentUrl'] as const),
  ),
  rule(['startDate', 'endDate'], termIssues),
)

export type Conversion = InputOf<typeof conversion>
type ConversionFields = DecodedOf<typeof conversion>

const contractFieldsOf = (
  { id: proposalId, type, propertyId, clientId, brokerId }: Proposal,
  terms: ConversionFields,
): ContractFields => ({
  ...terms,
  ...{ type, propertyId, clientId, brokerId, proposalId },
  finePercentage: null,
  interestPercentage: null,
  discountValueCents: null,
  administrationPercentage: null,
  terminationFineCents: null,
  allowNegativeAdjustment: false,
})

const readConversion = async (store: Store, actor: Actor, id: string, terms: ConversionFields) => {
  const offer = await readers.find(store, await readBrokerScope(store, actor), id)
  if (!offer) return null
  const fields = contractFieldsOf(offer, terms)
  return { offer, fields, facts: await readContractFacts(store, actor, fields) }
}

const conversionRefusal = (offer: Proposal, steady: string) => {
  if (offer.isConverted) return failure('conflict', 'proposal.converted')
  if (offer.status !== 'Approved') return failure('conflict', 'proposal.not-approved')
  return isExpired(offer, steady) ? EXPIRED : null
}

const decideConversion = (read: Awaited<ReturnType<typeof readConversion>>, user: CompanyUser, fresh: Fresh) => {
  if (!read) return left(UNKNOWN)
  const { offer, fields, facts } = read
  const refusal = conversionRefusal(offer, fresh.steady)
  if (refusal) return left(refusal)
  const decision = decideContract({ ...facts, offer }, user, fields, fresh)
  return isLeft(decision) ? decision : accept(decision.right.detail, ...decision.right.changes)
}

const convertProposal = (ports: RealEstatePorts) => (actor: Actor, id: string, submitted: Conversion) =>
  withValidInput(ports, conversion, submitted, (terms) =>
    useCase(
      ports,
      (store) => readConversion(store, actor, id, terms),
      (read, fresh) => decideConversion(read, actor, fresh),
    ),
  )

export const newProposal = proposal.createInput

export type NewProposal = InputOf<typeof newProposal>
type ProposalFields = DecodedOf<typeof newProposal>

export const proposalMove = input('ProposalMove', {
  status: oneOf(PROPOSAL_STATUSES, { about: 'Nova situação' }),
  reason,
})

export type ProposalMove = InputOf<typeof proposalMove>

export const proposalFilter = input('ProposalFilter', {
  ...pageFields,
  search: inQuery.text({ about: 'Código do imóvel ou nome do cliente' }),
  status: inQuery.oneOf(PROPOSAL_STATUSES, { about: 'Situação' }),
  type: inQuery.of(proposalFields.type),
  brokerId: inQuery.of(proposalFields.brokerId),
})

export type ProposalFilter = InputOf<typeof proposalFilter>

export interface ProposalDetail extends Parties {
  readonly proposal: Proposal
}

const readers = scopeOf(proposal)

/** Returns a proposal that the actor may see, with its parties. */
const findProposal = async (
  store: Store,
  scope: Awaited<ReturnType<typeof readBrokerScope>>,
  id: string,
): Promise<ProposalDetail | null> => {
  const found = await readers.find(store, scope, id)
  return found && { proposal: found, ...(await readParties(store, scope.companyId, [found]))(found) }
}

const readProposal =
  ({ store }: RealEstatePorts) =>
  (actor: Actor, id: string) =>
    readUseCase('proposal.unknown', async () => findProposal(store, await readBrokerScope(store, actor), id))

const listProposals = (ports: RealEstatePorts) => (actor: Actor, submitted: ProposalFilter) =>
  withValidInput(ports, proposalFilter, submitted, ({ page, perPage, search, ...fields }) =>
    useCaseOf<PageOf<ProposalDetail>>()(async () => {
      const { store } = ports
      const filter = { where: fields, ...(search !== undefined && { search }) }
      const where = readers.where(await readBrokerScope(store, actor), filter)
      const listed = await readPage(store, { from: collection, where, when: 'live' }, { page, perPage })
      const partiesOf = await readParties(store, actor.companyId, listed.records)
      return right({ ...listed, records: listed.records.map((each) => ({ proposal: each, ...partiesOf(each) })) })
    }),
  )

const name = output.text({ about: 'Nome' })

const propertyOfProposal = view('ProposalProperty', {
  id,
  ...pick(propertyFields, 'code', 'address', 'rentPriceCents'),
})
const clientOfProposal = view('ProposalClientDetail', { id, name, ...pick(clientFields, 'email') })

const table = {
  id,
  ...pick(proposalFields, 'type'),
  ...pick(proposal.spec.internal, 'status'),
  ...pick(proposalFields, 'proposedValueCents', 'paymentConditions', 'validUntil', 'notes'),
  property: nullIfAbsent(output.view(propertyOfProposal, { about: 'O imóvel' })),
  client: nullIfAbsent(output.view(namedView('ProposalClient'), { about: 'O cliente' })),
  broker: nullIfAbsent(output.view(namedView('ProposalBroker'), { about: 'O corretor' })),
  ...timestamps,
}

const valuesOf = ({ proposal: of, property, client, broker }: ProposalDetail) => ({ ...of, property, client, broker })

export const proposalView = view('Proposal', table, valuesOf)

/** A proposal with its client's e-mail. */
export const proposalDetailView = view(
  'ProposalDetail',
  { ...table, client: nullIfAbsent(output.view(clientOfProposal, { about: 'O cliente' })) },
  valuesOf,
)
