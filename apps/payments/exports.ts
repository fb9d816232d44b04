import { withDefault } from '../../core/kernel/input/field.ts'
import { input } from '../../core/kernel/input/input.ts'
import { inQuery } from '../../core/kernel/input/query.ts'
import { output, view } from '../../core/kernel/input/view.ts'
import { mapUseCase, useCaseOf } from '../../core/kernel/running/use-case.ts'
import type { ExportedFile } from '../../core/payments/exports/document.ts'
import type { Export } from '../../core/payments/exports/export.ts'
import { statementExport, transactionExportBody } from '../../core/payments/exports/export-requests.ts'
import type { ReceiptPdf } from '../../core/payments/exports/read-receipt.ts'
import { json } from '../http/replies/json-reply.ts'
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
const OTHERS = ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'application/pdf'] as const

const file = bytes<ExportedFile>({
  type: ({ contentType }) => contentType,
  docType: CSV,
  others: OTHERS,
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
  // Who may read may take with them what they read, whatever the status of the account.
  accountWritable: false,
} as const

/** Source: 02-billing.md, Statements and reports; decisions.md §4; §11, Transfers and exports. */
export const exportRows: readonly AnyRow[] = [
  route({
    ...own,
    name: 'consolidation.export-transactions',
    summary: 'Exporta as transações da conta em xlsx, csv ou pdf, na resposta ou com uma notificação',
    paths: ['/consolidation/transactions/export-document'],
    input: { body: transactionExportBody },
    run: ({ core, actor }, { body: { download, ...asked } }) =>
      useCaseOf<ExportedFile | Export>()(async (hooks) =>
        download
          ? core.exports.downloadTransactions(actor, asked)()
          : core.exports.exportTransactions(actor, asked)(hooks),
      ),
    reply: fileOr<ExportedFile, Export>(isFile, file, json({ view: startedView }), [CSV, ...OTHERS]),
    errors: { 'export.empty': {} },
    example: { given: 'paidCharge', request: { body: { format: 'csv' } }, reply: startedExample },
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
      reply: startedExample,
    },
  }),
  route({
    name: 'consolidation.download-export',
    area: 'Extratos',
    summary: 'Baixa o arquivo de uma exportação, pelo id de sua notificação',
    methods: ['GET'],
    paths: ['/consolidation/exports/download/:id'],
    dialect: 'envelope',
    auth: 'public',
    parameters: { id: 'Id da notificação que avisou do arquivo' },
    input: {},
    run: ({ core, request }) => core.exports.open(request.params.id ?? ''),
    reply: file,
    errors: { 'export.unknown': {}, 'export.pending': {}, 'export.type': {} },
    example: { given: 'readyExport', request: { params: { id: startedExample.id } }, reply: 'bytes' },
  }),
]

/** A receipt, and whether it is to be saved or shown. */
interface SentReceipt extends ReceiptPdf {
  readonly download: boolean
}

async function* whole({ pdf }: ReceiptPdf): AsyncIterable<Uint8Array> {
  yield pdf
}

const receiptQuery = input('ReceiptQuery', {
  download: withDefault(inQuery.flag({ about: 'Se o navegador salva o arquivo, em vez de mostrá-lo' }), true),
})

/** The same paper by both of its generations, which call its file differently. */
const receiptRow = (name: string, path: string, called: string): AnyRow =>
  route({
    name,
    area: 'Extratos',
    summary: 'Baixa o comprovante de uma transação em PDF',
    methods: ['GET'],
    paths: [path],
    dialect: 'envelope',
    auth: 'account',
    permission: 'statements:read',
    parameters: { id: 'Id da transação' },
    input: { query: receiptQuery },
    run: ({ core, actor, request }, { query: { download } }) =>
      mapUseCase(
        core.exports.readReceipt(actor, request.params.id ?? ''),
        (receipt): SentReceipt => ({
          ...receipt,
          download,
        }),
      ),
    reply: bytes<SentReceipt>({
      type: 'application/pdf',
      fileName: ({ id, drawnAt }) => `${called}-${id}-${drawnAt}.pdf`,
      disposition: ({ download }) => (download ? 'attachment' : 'inline'),
      chunks: whole,
    }),
    errors: { 'transaction.unknown': {} },
    example: { given: 'transaction', request: { params: { id: '1' } }, reply: 'bytes' },
  })

/** Source: 02-billing.md, Statements and reports; decisions.md §11, Shapes. */
export const receiptRows: readonly AnyRow[] = [
  receiptRow('consolidation.transaction-pdf', '/consolidation/transaction/:id/generate-pdf', 'transacao'),
  receiptRow('consolidation.v2-transaction-pdf', '/consolidation/v2/transactions/:id/download-pdf', 'transacao-v2'),
]
