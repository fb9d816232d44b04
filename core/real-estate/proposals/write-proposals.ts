import { failure, type Issue, invalid, isLeft, issue, left } from '../../failure.ts'
import { all, always, type Change, check, eq, patch } from '../../kernel/records/record.ts'
import { acceptMade, scopeOf } from '../../kernel/resources/plain-use-cases.ts'
import type { Facts } from '../../kernel/resources/resource.ts'
import { accept, type Fresh, useCase, withValidInput } from '../../kernel/running/use-case.ts'
import type { Store } from '../../ports/store.ts'
import { lastLease, offerRefused } from '../contracts/tenure.ts'
import { recordEvent } from '../office.ts'
import { limitsOf, namesOf, readParties } from '../reads.ts'
import type { Actor, RealEstatePorts } from '../real-estate-ports.ts'
import { historyEntry } from '../records/fields.ts'
import { brokers } from '../records/people.ts'
import { type Property, properties, property } from '../records/property.ts'
import { type Proposal, type ProposalStatus, proposal, proposalMoves, proposals } from '../records/proposal.ts'
import {
  findProposal,
  type NewProposal,
  newProposal,
  type ProposalDetail,
  type ProposalMove,
  proposalMove,
  type SentProposal,
} from './read-proposals.ts'

type By = Pick<Actor, 'companyId' | 'userId'>

export const UNKNOWN = failure('not-found', 'proposal.unknown')
const NOT_OWN = failure('forbidden', 'proposal.broker')
const CLOSED = failure('conflict', 'proposal.closed')
const NO_MOVE = failure('conflict', 'proposal.move')
const IN_USE = failure('conflict', 'proposal.in-use')
export const EXPIRED = failure('conflict', 'proposal.expired')

const live = eq<'removedAt'>('removedAt', null)

/** A proposal is valid up to and including `validUntil`. */
export const isExpired = ({ validUntil }: Pick<Proposal, 'validUntil'>, steady: string): boolean => validUntil < steady

const isOpen = ({ status, isConverted }: Proposal): boolean => status !== 'Rejected' && !isConverted

/** Guards against a move, a conversion or another broker or property since the read. */
const unchanged = ({ status, isConverted, propertyId, brokerId }: Proposal) =>
  all(
    eq<'removedAt' | 'status' | 'isConverted' | 'propertyId' | 'brokerId'>('removedAt', null),
    eq('status', status),
    eq('isConverted', isConverted),
    eq('propertyId', propertyId),
    eq('brokerId', brokerId),
  )

/** Counts an open proposal of a property, whose status and purpose must not have changed. */
const openAtProperty = ({ id, status, purpose }: Property): Change =>
  patch(properties, id, {
    add: { openProposals: 1 },
    when: all(eq<'removedAt' | 'status' | 'purpose'>('removedAt', null), eq('status', status), eq('purpose', purpose)),
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
  const kept = { statusHistory: [historyEntry('UnderReview', by, null, fresh)], ...namesOf(parties) }
  const made = proposal.create(facts, by.companyId, sent, fresh, kept)
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
  if (proposalMoves.isFinal(record.status)) return left(CLOSED)
  const refused = offerRefused(wanted, sent.type)
  if (refused) return left(refused)
  return accept<ProposalDetail>(
    { proposal: made.right.record, ...parties },
    check(proposals, record.id, unchanged(record)),
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
  if (!proposalMoves.can(record.status, status)) return left(NO_MOVE)
  if (isExpired(record, fresh.steady)) return left(EXPIRED)
  const statusHistory = [...record.statusHistory, historyEntry(status, by, reason, fresh)]
  const set = { status, statusHistory, updatedAt: fresh.now }
  const moved: Proposal = { ...record, ...set }
  return accept<ProposalDetail>(
    { ...found, proposal: moved },
    patch(proposals, record.id, { set, when: unchanged(record) }),
    ...(isOpen(moved) ? [] : closedAt(record)),
    ...(status === 'Approved' ? [proposalEvent(fresh, 'proposal.approved', moved)] : []),
  )
}

const decideRemoval = (facts: Facts<Proposal>, fresh: Fresh) => {
  const { record } = facts
  if (!record) return left(UNKNOWN)
  if (record.isConverted) return left(IN_USE)
  const closing = isOpen(record) ? closedAt(record) : []
  const still = check(proposals, record.id, unchanged(record))
  return acceptMade(proposal.remove(facts, fresh), () => null, still, ...closing)
}

const scope = scopeOf(proposal)

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

export const createProposal = (ports: RealEstatePorts) => (actor: Actor, given: NewProposal) =>
  withValidInput(ports, newProposal, given, (sent) =>
    useCase(
      ports,
      (store) => readFacts(store, actor, null, sent),
      (facts, fresh) => decideProposal(facts, actor, sent, fresh),
    ),
  )

export const replaceProposal = (ports: RealEstatePorts) => (actor: Actor, id: string, given: NewProposal) =>
  withValidInput(ports, newProposal, given, (sent) =>
    useCase(
      ports,
      (store) => readFacts(store, actor, id, sent),
      (facts, fresh) => decideReplacement(facts, sent, fresh),
    ),
  )

export const moveProposal = (ports: RealEstatePorts) => (actor: Actor, id: string, given: ProposalMove) =>
  withValidInput(ports, proposalMove, given, (sent) =>
    useCase(
      ports,
      async (store) => findProposal(store, await limitsOf(store, actor), id),
      (found, fresh) => decideMove(found, actor, sent, fresh),
    ),
  )

export const removeProposal = (ports: RealEstatePorts) => (actor: Actor, id: string) =>
  useCase(
    ports,
    async (store) => scope.readFacts(store, await limitsOf(store, actor), id, {}),
    (facts, fresh) => decideRemoval(facts, fresh),
  )
