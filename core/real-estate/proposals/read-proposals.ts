import { right } from '../../failure.ts'
import { nullIfAbsent } from '../../kernel/input/field.ts'
import { type DecodedOf, type InputOf, input, pick } from '../../kernel/input/input.ts'
import { inQuery } from '../../kernel/input/query.ts'
import { guid, instant, oneOf } from '../../kernel/input/scalars.ts'
import { output, view } from '../../kernel/input/view.ts'
import { scopeOf } from '../../kernel/resources/plain-use-cases.ts'
import { readUseCase, useCaseOf, withValidInput } from '../../kernel/running/use-case.ts'
import type { PageOf, Store } from '../../ports/store.ts'
import { limitsOf, type Parties, readPage, readParties } from '../reads.ts'
import type { Actor, RealEstatePorts } from '../real-estate-ports.ts'
import { pageFields, reason } from '../records/fields.ts'
import { clientFields } from '../records/people.ts'
import { propertyFields } from '../records/property.ts'
import { PROPOSAL_STATUSES, type Proposal, proposal, proposalFields, proposals } from '../records/proposal.ts'

export const newProposal = proposal.createInput

export type NewProposal = InputOf<typeof newProposal>
export type SentProposal = DecodedOf<typeof newProposal>

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
export const findProposal = async (
  store: Store,
  limits: Awaited<ReturnType<typeof limitsOf>>,
  id: string,
): Promise<ProposalDetail | null> => {
  const found = await scope.find(store, limits, id)
  return found && { proposal: found, ...(await readParties(store, limits.companyId, [found]))(found) }
}

export const readProposal =
  ({ store }: RealEstatePorts) =>
  (actor: Actor, id: string) =>
    readUseCase('proposal.unknown', async () => findProposal(store, await limitsOf(store, actor), id))

export const listProposals = (ports: RealEstatePorts) => (actor: Actor, given: ProposalFilter) =>
  withValidInput(ports, proposalFilter, given, (filter) =>
    useCaseOf<PageOf<ProposalDetail>>()(async () => {
      const { store } = ports
      const { page, perPage, search, ...where } = filter
      const query = { where, ...(search !== undefined && { search }) }
      const of = { from: proposals, where: scope.where(await limitsOf(store, actor), query), when: 'live' }
      const listed = await readPage(store, of, { page, perPage })
      const partiesOf = await readParties(store, actor.companyId, listed.records)
      return right({ ...listed, records: listed.records.map((each) => ({ proposal: each, ...partiesOf(each) })) })
    }),
  )

type Shown<K extends keyof Parties> = NonNullable<Parties[K]>

const id = guid({ about: 'Identificador' })
const name = output.text({ about: 'Nome' })

const propertyOfProposal = view(
  'ProposalProperty',
  { id, ...pick(propertyFields, 'code', 'address', 'rentPriceCents') },
  (of: Shown<'property'>) => of,
)
const clientOfProposal = view('ProposalClient', { id, name }, (of: Shown<'client'>) => of)
const fullClient = view(
  'ProposalClientDetail',
  { id, name, ...pick(clientFields, 'email') },
  (of: Shown<'client'>) => of,
)
const brokerOfProposal = view('ProposalBroker', { id, name }, (of: Shown<'broker'>) => of)

const table = {
  id,
  ...pick(proposalFields, 'type'),
  ...pick(proposal.spec.internal, 'status'),
  ...pick(proposalFields, 'proposedValueCents', 'paymentConditions', 'validUntil', 'notes'),
  property: nullIfAbsent(output.view(propertyOfProposal, { about: 'O imóvel' })),
  client: nullIfAbsent(output.view(clientOfProposal, { about: 'O cliente' })),
  broker: nullIfAbsent(output.view(brokerOfProposal, { about: 'O corretor' })),
  createdAt: instant({ about: 'Criação' }),
  updatedAt: instant({ about: 'Última alteração' }),
}

const valuesOf = ({ proposal: of, property, client, broker }: ProposalDetail) => ({ ...of, property, client, broker })

export const proposalView = view('Proposal', table, valuesOf)

/** A proposal with its client's e-mail. */
export const proposalDetailView = view(
  'ProposalDetail',
  { ...table, client: nullIfAbsent(output.view(fullClient, { about: 'O cliente' })) },
  valuesOf,
)
