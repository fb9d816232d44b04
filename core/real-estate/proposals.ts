import { failure, type Issue, invalid, isLeft, issue, left, right } from '../failure.ts'
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
import { all, always, type Change, check, eq, patch } from '../kernel/records/record.ts'
import { acceptMade, scopeOf } from '../kernel/resources/plain-use-cases.ts'
import type { Facts } from '../kernel/resources/queries.ts'
import { accept, type Fresh, readUseCase, useCase, useCaseOf, withValidInput } from '../kernel/running/use-case.ts'
import type { PageOf, Store } from '../ports/store.ts'
import { lasts, type SentContract } from './contracts/contract-inputs.ts'
import { lastLease, offerRefused } from './contracts/tenure.ts'
import { decideContract, readContractFacts } from './contracts/write-contract.ts'
import { recordEvent } from './office.ts'
import { limitsOf, namesOf, type Parties, readPage, readParties } from './reads.ts'
import type { RealEstateModule } from './real-estate-module.ts'
import type { Actor, RealEstatePorts } from './real-estate-ports.ts'
import { contractFields } from './records/contract.ts'
import { historyEntry, id, namedView, pageFields, reason, timestamps } from './records/fields.ts'
import { brokers, clientFields } from './records/people.ts'
import { type Property, properties, property, propertyFields } from './records/property.ts'
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
     * Replaces the fields of a proposal under review or negotiation, also of an expired one; missing fields are
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

type By = Pick<Actor, 'companyId' | 'userId'>

const UNKNOWN = failure('not-found', 'proposal.unknown')
const NOT_OWN = failure('forbidden', 'proposal.broker')
const EXPIRED = failure('conflict', 'proposal.expired')

const live = eq('removedAt', null)

/** A proposal is valid up to and including `validUntil`. */
const isExpired = ({ validUntil }: Pick<Proposal, 'validUntil'>, steady: string): boolean => validUntil < steady

const isOpen = ({ status, isConverted }: Proposal): boolean => status !== 'Rejected' && !isConverted

/** The guard that a proposal was not moved, converted, removed, or given another broker or property since the read. */
const unchanged = ({ status, isConverted, propertyId, brokerId }: Proposal) =>
  all(
    eq('removedAt', null),
    eq('status', status),
    eq('isConverted', isConverted),
    eq('propertyId', propertyId),
    eq('brokerId', brokerId),
  )

/** Counts an open proposal of a property. The commit is stale if its status or purpose has changed. */
const openAtProperty = ({ id, status, purpose }: Property): Change =>
  patch(properties, id, {
    add: { openProposals: 1 },
    when: all(eq('removedAt', null), eq('status', status), eq('purpose', purpose)),
  })
const openAtBroker = (brokerId: string): Change => patch(brokers, brokerId, { add: { openProposals: 1 }, when: live })
const closeAtProperty = ({ propertyId }: Proposal): Change =>
  patch(properties, propertyId, { add: { openProposals: -1 }, when: always })
const closeAtBroker = ({ brokerId }: Proposal): Change =>
  patch(brokers, brokerId, { add: { openProposals: -1 }, when: always })

/** Returns the changes that count a proposal as no longer open for its property and broker. */
const closedAt = (of: Proposal): readonly Change[] => [closeAtProperty(of), closeAtBroker(of)]

type ProposalFacts = Awaited<ReturnType<typeof readFacts>>

const isOfOtherBroker = ({ limits: { own } }: ProposalFacts, { brokerId }: SentProposal): boolean =>
  own !== undefined && own !== brokerId

const pastIssues = (sent: SentProposal, steady: string): readonly Issue<'past'>[] =>
  isExpired(sent, steady) ? [issue('validUntil', 'past')] : []

const proposalEvent = (fresh: Fresh, type: 'proposal.created' | 'proposal.approved', of: Proposal): Change => {
  const { companyId, id: subjectId, brokerId, propertyCode, clientName, proposedValueCents } = of
  const data = { brokerId, propertyCode, clientName, proposedValueCents }
  return recordEvent(fresh, { companyId, subjectId, type, data })
}

/** Creates a proposal under review, and counts it for the property and the broker. */
const decideProposal = (found: ProposalFacts, by: By, sent: SentProposal, fresh: Fresh) => {
  if (isOfOtherBroker(found, sent)) return left(NOT_OWN)
  const { facts, wanted, parties } = found
  const internal = { statusHistory: [historyEntry('UnderReview', by, null, fresh)], ...namesOf(parties) }
  const made = proposal.create(facts, by.companyId, sent, fresh, internal)
  const past = pastIssues(sent, fresh.steady)
  const wrong = [...issuesOf(made), ...past]
  if (isLeft(made) || !wanted || wrong.length > 0) return left(invalid(wrong))
  const refused = offerRefused(wanted, sent.type)
  if (refused) return left(refused)
  const { record, changes } = made.right
  return accept<ProposalDetail>(
    { proposal: record, ...parties },
    ...changes,
    openAtProperty(wanted.property),
    openAtBroker(record.brokerId),
    proposalEvent(fresh, 'proposal.created', record),
  )
}

const issuesOf = (made: ReturnType<typeof proposal.update>): readonly Issue<'unknown'>[] =>
  isLeft(made) && made.left.tag === 'invalid' ? made.left.issues : []

/** Replaces the fields of a proposal that is not closed; an expired one is valid again. */
const decideReplacement = (found: ProposalFacts, sent: SentProposal, fresh: Fresh) => {
  const { facts, wanted, parties } = found
  const { record } = facts
  if (!record) return left(UNKNOWN)
  if (isOfOtherBroker(found, sent)) return left(NOT_OWN)
  const made = proposal.update(facts, sent, fresh, namesOf(parties))
  const past = pastIssues(sent, fresh.steady)
  const wrong = [...issuesOf(made), ...past]
  if (isLeft(made) || !wanted || wrong.length > 0) return left(invalid(wrong))
  if (proposalMoves.isFinal(record.status)) return left(failure('conflict', 'proposal.closed'))
  const refused = offerRefused(wanted, sent.type)
  if (refused) return left(refused)
  return accept<ProposalDetail>(
    { proposal: made.right.record, ...parties },
    check(collection, record.id, unchanged(record)),
    ...made.right.changes,
    ...(record.propertyId === sent.propertyId ? [] : [closeAtProperty(record), openAtProperty(wanted.property)]),
    ...(record.brokerId === sent.brokerId ? [] : [closeAtBroker(record), openAtBroker(sent.brokerId)]),
  )
}

const decideMove = (
  found: ProposalDetail | null,
  by: By,
  { status, reason }: { readonly status: ProposalStatus; readonly reason: string | null },
  fresh: Fresh,
) => {
  if (!found) return left(UNKNOWN)
  const { proposal: record } = found
  if (!proposalMoves.can(record.status, status)) return left(failure('conflict', 'proposal.move'))
  if (isExpired(record, fresh.steady)) return left(EXPIRED)
  const statusHistory = [...record.statusHistory, historyEntry(status, by, reason, fresh)]
  const set = { status, statusHistory, updatedAt: fresh.now }
  const moved: Proposal = { ...record, ...set }
  return accept<ProposalDetail>(
    { ...found, proposal: moved },
    patch(collection, record.id, { set, when: unchanged(record) }),
    ...(isOpen(moved) ? [] : closedAt(record)),
    ...(status === 'Approved' ? [proposalEvent(fresh, 'proposal.approved', moved)] : []),
  )
}

const decideRemoval = (facts: Facts<Proposal>, fresh: Fresh) => {
  const { record } = facts
  if (!record) return left(UNKNOWN)
  if (record.isConverted) return left(failure('conflict', 'proposal.in-use'))
  const closing = isOpen(record) ? closedAt(record) : []
  const unmoved = check(collection, record.id, unchanged(record))
  return acceptMade(proposal.remove(facts, fresh), () => null, unmoved, ...closing)
}

/** Reads the records that a new or replaced proposal depends on. */
const readFacts = async (store: Store, actor: Actor, id: string | null, sent: SentProposal) => {
  const { companyId } = actor
  const limits = await limitsOf(store, actor)
  const of = await property.find(store, companyId, sent.propertyId)
  return {
    limits,
    facts: await scope.readFacts(store, limits, id, sent),
    wanted: of && { property: of, lastLease: await lastLease(store, of) },
    parties: (await readParties(store, companyId, [sent]))(sent),
  }
}

const createProposal = (ports: RealEstatePorts) => (actor: Actor, given: NewProposal) =>
  withValidInput(ports, newProposal, given, (sent) =>
    useCase(
      ports,
      (store) => readFacts(store, actor, null, sent),
      (facts, fresh) => decideProposal(facts, actor, sent, fresh),
    ),
  )

const replaceProposal = (ports: RealEstatePorts) => (actor: Actor, id: string, given: NewProposal) =>
  withValidInput(ports, newProposal, given, (sent) =>
    useCase(
      ports,
      (store) => readFacts(store, actor, id, sent),
      (facts, fresh) => decideReplacement(facts, sent, fresh),
    ),
  )

const moveProposal = (ports: RealEstatePorts) => (actor: Actor, id: string, given: ProposalMove) =>
  withValidInput(ports, proposalMove, given, (sent) =>
    useCase(
      ports,
      async (store) => findProposal(store, await limitsOf(store, actor), id),
      (found, fresh) => decideMove(found, actor, sent, fresh),
    ),
  )

const removeProposal = (ports: RealEstatePorts) => (actor: Actor, id: string) =>
  useCase(
    ports,
    async (store) => scope.readFacts(store, await limitsOf(store, actor), id, {}),
    (facts, fresh) => decideRemoval(facts, fresh),
  )

/** The terms of a contract that its proposal does not contain. */
export const conversion = input(
  'Conversion',
  pick(
    contractFields,
    ...(['startDate', 'endDate', 'dueDay', 'indexer', 'indexerPercentage', 'valueCents', 'documentUrl'] as const),
  ),
  rule(['startDate', 'endDate'], lasts),
)

export type Conversion = InputOf<typeof conversion>
type SentConversion = DecodedOf<typeof conversion>

const contractOf = (
  { id: proposalId, type, propertyId, clientId, brokerId }: Proposal,
  agreed: SentConversion,
): SentContract => ({
  ...agreed,
  ...{ type, propertyId, clientId, brokerId, proposalId },
  finePercentage: null,
  interestPercentage: null,
  discountValueCents: null,
  administrationPercentage: null,
  terminationFineCents: null,
  allowNegativeAdjustment: false,
})

const unconvertible = (of: Proposal, steady: string) => {
  if (of.isConverted) return failure('conflict', 'proposal.converted')
  if (of.status !== 'Approved') return failure('conflict', 'proposal.not-approved')
  return isExpired(of, steady) ? EXPIRED : null
}

const decideConversion = (found: Awaited<ReturnType<typeof readConversion>>, by: Actor, fresh: Fresh) => {
  if (!found) return left(UNKNOWN)
  const { offer, sent, facts } = found
  const refused = unconvertible(offer, fresh.steady)
  if (refused) return left(refused)
  const made = decideContract({ ...facts, offer }, by, sent, fresh)
  return isLeft(made) ? made : accept(made.right.detail, ...made.right.changes)
}

const readConversion = async (store: Store, actor: Actor, id: string, agreed: SentConversion) => {
  const found = await findProposal(store, await limitsOf(store, actor), id)
  if (!found) return null
  const sent = contractOf(found.proposal, agreed)
  return { offer: found.proposal, sent, facts: await readContractFacts(store, actor, sent) }
}

const convertProposal = (ports: RealEstatePorts) => (actor: Actor, id: string, given: Conversion) =>
  withValidInput(ports, conversion, given, (agreed) =>
    useCase(
      ports,
      (store) => readConversion(store, actor, id, agreed),
      (found, fresh) => decideConversion(found, actor, fresh),
    ),
  )

export const newProposal = proposal.createInput

export type NewProposal = InputOf<typeof newProposal>
type SentProposal = DecodedOf<typeof newProposal>

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

const scope = scopeOf(proposal)

/** Returns a proposal that the actor may see, with its parties. */
const findProposal = async (
  store: Store,
  limits: Awaited<ReturnType<typeof limitsOf>>,
  id: string,
): Promise<ProposalDetail | null> => {
  const found = await scope.find(store, limits, id)
  return found && { proposal: found, ...(await readParties(store, limits.companyId, [found]))(found) }
}

const readProposal =
  ({ store }: RealEstatePorts) =>
  (actor: Actor, id: string) =>
    readUseCase('proposal.unknown', async () => findProposal(store, await limitsOf(store, actor), id))

const listProposals = (ports: RealEstatePorts) => (actor: Actor, given: ProposalFilter) =>
  withValidInput(ports, proposalFilter, given, (filter) =>
    useCaseOf<PageOf<ProposalDetail>>()(async () => {
      const { store } = ports
      const { page, perPage, search, ...where } = filter
      const query = { where, ...(search !== undefined && { search }) }
      const of = { from: collection, where: scope.where(await limitsOf(store, actor), query), when: 'live' }
      const listed = await readPage(store, of, { page, perPage })
      const partiesOf = await readParties(store, actor.companyId, listed.records)
      return right({ ...listed, records: listed.records.map((each) => ({ proposal: each, ...partiesOf(each) })) })
    }),
  )

type Shown<K extends keyof Parties> = NonNullable<Parties[K]>

const name = output.text({ about: 'Nome' })

const propertyOfProposal = view(
  'ProposalProperty',
  { id, ...pick(propertyFields, 'code', 'address', 'rentPriceCents') },
  (of: Shown<'property'>) => of,
)
const fullClient = view(
  'ProposalClientDetail',
  { id, name, ...pick(clientFields, 'email') },
  (of: Shown<'client'>) => of,
)

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
  { ...table, client: nullIfAbsent(output.view(fullClient, { about: 'O cliente' })) },
  valuesOf,
)
