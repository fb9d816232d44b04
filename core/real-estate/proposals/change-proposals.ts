import { scopeOf } from '../../kernel/resources/scope.ts'
import { useCase, withValidInput } from '../../kernel/running/use-case.ts'
import type { Store } from '../../ports/store.ts'
import type { Actor } from '../actor.ts'
import { lastLease } from '../contracts/tenure.ts'
import { limitsOf } from '../own.ts'
import type { RealEstatePorts } from '../real-estate-ports.ts'
import { property } from '../records/property.ts'
import { proposal } from '../records/proposal.ts'
import { readParties } from './proposal-detail.ts'
import { type NewProposal, newProposal, type ProposalMove, proposalMove, type SentProposal } from './proposal-inputs.ts'
import { decideMove, decideProposal, decideRemoval, decideReplacement, type ProposalFacts } from './proposal-rules.ts'
import { findProposal } from './read-proposals.ts'

const scope = scopeOf(proposal)

const readFacts = async (store: Store, actor: Actor, id: string | null, sent: SentProposal): Promise<ProposalFacts> => {
  const { companyId } = actor
  const limits = await limitsOf(store, actor)
  const of = await property.find(store, companyId, sent.propertyId)
  return {
    facts: await scope.readFacts(store, limits, id, sent),
    ...('own' in limits && { own: limits.own }),
    wanted: of && { property: of, lastLease: await lastLease(store, of) },
    parties: (await readParties(store, companyId, [sent]))(sent),
  }
}

/** Makes a proposal. Fails: `fields`, `proposal.broker`, `property.purpose`, `property.occupied`. */
export const createProposal = (ports: RealEstatePorts) => (actor: Actor, given: NewProposal) =>
  withValidInput(ports, newProposal, given, (sent) =>
    useCase(
      ports,
      (store) => readFacts(store, actor, null, sent),
      (facts, fresh) => decideProposal(facts, actor, sent, fresh),
    ),
  )

/** Replaces what is told of a proposal. Fails: as making one, and `proposal.unknown`, `proposal.closed`. */
export const replaceProposal = (ports: RealEstatePorts) => (actor: Actor, id: string, given: NewProposal) =>
  withValidInput(ports, newProposal, given, (sent) =>
    useCase(
      ports,
      (store) => readFacts(store, actor, id, sent),
      (facts, fresh) => decideReplacement(facts, sent, fresh),
    ),
  )

/** What becomes of a proposal. Fails: `fields`, `proposal.unknown`, `proposal.move`, `proposal.expired`. */
export const moveProposal = (ports: RealEstatePorts) => (actor: Actor, id: string, given: ProposalMove) =>
  withValidInput(ports, proposalMove, given, (sent) =>
    useCase(
      ports,
      async (store) => findProposal(store, await limitsOf(store, actor), id),
      (found, fresh) => decideMove(found, actor, sent, fresh),
    ),
  )

/** Removes a proposal. Fails: `proposal.unknown`, `proposal.in-use`. */
export const removeProposal = (ports: RealEstatePorts) => (actor: Actor, id: string) =>
  useCase(
    ports,
    async (store) => scope.readFacts(store, await limitsOf(store, actor), id, {}),
    (facts, fresh) => decideRemoval(facts, fresh),
  )
