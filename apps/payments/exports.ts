import { input, inQuery, output, view, withDefault } from '../../core/kernel/input/mod.ts'
import { mapUseCase, useCaseOf } from '../../core/kernel/running/use-case.ts'
import { chargeTableFilter } from '../../core/payments/exports/charge-table.ts'
import type { ExportedFile } from '../../core/payments/exports/document.ts'
import type { Export } from '../../core/payments/exports/export.ts'
import { statementExport, transactionExportBody } from '../../core/payments/exports/export-requests.ts'
import type { ReceiptPdf } from '../../core/payments/exports/read-receipt.ts'
import { json } from '../http/replies/json-reply.ts'
import { pdfFile } from '../http/replies/pdf-reply.ts'
import { bytes, fileOr } from '../http/replies/raw-reply.ts'
import type { AnyRow } from '../http/rows/row.ts'
import { route } from './api.ts'

const STARTED = 'Exportação iniciada. Você receberá uma notificação quando o arquivo estiver pronto.'

const startedView = view(
  'ExportStarted',
  {
    message: output.text({ about: 'O que foi feito' }),
    id: output.text({ about: 'Identificador da notificação, com o qual se baixa o arquivo quando estiver pronto' }),
  },
  ({ notificationId }: Export) => ({ message: STARTED, id: notificationId }),
)

const startedExample = { message: STARTED, id: '9b2f6c1e-5d0a-4f6b-8a3c-2f1d7e9c4b10' }

const CSV = 'text/csv'
const OTHER_TYPES = ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'application/pdf'] as const

const file = bytes<ExportedFile>({
  type: ({ contentType }) => contentType,
  docType: CSV,
  others: OTHER_TYPES,
  fileName: ({ name }) => name,
  chunks: ({ chunks }) => chunks,
})

const isFile = (value: ExportedFile | Export): value is ExportedFile => 'chunks' in value

const own = {
  area: 'Extratos',
  methods: ['POST'],
  dialect: 'bare',
  auth: 'account',
  permission: 'statements:read',
  // An export reads only, so it needs no active account.
  accountWritable: false,
} as const

/** A receipt, and whether the browser saves it. */
interface SentReceipt extends ReceiptPdf {
  readonly download: boolean
}

const receiptQuery = input('ReceiptQuery', {
  download: withDefault(inQuery.flag({ about: 'Se o navegador salva o arquivo, em vez de mostrá-lo' }), true),
})

/** Returns a route to a receipt; the two generations differ in the name of the file. */
const receiptRow = (name: string, path: string, fileName: string): AnyRow =>
  route({
    name,
    area: 'Extratos',
    summary: 'Baixa o comprovante de uma transação em PDF',
    paths: [path],
    dialect: 'envelope',
    auth: 'account',
    permission: 'statements:read',
    parameters: { id: 'Id da transação' },
    input: { query: receiptQuery },
    run: ({ core, actor, request }, { query: { download } }) =>
      mapUseCase(
        core.exports.readReceipt(actor, request.params.id ?? ''),
        (receipt): SentReceipt => ({ ...receipt, download }),
      ),
    reply: pdfFile<SentReceipt>({
      fileName: ({ id, drawnAt }) => `${fileName}-${id}-${drawnAt}.pdf`,
      disposition: ({ download }) => (download ? 'attachment' : 'inline'),
    }),
    errors: { 'transaction.unknown': {} },
    example: { given: 'transaction', request: { params: { id: '1' } } },
  })

/** Exports of transactions and statements, and receipts. */
export const exportRows: readonly AnyRow[] = [
  route({
    ...own,
    name: 'consolidation.export-transactions',
    summary: 'Exporta as transações da conta em xlsx, csv ou pdf, na resposta ou com uma notificação',
    paths: ['/consolidation/transactions/export-document'],
    input: { body: transactionExportBody },
    run: ({ core, actor }, { body: { download, ...request } }) =>
      useCaseOf<ExportedFile | Export>()(async (hooks) =>
        download
          ? core.exports.downloadTransactions(actor, request)()
          : core.exports.exportTransactions(actor, request)(hooks),
      ),
    reply: fileOr<ExportedFile, Export>(isFile, file, json({ view: startedView }), [CSV, ...OTHER_TYPES]),
    errors: { 'export.empty': {} },
    example: { given: 'paidCharge', request: { body: { format: 'csv' } }, data: startedExample },
  }),
  route({
    ...own,
    name: 'consolidation.export-statement',
    summary: 'Exporta o extrato de até 60 dias em PDF, com uma notificação',
    paths: ['/consolidation/extract/export-document'],
    input: { body: statementExport },
    run: ({ core, actor }, { body }) => core.exports.exportStatement(actor, body),
    reply: json({ view: startedView }),
    example: {
      given: 'paidCharge',
      request: { body: { start_date: '2030-11-01', end_date: '2030-11-30' } },
      data: startedExample,
    },
  }),
  route({
    name: 'charges.export',
    area: 'Cobranças',
    summary: 'Baixa as cobranças filtradas em csv, xlsx ou pdf',
    paths: ['/v1/charges/export'],
    dialect: 'v1',
    auth: 'organization',
    permission: 'charges:read',
    input: { query: chargeTableFilter },
    run: ({ core, actor }, { query }) => core.exports.downloadCharges(actor, query),
    reply: file,
    errors: { 'export.empty': { message: 'Nenhuma cobrança encontrada.' } },
    example: { given: 'pendingCharge', request: { query: { format: 'csv' } } },
  }),
  route({
    name: 'consolidation.download-export',
    area: 'Extratos',
    summary: 'Baixa o arquivo de uma exportação, pelo id de sua notificação',
    paths: ['/consolidation/exports/download/:id'],
    dialect: 'envelope',
    auth: 'public',
    parameters: { id: 'Id da notificação que avisou do arquivo' },
    run: ({ core, request }) => core.exports.open(request.params.id ?? ''),
    reply: file,
    errors: { 'export.unknown': {}, 'export.pending': {}, 'export.type': {} },
    example: { given: 'readyExport', request: { params: { id: startedExample.id } } },
  }),
  receiptRow('consolidation.transaction-pdf', '/consolidation/transaction/:id/generate-pdf', 'transacao'),
  receiptRow('consolidation.v2-transaction-pdf', '/consolidation/v2/transactions/:id/download-pdf', 'transacao-v2'),
]
