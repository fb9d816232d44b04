import { viewEach } from '../../../core/kernel/input/view.ts'
import type { InvoicePdf } from '../../../core/payments/charges/invoice.ts'
import { boletoSearch } from '../../../core/payments/charges/payer-charges.ts'
import { foundChargeView, publicChargeView, publicCode } from '../../../core/payments/charges/read.ts'
import { json } from '../../http/replies/json-reply.ts'
import { bytes } from '../../http/replies/raw-reply.ts'
import type { AnyRow } from '../../http/rows/row.ts'
import { originOf, publicPaths, route } from '../api.ts'
import { chargeExample, issuedBoletoExample, ownCharge } from './charges.ts'

const PDF = 'application/pdf'

async function* whole({ pdf }: InvoicePdf): AsyncIterable<Uint8Array> {
  yield pdf
}

const boletoCharge = {
  ...chargeExample,
  payment_method: 'BOLETO',
  pix: null,
  boleto: issuedBoletoExample,
}

const BOLETO = 'Boleto da cobrança recuperado com sucesso.'

/** What a payer prints, and how they find it. Source: 02-billing.md, Charges and Public payer routes. */
export const invoiceRows: readonly AnyRow[] = [
  route({
    ...ownCharge,
    name: 'charges.download-pdf',
    summary: 'Baixa a fatura de uma cobrança em PDF, por id ou código',
    methods: ['GET'],
    paths: ['/billing/charges/:id/download-pdf'],
    permission: 'charges:read',
    input: {},
    run: ({ core, record }) => core.charges.readInvoice(record),
    reply: bytes<InvoicePdf>({ type: PDF, fileName: ({ id }) => `fatura_${id}.pdf`, chunks: whole }),
    errors: { 'charge.unknown': {}, 'account.unknown': {} },
    example: { given: 'pendingCharge', request: { params: { id: '1' } }, reply: 'bytes' },
  }),
  route({
    name: 'boletos.pdf',
    area: 'Pagador',
    summary: 'Mostra um boleto em PDF, por seu txid',
    methods: ['GET'],
    paths: ['/storage/boletos/boleto_:txid.pdf', '/api/storage/boletos/boleto_:txid.pdf'],
    dialect: 'envelope',
    auth: 'public',
    input: {},
    run: ({ core, request }) => core.charges.readBoletoInvoice(request.params.txid ?? ''),
    reply: bytes<InvoicePdf>({
      type: PDF,
      fileName: ({ id }) => `boleto_${id}.pdf`,
      disposition: 'inline',
      chunks: whole,
    }),
    errors: { 'boleto.name': {}, 'boleto.unknown': {} },
    example: { given: 'boletoCharge', request: { params: { txid: issuedBoletoExample.txid } }, reply: 'bytes' },
  }),
  route({
    name: 'public.charge-boleto',
    area: 'Pagador',
    summary: 'Mostra o boleto de uma cobrança',
    methods: ['GET'],
    paths: publicPaths('/charge/boleto'),
    dialect: 'envelope',
    auth: 'public',
    input: { query: publicCode },
    run: ({ core }, { query: by }) => core.charges.readPublicBoleto(by),
    reply: json({ view: publicChargeView, message: BOLETO }),
    errors: { 'charge.unknown': {}, 'boleto.unknown': {} },
    example: {
      given: 'boletoCharge',
      request: { query: { code: boletoCharge.code } },
      reply: { code: 200, success: true, data: boletoCharge, message: BOLETO },
    },
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
      reply: [boletoCharge],
    },
  }),
]
