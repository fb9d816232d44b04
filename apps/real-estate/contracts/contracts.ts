import {
  contractMove,
  contractRenewal,
  contractReplacement,
  newContract,
} from '../../../core/real-estate/contracts/contract-inputs.ts'
import { contractDetailView, contractFilter, contractView } from '../../../core/real-estate/contracts/read-contract.ts'
import { json, page } from '../../http/replies/json-reply.ts'
import { empty } from '../../http/replies/raw-reply.ts'
import type { AnyRow } from '../../http/rows/row.ts'
import { route } from '../api.ts'
import { exampleId, examplePage } from '../examples.ts'
import { CANCELS } from '../rents/cancels.ts'
import { contractExample } from './contract-example.ts'
import { contractTermsRows } from './contract-terms.ts'

const about = { area: 'Contratos', dialect: 'estate', auth: 'member' } as const

const { shown, sent } = contractExample
const ID = shown.id

const payment = { id: exampleId(50), period: '2030-12', value: 2500, status: 'Pending', dueDate: '2030-12-10' }

const renewed = {
  startDate: '2033-06-01',
  endDate: '2036-05-31',
  value: 2800,
  periods: [{ startDate: '2030-12-01', endDate: '2033-05-31', value: 2500, indexer: 'IGPM', indexerPercentage: null }],
}

/** What is asked of one of them. */
const one = {
  ...about,
  paths: ['/api/contracts/:id'],
} as const

/** Source: 03-real-estate.md, Contracts. */
export const contractRows: readonly AnyRow[] = [
  ...contractTermsRows,
  route({
    ...about,
    name: 'contracts.list',
    summary: 'Lista os contratos, do mais novo ao mais antigo',
    methods: ['GET'],
    paths: ['/api/contracts'],
    permission: 'contracts:read',
    input: { query: contractFilter },
    run: ({ core, actor }, { query }) => core.contracts.list(actor, query),
    reply: page({ view: contractView }),
    example: { given: 'contract', reply: examplePage(shown) },
  }),
  route({
    ...about,
    name: 'contracts.create',
    summary: 'Cria um contrato, com ou sem proposta',
    methods: ['POST'],
    paths: ['/api/contracts'],
    permission: 'contracts:write',
    input: { body: newContract },
    run: ({ core, actor }, { body }) => core.contracts.create(actor, body),
    reply: json({ status: 201, view: contractDetailView }),
    errors: { 'property.purpose': {}, 'property.occupied': {}, 'proposal.unconvertible': {} },
    example: { given: 'parties', request: { body: sent }, reply: { ...shown, adjustments: [], payments: [] } },
  }),
  route({
    ...one,
    name: 'contracts.show',
    summary: 'Mostra um contrato com seus pagamentos',
    methods: ['GET'],
    permission: 'contracts:read',
    input: {},
    run: ({ core, actor, request }) => core.contracts.read(actor, request.params.id ?? ''),
    reply: json({ view: contractDetailView }),
    errors: { 'contract.unknown': {} },
    example: {
      given: 'owedContract',
      request: { params: { id: ID } },
      reply: { ...shown, adjustments: [], payments: [payment] },
    },
  }),
  route({
    ...one,
    name: 'contracts.update',
    summary: 'Substitui o que se combinou em um contrato ativo',
    methods: ['PUT'],
    permission: 'contracts:write',
    record: ({ core, actor, request }) => core.contracts.read(actor, request.params.id ?? ''),
    input: { body: contractReplacement },
    run: ({ core, actor, record }, { body }) => core.contracts.replace(actor, record.contract.id, body),
    reply: json({ view: contractDetailView }),
    errors: {
      'contract.unknown': {},
      'contract.ended': {},
      'contract.bound': {},
      'contract.period-closed': {},
      'contract.adjustments': {},
    },
    example: {
      given: 'owedContract',
      request: { params: { id: ID }, body: sent },
      reply: { ...shown, adjustments: [], payments: [payment] },
    },
  }),
  route({
    ...about,
    name: 'contracts.move',
    summary: 'Encerra um contrato: renovado, rescindido ou cancelado',
    methods: ['PATCH'],
    paths: ['/api/contracts/:id/status'],
    permission: 'contracts:write',
    record: ({ core, actor, request }) => core.contracts.read(actor, request.params.id ?? ''),
    input: { body: contractMove },
    run: ({ core, actor, record }, { body }) => core.contracts.move(actor, record.contract.id, body),
    reply: json({ view: contractDetailView }),
    errors: { 'contract.unknown': {}, 'contract.move': {}, 'contract.payments': {}, ...CANCELS },
    example: {
      given: 'owedContract',
      request: { params: { id: ID }, body: { status: 'Terminated', reason: 'Mudou de cidade.' } },
      reply: { ...shown, status: 'Terminated', endedOn: '2030-11-21', adjustments: [], payments: [payment] },
    },
  }),
  route({
    ...about,
    name: 'contracts.renew',
    summary: 'Renova um contrato ativo por mais um período',
    methods: ['POST'],
    paths: ['/api/contracts/:id/renew'],
    permission: 'contracts:write',
    record: ({ core, actor, request }) => core.contracts.read(actor, request.params.id ?? ''),
    input: { body: contractRenewal },
    run: ({ core, actor, record }, { body }) => core.contracts.renew(actor, record.contract.id, body),
    reply: json({ view: contractDetailView }),
    errors: {
      'contract.unknown': {},
      'contract.ended': {},
      'contract.periods': {},
      'contract.adjustments': {},
      'adjustment.early': {},
      'adjustment.missing': {},
      'adjustment.no-percentage': {},
      'adjustment.unpayable': {},
    },
    example: {
      given: 'owedContract',
      request: { params: { id: ID }, body: { newEndDate: '2036-05-31', newValue: 2800, indexer: 'IGPM' } },
      reply: { ...shown, ...renewed, adjustments: [], payments: [payment] },
    },
  }),
  route({
    ...one,
    name: 'contracts.remove',
    summary: 'Exclui um contrato sem pagamentos',
    methods: ['DELETE'],
    permission: 'contracts:remove',
    record: ({ core, actor, request }) => core.contracts.read(actor, request.params.id ?? ''),
    input: {},
    run: ({ core, actor, record }) => core.contracts.remove(actor, record.contract.id),
    reply: empty(),
    errors: { 'contract.unknown': {}, 'contract.in-use': {} },
    example: { given: 'contract', request: { params: { id: ID } }, reply: null },
  }),
]
