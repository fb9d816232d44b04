import { withDefault } from '../../../core/kernel/input/field.ts'
import { input } from '../../../core/kernel/input/input.ts'
import { inQuery } from '../../../core/kernel/input/query.ts'
import { mapUseCase } from '../../../core/kernel/running/use-case.ts'
import type { ReceiptPdf } from '../../../core/payments/exports/read-receipt.ts'
import { bytes } from '../../http/replies/raw-reply.ts'
import type { AnyRow } from '../../http/rows/row.ts'
import { route } from '../api.ts'

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
