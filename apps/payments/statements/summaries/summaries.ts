import { right } from '../../../../core/fp.ts'
import { viewEach } from '../../../../core/kernel/input/view.ts'
import { enumerations } from '../../../../core/payments/enumerations/enumerations.ts'
import { transactionTypes } from '../../../../core/payments/ledger/transaction-type.ts'
import {
  salesQuery,
  settlementQuery,
  totalsQuery,
  typeSumsQuery,
} from '../../../../core/payments/statements/summaries.ts'
import { transactionTypeView } from '../../../../core/payments/statements/views.ts'
import { json } from '../../../http/replies/json-reply.ts'
import type { AnyRow } from '../../../http/rows/row.ts'
import { route } from '../../api.ts'
import { dialects } from '../../dialects.ts'
import { paymentMethodView } from '../../enumerations.ts'
import { typeExample } from '../transaction-example.ts'
import { groupsView, salesChartView, salesDayView, settlementView, totalsView } from './summary-views.ts'

const about = {
  area: 'Extratos',
  methods: ['GET'],
  auth: 'account',
  permission: 'statements:read',
} as const

const METHODS = 'Metodos de Pagamento'

/** Source: 02-billing.md, Statements and reports; decisions.md §11. */
export const summaryRows: readonly AnyRow[] = [
  route({
    ...about,
    name: 'consolidation.totals',
    summary: 'Soma o que entrou e saiu no período, e mostra o saldo de agora',
    paths: ['/consolidation/transactions/totals'],
    dialect: 'bare',
    input: { query: totalsQuery },
    run: ({ core, actor }, { query }) => core.statements.readTotals(actor, query),
    reply: json({ view: totalsView }),
    example: {
      given: 'paidCharge',
      reply: { pix_in: 150.5, boleto_in: 0, bolepix_in: 0, pix_out: 0, balance: 150.5 },
    },
  }),
  route({
    ...about,
    name: 'consolidation.grouped-by-method',
    summary: 'Soma as transações confirmadas por tipo',
    paths: ['/consolidation/transactions/grouped-by-method'],
    dialect: 'bare',
    input: { query: typeSumsQuery },
    run: ({ core, actor }, { query }) => core.statements.sumByType(actor, query),
    reply: json({ view: groupsView }),
    example: {
      given: 'paidCharge',
      reply: {
        success: true,
        data: [
          {
            type: typeExample,
            type_id: 1,
            type_name: 'Pix In',
            type_slug: 'pix-in',
            total_value: 150.5,
            total_transactions: 1,
          },
        ],
      },
    },
  }),
  route({
    ...about,
    name: 'consolidation.transaction-types',
    summary: 'Lista os tipos de transação',
    paths: ['/consolidation/transaction-types'],
    dialect: 'bare',
    input: {},
    run: () => async () => right(transactionTypes),
    reply: json({ view: viewEach(transactionTypeView) }),
    example: {
      given: 'account',
      reply: viewEach(transactionTypeView).on(dialects.bare.side).encode(transactionTypes),
    },
  }),
  route({
    ...about,
    name: 'consolidation.methods-payment',
    summary: 'Lista os meios de pagamento',
    paths: ['/consolidation/methods-payment'],
    dialect: 'envelope',
    input: {},
    run: () => async () => right(enumerations.paymentMethods),
    reply: json({ view: viewEach(paymentMethodView), message: METHODS }),
    example: {
      given: 'account',
      reply: { code: 200, success: true, data: enumerations.paymentMethods, message: METHODS },
    },
  }),
  route({
    ...about,
    name: 'consolidation.settlement',
    summary: 'Soma o que foi recebido por Pix e por transferência desde um dia',
    paths: ['/consolidation/get-settlement-statement'],
    dialect: 'bare',
    input: { query: settlementQuery },
    run: ({ core, actor }, { query }) => core.statements.readSettlement(actor, query),
    reply: json({ view: settlementView }),
    example: { given: 'paidCharge', reply: { total_received: 150.5, start_date: '2030-10-31' } },
  }),
  route({
    ...about,
    name: 'consolidation.sales-per-month',
    summary: 'Soma entradas e saídas dia a dia, com o saldo ao fim de cada um',
    paths: ['/consolidation/transactions/sales-per-month'],
    dialect: 'bare',
    input: { query: salesQuery },
    run: ({ core, actor }, { query }) => core.statements.reportSales(actor, query),
    reply: json({ view: viewEach(salesDayView) }),
    example: {
      given: 'paidCharge',
      reply: [{ date: '2030-11-21', balance: 150.5, balance_in: 150.5, balance_out: 0, balance_boleto: 0 }],
    },
  }),
  route({
    ...about,
    name: 'consolidation.sales-chart',
    summary: 'Mostra as vendas dos últimos doze meses como um gráfico',
    paths: ['/consolidation/transactions/sales-per-month-group-month'],
    dialect: 'bare',
    input: {},
    run: ({ core, actor }) => core.statements.chartSales(actor),
    reply: json({ view: salesChartView }),
    example: {
      given: 'paidCharge',
      reply: {
        labels: ['2030-10', '2030-11'],
        datasets: [{ label: 'Pix In', backgroundColor: '#2a9d8f', data: [0, 150.5] }],
      },
    },
  }),
]
