import type { ContractPdf } from '../../../core/real-estate/contracts/contract-document.ts'
import { terminationDay, terminationQuoteView } from '../../../core/real-estate/contracts/end-contract.ts'
import { adjustmentDay, adjustmentView } from '../../../core/real-estate/contracts/renew-contract.ts'
import { json } from '../../http/replies/json-reply.ts'
import { bytes } from '../../http/replies/raw-reply.ts'
import type { AnyRow } from '../../http/rows/row.ts'
import { route } from '../api.ts'
import { contractExample } from './contract-example.ts'

const about = { area: 'Contratos', dialect: 'estate', auth: 'member', permission: 'contracts:read' } as const
const { id } = contractExample.shown
const { startDate, endDate, terminationFine } = contractExample.agreed

async function* whole({ pdf }: ContractPdf): AsyncIterable<Uint8Array> {
  yield pdf
}

/** What follows from what was agreed in a contract. */
export const contractTermsRows: readonly AnyRow[] = [
  route({
    ...about,
    name: 'contracts.termination-quote',
    summary: 'Calcula o que custa sair de um contrato antes do fim',
    methods: ['GET'],
    paths: ['/api/contracts/:id/termination-quote'],
    input: { query: terminationDay },
    run: ({ core, actor, request }, { query }) =>
      core.contracts.quoteTermination(actor, request.params.id ?? '', query),
    reply: json({ view: terminationQuoteView }),
    errors: { 'contract.unknown': {}, 'contract.ended': {}, 'contract.no-termination-fine': {} },
    example: {
      given: 'contract',
      request: { params: { id }, query: { on: '2032-08-01' } },
      reply: {
        contractId: id,
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
    ...about,
    name: 'contracts.adjustment',
    summary: 'Calcula o reajuste do valor de um contrato pelo seu índice, sem alterá-lo',
    methods: ['GET'],
    paths: ['/api/contracts/:id/adjustment'],
    input: { query: adjustmentDay },
    run: ({ core, actor, request }, { query }) =>
      core.contracts.previewAdjustment(actor, request.params.id ?? '', query),
    reply: json({ view: adjustmentView }),
    errors: {
      'contract.unknown': {},
      'contract.ended': {},
      'adjustment.early': {},
      'adjustment.missing': {},
      'adjustment.no-percentage': {},
      'adjustment.unpayable': {},
    },
    example: {
      given: 'fixedContract',
      request: { params: { id }, query: { on: '2032-01-15' } },
      reply: {
        contractId: id,
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
    ...about,
    name: 'contracts.pdf',
    summary: 'Baixa um contrato em PDF, para ser assinado',
    methods: ['GET'],
    paths: ['/api/contracts/:id/pdf'],
    input: {},
    run: ({ core, actor, request }) => core.contracts.print(actor, request.params.id ?? ''),
    reply: bytes<ContractPdf>({
      type: 'application/pdf',
      fileName: ({ id: of }) => `contrato-${of}.pdf`,
      chunks: whole,
    }),
    errors: { 'contract.unknown': {} },
    example: { given: 'contract', request: { params: { id } }, reply: 'bytes' },
  }),
]
