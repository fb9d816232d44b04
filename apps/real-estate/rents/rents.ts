import { quoteDay, quoteView } from '../../../core/real-estate/rents/quote.ts'
import { rentRun, rentRunView } from '../../../core/real-estate/rents/run-rent.ts'
import { json } from '../../http/replies/json-reply.ts'
import type { AnyRow } from '../../http/rows/row.ts'
import { route } from '../api.ts'
import { exampleId } from '../examples.ts'
import { paymentExample } from './payments.ts'

const about = { area: 'Pagamentos', dialect: 'estate', auth: 'member' } as const

/** Rents of a month, and what a late one costs. Source: decisions.md §6, Contracts and Payments. */
export const rentRows: readonly AnyRow[] = [
  route({
    ...about,
    name: 'payments.run-rent',
    summary: 'Cria o aluguel do mês de cada contrato de locação que não o tem, pelos dias em que esteve em vigor',
    methods: ['POST'],
    paths: ['/api/contracts/run-rent'],
    permission: 'payments:write',
    input: { body: rentRun },
    run: ({ core, actor }, { body }) => core.payments.runRent(actor, body),
    reply: json({ view: rentRunView }),
    example: {
      given: 'lease',
      request: { body: { period: '2030-11', dryRun: false } },
      reply: {
        period: '2030-11',
        dryRun: false,
        created: [{ ...paymentExample, notes: null }],
        skipped: [
          {
            contractId: exampleId(41),
            propertyCode: 'AP-102',
            code: 'lease.ended',
            reason: 'O prazo do contrato terminou, ou o contrato foi encerrado, antes deste mês.',
          },
        ],
      },
    },
  }),
  route({
    ...about,
    name: 'payments.quote',
    summary: 'Mostra quanto se deve de um pagamento num dia, e por que',
    methods: ['GET'],
    paths: ['/api/payments/:id/quote'],
    permission: 'payments:read',
    record: ({ core, actor, request }) => core.payments.read(actor, request.params.id ?? ''),
    input: { query: quoteDay },
    run: ({ core, actor, record }, { query }) => core.payments.quote(actor, record.id, query),
    reply: json({ view: quoteView }),
    errors: { 'payment.unknown': {}, 'payment.closed': {} },
    example: {
      given: 'payment',
      request: { params: { id: exampleId(50) }, query: { on: '2030-11-20' } },
      reply: {
        paymentId: exampleId(50),
        on: '2030-11-20',
        dueDate: '2030-11-10',
        daysLate: 10,
        value: 2500,
        fine: 250,
        interest: 8.33,
        discount: 0,
        total: 2758.33,
        reasons: {
          value: 'Valor do pagamento, com vencimento em 10/11/2030.',
          fine: 'Multa por atraso de 10% do valor.',
          interest: 'Juros de 1% ao mês sobre o valor, por 10 dias de atraso (mês de 30 dias).',
          discount: 'Sem desconto: valia até 10/11/2030.',
        },
      },
    },
  }),
]
