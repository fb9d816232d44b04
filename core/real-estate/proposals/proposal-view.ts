import { nullIfAbsent } from '../../kernel/input/field.ts'
import { instant } from '../../kernel/input/scalars.ts'
import { pick } from '../../kernel/input/table.ts'
import { guid } from '../../kernel/input/texts.ts'
import { output, view } from '../../kernel/input/view.ts'
import { clientFields } from '../records/client.ts'
import { propertyFields } from '../records/property.ts'
import { proposal, proposalFields } from '../records/proposal.ts'
import type { Parties, ProposalDetail } from './proposal-detail.ts'

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

/** A proposal as lists show it. Source: 03-real-estate.md, Proposal. */
export const proposalView = view('Proposal', table, valuesOf)

/** The same with its client's e-mail. Source: 03-real-estate.md, Proposal. */
export const proposalDetailView = view(
  'ProposalDetail',
  { ...table, client: nullIfAbsent(output.view(fullClient, { about: 'O cliente' })) },
  valuesOf,
)
