import { viewEach } from '../../../core/kernel/input/mod.ts'
import type { InvoicePdf } from '../../../core/payments/charges/queries/invoice.ts'
import { boletoSearch } from '../../../core/payments/charges/queries/payer-charges.ts'
import { foundChargeView, publicChargeView, publicCode } from '../../../core/payments/charges/queries/read.ts'
import { json } from '../../http/replies/json-reply.ts'
import { pdfFile } from '../../http/replies/pdf-reply.ts'
import type { AnyRow } from '../../http/rows/row.ts'
import { originOf, publicPaths, route } from '../api.ts'
import { chargeExample, ownCharge } from './charges.ts'

const boletoExample = {
  txid: 'B2c3D4e5F6g7H8i9J0k1L2m3N',
  nosso_numero: '302000019',
  barcode: '74895310700000150501130200001901010112345101',
  digitableLine: '74891130220000190101601123451013531070000015050',
  status: 'issued',
  pathPDF: 'https://pagamentos.example.com/storage/boletos/boleto_B2c3D4e5F6g7H8i9J0k1L2m3N.pdf',
}
const boletoCharge = { ...chargeExample, payment_method: 'BOLETO', pix: null, boleto: boletoExample }

/** Invoices as PDF, and the boletos of payers. */
export const invoiceRows: readonly AnyRow[] = [
  route({
    ...ownCharge,
    name: 'charges.download-pdf',
    summary: 'Baixa a fatura de uma cobrança em PDF, por id ou código',
    paths: ['/billing/charges/:id/download-pdf'],
    permission: 'charges:read',
    run: ({ core, record }) => core.charges.readInvoice(record),
    reply: pdfFile<InvoicePdf>({ fileName: ({ id }) => `fatura_${id}.pdf` }),
    errors: { 'charge.unknown': {}, 'account.unknown': {} },
    example: { given: 'pendingCharge', request: { params: { id: '1' } } },
  }),
  route({
    name: 'boletos.pdf',
    area: 'Pagador',
    summary: 'Mostra um boleto em PDF, por seu txid',
    paths: ['/storage/boletos/boleto_:txid.pdf', '/api/storage/boletos/boleto_:txid.pdf'],
    dialect: 'envelope',
    auth: 'public',
    run: ({ core, request }) => core.charges.readBoletoInvoice(request.params.txid ?? ''),
    reply: pdfFile<InvoicePdf>({ fileName: ({ id }) => `boleto_${id}.pdf`, disposition: 'inline' }),
    errors: { 'boleto.name': {}, 'boleto.unknown': {} },
    example: { given: 'boletoCharge', request: { params: { txid: boletoExample.txid } } },
  }),
  route({
    name: 'public.charge-boleto',
    area: 'Pagador',
    summary: 'Mostra o boleto de uma cobrança',
    paths: publicPaths('/charge/boleto'),
    dialect: 'envelope',
    auth: 'public',
    input: { query: publicCode },
    run: ({ core }, { query }) => core.charges.readPublicBoleto(query),
    reply: json({ view: publicChargeView, message: 'Boleto da cobrança recuperado com sucesso.' }),
    errors: { 'charge.unknown': {}, 'boleto.unknown': {} },
    example: { given: 'boletoCharge', request: { query: { code: boletoCharge.code } }, data: boletoCharge },
  }),
  route({
    name: 'public.boletos-search',
    area: 'Pagador',
    summary: 'Busca os boletos de quem paga, por documento e e-mail ou por nosso número',
    methods: ['POST'],
    paths: publicPaths('/boletos/search'),
    dialect: 'bare',
    auth: 'public',
    input: { body: boletoSearch },
    run: ({ core, request }, { body }) => core.charges.searchBoletos(body, originOf(request)),
    reply: json({ view: viewEach(foundChargeView) }),
    errors: { 'boleto.search-code': {}, 'code.throttled': {} },
    example: {
      given: 'boletoCharge',
      request: { body: { document: '123.456.789-09', email: 'maria@example.com', code: 'codigo-de-busca' } },
      data: [boletoCharge],
    },
  }),
]
