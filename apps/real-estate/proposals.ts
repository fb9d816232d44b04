import { contractDetailView } from '../../core/real-estate/contracts/read-contract.ts'
import {
  conversion,
  newProposal,
  proposalDetailView,
  proposalFilter,
  proposalMove,
  proposalView,
} from '../../core/real-estate/proposals.ts'
import { json, page } from '../http/replies/json-reply.ts'
import { empty } from '../http/replies/raw-reply.ts'
import type { AnyRow } from '../http/rows/row.ts'
import { type MemberCall, route } from './api.ts'
import { contractExample, EXAMPLE_ADDRESS, EXAMPLE_MOMENT, exampleId } from './examples.ts'

const BASE = '/api/proposals'
const common = { area: 'Propostas', dialect: 'estate', auth: 'member' } as const
const withRecord = {
  ...common,
  record: ({ core, actor, request }: MemberCall) => core.proposals.read(actor, request.params.id ?? ''),
} as const

const terms = {
  proposedValue: 2400,
  paymentConditions: 'Fiador; vencimento no dia 10.',
  validUntil: '2030-12-15T23:59:59.000Z',
  notes: 'O cliente aceita mudar-se em janeiro.',
}

const shown = {
  id: exampleId(60),
  type: 'Lease',
  status: 'UnderReview',
  ...terms,
  property: { id: exampleId(30), code: 'AP-101', address: EXAMPLE_ADDRESS, rentPrice: 2500 },
  client: { id: exampleId(10), name: 'Maria da Silva' },
  broker: { id: exampleId(20), name: 'Bruno Lima' },
  createdAt: EXAMPLE_MOMENT,
  updatedAt: EXAMPLE_MOMENT,
}
const detail = { ...shown, client: { ...shown.client, email: 'maria@example.com' } }

const sent = {
  type: 'Lease',
  propertyId: shown.property.id,
  clientId: shown.client.id,
  brokerId: shown.broker.id,
  ...terms,
}
const params = { id: shown.id }

/** The failures of a property that accepts no offer. */
const offerErrors = { 'property.other-purpose': {}, 'property.occupied': {} } as const

const agreed = {
  startDate: '2030-12-01',
  endDate: '2033-05-31',
  dueDay: 10,
  indexer: 'IGPM',
  value: 2400,
  documentUrl: 'https://docs.example.com/contrato.pdf',
}
/** The terms that the example does not set. */
const UNSET = {
  indexerPercentage: null,
  finePercentage: null,
  interestPercentage: null,
  discountValue: null,
  administrationPercentage: null,
  terminationFine: null,
}

export const proposalRows: readonly AnyRow[] = [
  route({
    ...common,
    name: 'proposals.list',
    summary: 'Lista as propostas, da mais nova à mais antiga; a um corretor, as suas',
    paths: [BASE],
    permission: 'proposals:read',
    input: { query: proposalFilter },
    run: ({ core, actor }, { query }) => core.proposals.list(actor, query),
    reply: page({ view: proposalView }),
    example: { given: 'proposal', data: shown },
  }),
  route({
    ...common,
    name: 'proposals.create',
    summary: 'Registra uma proposta, que começa em análise',
    methods: ['POST'],
    paths: [BASE],
    permission: 'proposals:write',
    input: { body: newProposal },
    run: ({ core, actor }, { body }) => core.proposals.create(actor, body),
    reply: json({ status: 201, view: proposalDetailView }),
    errors: { 'proposal.broker': {}, ...offerErrors },
    example: { given: 'parties', request: { body: sent }, reply: detail },
  }),
  route({
    ...common,
    name: 'proposals.show',
    summary: 'Mostra uma proposta, com imóvel, cliente e corretor',
    paths: [`${BASE}/:id`],
    permission: 'proposals:read',
    run: ({ core, actor, request }) => core.proposals.read(actor, request.params.id ?? ''),
    reply: json({ view: proposalDetailView }),
    errors: { 'proposal.unknown': {} },
    example: { given: 'proposal', request: { params }, reply: detail },
  }),
  route({
    ...withRecord,
    name: 'proposals.update',
    summary: 'Substitui o que se propôs, em análise ou em negociação',
    methods: ['PUT'],
    paths: [`${BASE}/:id`],
    permission: 'proposals:write',
    input: { body: newProposal },
    run: ({ core, actor, record }, { body }) => core.proposals.replace(actor, record.proposal.id, body),
    reply: json({ view: proposalDetailView }),
    errors: { 'proposal.unknown': {}, 'proposal.broker': {}, 'proposal.closed': {}, ...offerErrors },
    example: { given: 'proposal', request: { params, body: sent }, reply: detail },
  }),
  route({
    ...withRecord,
    name: 'proposals.move',
    summary: 'Muda a situação de uma proposta que ainda vale',
    methods: ['PATCH'],
    paths: [`${BASE}/:id/status`],
    permission: 'proposals:write',
    input: { body: proposalMove },
    run: ({ core, actor, record }, { body }) => core.proposals.move(actor, record.proposal.id, body),
    reply: json({ view: proposalDetailView }),
    errors: { 'proposal.unknown': {}, 'proposal.move': {}, 'proposal.expired': {} },
    example: {
      given: 'proposal',
      request: { params, body: { status: 'Negotiating', reason: 'O proprietário pediu um valor maior.' } },
      reply: { ...detail, status: 'Negotiating' },
    },
  }),
  route({
    ...withRecord,
    name: 'proposals.convert',
    summary: 'Converte uma proposta aprovada em contrato',
    methods: ['POST'],
    paths: [`${BASE}/:id/convert`],
    permission: 'proposals:write',
    input: { body: conversion },
    run: ({ core, actor, record }, { body }) => core.proposals.convert(actor, record.proposal.id, body),
    reply: json({ status: 201, view: contractDetailView }),
    errors: {
      'proposal.unknown': {},
      'proposal.not-approved': {},
      'proposal.expired': {},
      'proposal.converted': {},
      ...offerErrors,
    },
    example: {
      given: 'approved',
      request: { params, body: agreed },
      reply: { ...contractExample.shown, ...agreed, ...UNSET, proposalId: shown.id, adjustments: [], payments: [] },
    },
  }),
  route({
    ...withRecord,
    name: 'proposals.remove',
    summary: 'Exclui uma proposta que não virou contrato',
    methods: ['DELETE'],
    paths: [`${BASE}/:id`],
    permission: 'proposals:remove',
    run: ({ core, actor, record }) => core.proposals.remove(actor, record.proposal.id),
    reply: empty(),
    errors: { 'proposal.unknown': {}, 'proposal.in-use': {} },
    example: { given: 'proposal', request: { params }, reply: null },
  }),
]
