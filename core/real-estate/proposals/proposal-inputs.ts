import { type DecodedOf, type InputOf, input } from '../../kernel/input/input.ts'
import { inQuery } from '../../kernel/input/query.ts'
import { oneOf } from '../../kernel/input/scalars.ts'
import { pageFields } from '../paging.ts'
import { reason } from '../records/fields.ts'
import { PROPOSAL_STATUSES, proposal, proposalFields } from '../records/proposal.ts'

/** What makes a proposal, and what a PUT says of one. Source: 03-real-estate.md, Proposals. */
export const newProposal = proposal.createInput

export type NewProposal = InputOf<typeof newProposal>
export type SentProposal = DecodedOf<typeof newProposal>

/** Source: 03-real-estate.md, PATCH /api/proposals/{id}/status. */
export const proposalMove = input('ProposalMove', {
  status: oneOf(PROPOSAL_STATUSES, { about: 'Nova situação' }),
  reason,
})

export type ProposalMove = InputOf<typeof proposalMove>

/** Which proposals. Source: 03-real-estate.md, Proposals; decisions.md §10, Lists. */
export const proposalFilter = input('ProposalFilter', {
  ...pageFields,
  search: inQuery.text({ about: 'Código do imóvel ou nome do cliente' }),
  status: inQuery.oneOf(PROPOSAL_STATUSES, { about: 'Situação' }),
  type: inQuery.of(proposalFields.type),
  brokerId: inQuery.of(proposalFields.brokerId),
})

export type ProposalFilter = InputOf<typeof proposalFilter>
