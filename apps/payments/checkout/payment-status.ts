import { paymentStatusView } from '../../../core/payments/checkout/read-payment.ts'
import { json } from '../../http/replies/json-reply.ts'
import type { AnyRow } from '../../http/rows/row.ts'
import { publicPaths, route } from '../api.ts'
import { chargeExample } from '../charges/charge-example.ts'

const MESSAGE = 'Status da cobrança recuperado.'

const { client: _, pix, boleto, ...charge } = chargeExample

/** Source: 02-billing.md, Public payer routes; decisions.md §9, Exposure. */
export const paymentStatusRow: AnyRow = route({
  name: 'checkout.status',
  area: 'Pagador',
  summary: 'Mostra o que foi feito de uma cobrança',
  methods: ['GET'],
  paths: publicPaths('/payment-status/:chargeId/charge'),
  parameters: { chargeId: 'Código da cobrança' },
  dialect: 'envelope',
  auth: 'public',
  input: {},
  run: ({ core, request }) => core.checkout.status(request.params.chargeId ?? ''),
  reply: json({ view: paymentStatusView, message: MESSAGE }),
  errors: { 'charge.unknown': {} },
  example: {
    given: 'payingPayer',
    request: { params: { chargeId: chargeExample.code } },
    reply: {
      code: 200,
      success: true,
      data: {
        charge,
        pix,
        boleto,
        account: { name: 'Escola Aurora', document: '11222333000181', path_logo: null },
      },
      message: MESSAGE,
    },
  },
})
