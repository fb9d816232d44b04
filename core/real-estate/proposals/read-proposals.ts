import { right } from '../../fp.ts'
import { scopeOf } from '../../kernel/resources/scope.ts'
import { newestQuery } from '../../kernel/running/slices.ts'
import { readUseCase, useCaseOf, withValidInput } from '../../kernel/running/use-case.ts'
import type { PageOf } from '../../kernel/values/page.ts'
import { offsetOf } from '../../kernel/values/page.ts'
import type { Store } from '../../ports/store.ts'
import type { Actor } from '../actor.ts'
import { limitsOf, type ProposalLimits } from '../own.ts'
import type { RealEstatePorts } from '../real-estate-ports.ts'
import { proposal, proposals } from '../records/proposal.ts'
import { type ProposalDetail, readParties } from './proposal-detail.ts'
import { type ProposalFilter, proposalFilter } from './proposal-inputs.ts'

const scope = scopeOf(proposal)

/** The proposal of this id, where they may see it, with whom and what it is of. */
export const findProposal = async (
  store: Store,
  limits: ProposalLimits,
  id: string,
): Promise<ProposalDetail | null> => {
  const found = await scope.find(store, limits, id)
  return found && { proposal: found, ...(await readParties(store, limits.companyId, [found]))(found) }
}

/** One of the proposals that somebody may see. Fails: `proposal.unknown`. */
export const readProposal =
  ({ store }: RealEstatePorts) =>
  (actor: Actor, id: string) =>
    readUseCase('proposal.unknown', async () => findProposal(store, await limitsOf(store, actor), id))

/** A page of the proposals that somebody may see, the newest first. Fails: `fields`. */
export const listProposals = (ports: RealEstatePorts) => (actor: Actor, given: ProposalFilter) =>
  withValidInput(ports, proposalFilter, given, (filter) =>
    useCaseOf<PageOf<ProposalDetail>>()(async () => {
      const { store } = ports
      const { page, perPage, search, ...where } = filter
      const asked = { where, ...(search !== undefined && { search }) }
      const { records, total } = await store.list({
        ...newestQuery({ from: proposals, where: scope.where(await limitsOf(store, actor), asked), when: 'live' }),
        limit: perPage,
        offset: offsetOf(filter),
        total: true,
      })
      const parties = await readParties(store, actor.companyId, records)
      return right({
        page,
        perPage,
        total: total ?? 0,
        records: records.map((each) => ({ proposal: each, ...parties(each) })),
      })
    }),
  )
