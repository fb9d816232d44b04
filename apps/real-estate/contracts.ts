import { adjustmentDay, adjustmentView } from '../../core/real-estate/contracts/adjustment.ts'
import type { ContractPdf } from '../../core/real-estate/contracts/contract-document.ts'
import {
  contractMove,
  contractRenewal,
  contractReplacement,
  newContract,
} from '../../core/real-estate/contracts/contract-inputs.ts'
import { terminationDay, terminationQuoteView } from '../../core/real-estate/contracts/end-contract.ts'
import { contractDetailView, contractFilter, contractView } from '../../core/real-estate/contracts/read-contract.ts'
import { json, page } from '../http/replies/json-reply.ts'
import { pdfFile } from '../http/replies/pdf-reply.ts'
import { empty } from '../http/replies/raw-reply.ts'
import type { AnyRow } from '../http/rows/row.ts'
import { type MemberCall, route } from './api.ts'
import { contractExample, exampleId } from './examples.ts'
import { CHARGE_CANCELLATION } from './payments.ts'

const common = { area: 'Contratos', dialect: 'estate', auth: 'member' } as const

const { shown, sent } = contractExample
const { startDate, endDate, terminationFine } = contractExample.terms
const params = { id: shown.id }
const payment = { id: exampleId(50), period: '2030-12', value: 2500, status: 'Pending', dueDate: '2030-12-10' }

/** The failures of an adjustment by the index of a contract. */
const adjustmentErrors = {
  'adjustment.early': {},
  'adjustment.missing': {},
  'adjustment.no-percentage': {},
  'adjustment.unpayable': {},
} as const

const renewed = {
  startDate: '2033-06-01',
  endDate: '2036-05-31',
  value: 2800,
  periods: [{ startDate: '2030-12-01', endDate: '2033-05-31', value: 2500, indexer: 'IGPM', indexerPercentage: null }],
}

/** The common part of rows that read their contract before the input is validated. */
const withRecord = {
  ...common,
  record: ({ core, actor, request }: MemberCall) => core.contracts.read(actor, request.params.id ?? ''),
} as const

/** Contracts, and the quotes and the document that follow from their terms. */
export const contractRows: readonly AnyRow[] = [
  route({
    ...common,
    name: 'contracts.termination-quote',
    summary: 'Calcula o que custa sair de um contrato antes do fim',
    paths: ['/api/contracts/:id/termination-quote'],
    permission: 'contracts:read',
    input: { query: terminationDay },
    run: ({ core, actor, request }, { query }) =>
      core.contracts.quoteTermination(actor, request.params.id ?? '', query),
    reply: json({ view: terminationQuoteView }),
    errors: { 'contract.unknown': {}, 'contract.ended': {}, 'contract.no-termination-fine': {} },
    example: {
      given: 'contract',
      request: { params, query: { on: '2032-08-01' } },
      reply: {
        contractId: shown.id,
        on: '2032-08-01',
        startDate,
        endDate,
        terminationFine,
        totalMonths: 30,
        remainingMonths: 10,
        fine: 2500,
        openPayments: 0,
        openValue: 0,
        total: 2500,
      },
    },
  }),
  route({
    ...common,
    name: 'contracts.adjustment',
    summary: 'Calcula o reajuste do valor de um contrato pelo seu índice, sem alterá-lo',
    paths: ['/api/contracts/:id/adjustment'],
    permission: 'contracts:read',
    input: { query: adjustmentDay },
    run: ({ core, actor, request }, { query }) =>
      core.contracts.previewAdjustment(actor, request.params.id ?? '', query),
    reply: json({ view: adjustmentView }),
    errors: { 'contract.unknown': {}, 'contract.ended': {}, ...adjustmentErrors },
    example: {
      given: 'fixedContract',
      request: { params, query: { on: '2032-01-15' } },
      reply: {
        contractId: shown.id,
        indexer: 'Fixed',
        since: startDate,
        dueOn: '2031-12-01',
        figures: [],
        measuredPercentage: 4.5,
        appliedPercentage: 4.5,
        value: 2500,
        newValue: 2612.5,
      },
    },
  }),
  route({
    ...common,
    name: 'contracts.pdf',
    summary: 'Baixa um contrato em PDF, para ser assinado',
    paths: ['/api/contracts/:id/pdf'],
    permission: 'contracts:read',
    run: ({ core, actor, request }) => core.contracts.print(actor, request.params.id ?? ''),
    reply: pdfFile<ContractPdf>({ fileName: ({ id }) => `contrato-${id}.pdf` }),
    errors: { 'contract.unknown': {} },
    example: { given: 'contract', request: { params }, reply: 'bytes' },
  }),
  route({
    ...common,
    name: 'contracts.list',
    summary: 'Lista os contratos, do mais novo ao mais antigo',
    paths: ['/api/contracts'],
    permission: 'contracts:read',
    input: { query: contractFilter },
    run: ({ core, actor }, { query }) => core.contracts.list(actor, query),
    reply: page({ view: contractView }),
    example: { given: 'contract', data: shown },
  }),
  route({
    ...common,
    name: 'contracts.create',
    summary: 'Cria um contrato, com ou sem proposta',
    methods: ['POST'],
    paths: ['/api/contracts'],
    permission: 'contracts:write',
    input: { body: newContract },
    run: ({ core, actor }, { body }) => core.contracts.create(actor, body),
    reply: json({ status: 201, view: contractDetailView }),
    errors: { 'property.other-purpose': {}, 'property.occupied': {}, 'proposal.unconvertible': {} },
    example: { given: 'parties', request: { body: sent }, reply: { ...shown, adjustments: [], payments: [] } },
  }),
  route({
    ...common,
    name: 'contracts.show',
    summary: 'Mostra um contrato com seus pagamentos',
    paths: ['/api/contracts/:id'],
    permission: 'contracts:read',
    run: ({ core, actor, request }) => core.contracts.read(actor, request.params.id ?? ''),
    reply: json({ view: contractDetailView }),
    errors: { 'contract.unknown': {} },
    example: {
      given: 'owedContract',
      request: { params },
      reply: { ...shown, adjustments: [], payments: [payment] },
    },
  }),
  route({
    ...withRecord,
    name: 'contracts.update',
    summary: 'Substitui o que se combinou em um contrato ativo',
    methods: ['PUT'],
    paths: ['/api/contracts/:id'],
    permission: 'contracts:write',
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
      request: { params, body: sent },
      reply: { ...shown, adjustments: [], payments: [payment] },
    },
  }),
  route({
    ...withRecord,
    name: 'contracts.move',
    summary: 'Encerra um contrato: renovado, rescindido ou cancelado',
    methods: ['PATCH'],
    paths: ['/api/contracts/:id/status'],
    permission: 'contracts:write',
    input: { body: contractMove },
    run: ({ core, actor, record }, { body }) => core.contracts.move(actor, record.contract.id, body),
    reply: json({ view: contractDetailView }),
    errors: { 'contract.unknown': {}, 'contract.move': {}, 'contract.payments': {}, ...CHARGE_CANCELLATION },
    example: {
      given: 'owedContract',
      request: { params, body: { status: 'Terminated', reason: 'Mudou de cidade.' } },
      reply: { ...shown, status: 'Terminated', endedOn: '2030-11-21', adjustments: [], payments: [payment] },
    },
  }),
  route({
    ...withRecord,
    name: 'contracts.renew',
    summary: 'Renova um contrato ativo por mais um período',
    methods: ['POST'],
    paths: ['/api/contracts/:id/renew'],
    permission: 'contracts:write',
    input: { body: contractRenewal },
    run: ({ core, actor, record }, { body }) => core.contracts.renew(actor, record.contract.id, body),
    reply: json({ view: contractDetailView }),
    errors: {
      'contract.unknown': {},
      'contract.ended': {},
      'contract.periods': {},
      'contract.adjustments': {},
      ...adjustmentErrors,
    },
    example: {
      given: 'owedContract',
      request: { params, body: { newEndDate: '2036-05-31', newValue: 2800, indexer: 'IGPM' } },
      reply: { ...shown, ...renewed, adjustments: [], payments: [payment] },
    },
  }),
  route({
    ...withRecord,
    name: 'contracts.remove',
    summary: 'Exclui um contrato sem pagamentos',
    methods: ['DELETE'],
    paths: ['/api/contracts/:id'],
    permission: 'contracts:remove',
    run: ({ core, actor, record }) => core.contracts.remove(actor, record.contract.id),
    reply: empty(),
    errors: { 'contract.unknown': {}, 'contract.in-use': {} },
    example: { given: 'contract', request: { params }, reply: null },
  }),
]
