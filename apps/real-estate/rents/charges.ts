import { newPaymentCharge, paymentChargeView } from '../../../core/real-estate/rents/charge-payment.ts'
import { json } from '../../http/replies/json-reply.ts'
import type { AnyRow } from '../../http/rows/row.ts'
import { route } from '../api.ts'
import { exampleId } from '../examples.ts'

const boletoUrl = 'https://imoveis.example.com/storage/boletos/boleto_A1b2C3d4E5f6G7h8I9j0K1l2M.pdf'

/** What a payer is asked for a payment. Source: issue 15. */
export const chargeRows: readonly AnyRow[] = [
  route({
    area: 'Pagamentos',
    dialect: 'estate',
    auth: 'member',
    name: 'payments.charge',
    summary:
      'Cobra um pagamento do cliente por Pix ou boleto; a cobrança em aberto é devolvida, e trocada se o atraso a deixou menor que o devido',
    methods: ['POST'],
    paths: ['/api/payments/:id/charge'],
    permission: 'payments:write',
    record: ({ core, actor, request }) => core.payments.read(actor, request.params.id ?? ''),
    input: { body: newPaymentCharge },
    run: ({ core, actor, record }, { body }) => core.payments.charge(actor, record.id, body),
    resume: ({ core }, intent) => core.payments.resumeCharge(intent),
    reply: json({ view: paymentChargeView }),
    errors: {
      'payment.unknown': {},
      'payment.closed': {},
      'payment.no-account': {},
      'payment.no-tax-id': {},
      'payment.nothing-due': {},
      'charge.refused': {},
      'charge.ended': {},
      'charge.uncancelled': {},
      'charging.unavailable': {},
    },
    example: {
      given: 'chargeable',
      request: { params: { id: exampleId(50) }, body: { method: 'Boleto' } },
      reply: {
        id: exampleId(55),
        paymentId: exampleId(50),
        method: 'Boleto',
        status: 'Open',
        value: 2500,
        dueDate: '2030-12-10',
        discount: 50,
        pixCode: null,
        digitableLine: '00190500954014481606906809350314337370000000100',
        boletoUrl,
        url: 'https://imoveis.example.com/pay/charge/kVh2aQ0mZr8TgW5xYc3LdP',
      },
    },
  }),
]
