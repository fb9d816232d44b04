import { flag, guid, instant, money, nullIfAbsent, oneOf, text, withDefault } from '../../kernel/input/mod.ts'
import { stateMachine } from '../../kernel/records/record.ts'
import type { RecordOf } from '../../kernel/resources/resource.ts'
import { notes, resource, searched, statusHistory } from './fields.ts'
import { brokers, clients } from './people.ts'
import { properties } from './property.ts'

export const PROPOSAL_STATUSES = ['UnderReview', 'Negotiating', 'Approved', 'Rejected'] as const
export type ProposalStatus = (typeof PROPOSAL_STATUSES)[number]

export const proposalMoves = stateMachine<ProposalStatus>({
  UnderReview: ['Negotiating', 'Rejected'],
  Negotiating: ['Approved', 'Rejected'],
  Approved: [],
  Rejected: [],
})

export const proposalFields = {
  type: oneOf(['Lease', 'Sale'], { about: 'Locação ou venda' }),
  propertyId: guid({ about: 'Identificador do imóvel' }),
  clientId: guid({ about: 'Identificador do cliente' }),
  brokerId: guid({ about: 'Identificador do corretor' }),
  proposedValueCents: money({ wire: 'proposedValue', minCents: 1, about: 'Valor proposto' }),
  paymentConditions: nullIfAbsent(text({ max: 5_000, about: 'Condições de pagamento' })),
  validUntil: instant({ about: 'Até quando vale' }),
  notes,
}

/** An offer of a client for a property. */
export const proposal = resource({
  one: 'proposal',
  many: 'proposals',
  input: proposalFields,
  internal: {
    status: withDefault(oneOf(PROPOSAL_STATUSES, { about: 'Situação' }), 'UnderReview'),
    statusHistory: statusHistory(PROPOSAL_STATUSES),
    /** True for ever, once a contract was created from it. */
    isConverted: withDefault(flag(), false),
    propertyCode: searched,
    clientName: searched,
  },
  search: ['propertyCode', 'clientName'],
  filters: { status: 'tally', type: 'tally', brokerId: 'own', propertyId: 'index', clientId: 'index' },
  references: { propertyId: [{ to: properties }], clientId: [{ to: clients }], brokerId: [{ to: brokers }] },
  extra: {
    tallies: [
      { by: ['companyId', 'brokerId', 'status'], sum: [], when: 'live' },
      { by: ['companyId', 'brokerId', 'isConverted'], sum: [], when: 'live' },
    ],
  },
})

export const proposals = proposal.collection
export type Proposal = RecordOf<typeof proposal>
