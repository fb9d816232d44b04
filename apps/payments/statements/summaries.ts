import { id, list, output, view, viewEach } from '../../../core/kernel/input/mod.ts'
import { enumerations } from '../../../core/payments/enumerations.ts'
import { BOLEPIX_IN, BOLETO_IN, listedTransactionTypes, PIX_IN } from '../../../core/payments/ledger/ledger.ts'
import type { TypeSum } from '../../../core/payments/statements/entries.ts'
import {
  type SalesChart,
  type SalesDay,
  type Settlement,
  salesQuery,
  settlementQuery,
  type Totals,
  totalsQuery,
  typeSumsQuery,
} from '../../../core/payments/statements/summaries.ts'
import { transactionTypeView } from '../../../core/payments/statements/views.ts'
import { json } from '../../http/replies/json-reply.ts'
import type { AnyRow } from '../../http/rows/row.ts'
import { route, succeedWith } from '../api.ts'
import { dialects } from '../dialects.ts'
import { paymentMethodView } from '../enumerations.ts'
import { bareRow, envelopeRow, typeExample } from './transactions.ts'

const totalsView = view(
  'TransactionTotals',
  {
    pixInCents: output.money({ wire: 'pix_in', about: 'Recebido por Pix' }),
    boletoInCents: output.money({ wire: 'boleto_in', about: 'Recebido por boleto' }),
    bolepixInCents: output.money({ wire: 'bolepix_in', about: 'Recebido por bolepix' }),
    pixOutCents: output.money({ wire: 'pix_out', about: 'Enviado por Pix, sem sinal e sem tarifas' }),
    balanceCents: output.money({ wire: 'balance', about: 'Saldo agora' }),
  },
  (totals: Totals) => totals,
)

const groupView = view(
  'TransactionGroup',
  {
    type: output.view(transactionTypeView, { about: 'Tipo' }),
    typeId: id({ about: 'Identificador do tipo' }),
    typeName: output.text({ about: 'Nome do tipo' }),
    typeSlug: output.text({ about: 'Código do tipo' }),
    valueCents: output.money({ wire: 'total_value', about: 'Soma; negativa é débito' }),
    count: output.count({ wire: 'total_transactions', about: 'Quantas transações' }),
  },
  (sum: TypeSum) => ({ ...sum, typeId: sum.type.id, typeName: sum.type.name, typeSlug: sum.type.slug }),
)

const groupsView = view(
  'TransactionGroups',
  {
    success: output.json({ about: 'Sempre verdadeiro' }),
    data: output.views(groupView, { about: 'Os tipos de que houve transações' }),
  },
  (data: readonly TypeSum[]) => ({ success: true, data }),
)

const settlementView = view(
  'Settlement',
  {
    totalReceivedCents: output.money({ wire: 'total_received', about: 'Recebido por Pix e por transferência' }),
    startDate: output.text({ about: 'Desde quando, esse dia incluído' }),
  },
  (settlement: Settlement) => settlement,
)

const salesDayView = view(
  'SalesDay',
  {
    day: output.text({ wire: 'date', about: 'Dia' }),
    balanceCents: output.money({ wire: 'balance', about: 'Saldo ao fim do dia' }),
    incomeCents: output.money({ wire: 'balance_in', about: 'Entradas' }),
    expensesCents: output.money({ wire: 'balance_out', about: 'Saídas e tarifas, sem sinal' }),
    boletoCents: output.money({ wire: 'balance_boleto', about: 'Das entradas, por boleto' }),
  },
  (day: SalesDay) => day,
)

const MONTHS = 12

const COLOURS: Readonly<Record<number, string>> = {
  [PIX_IN.id]: '#2a9d8f',
  [BOLETO_IN.id]: '#264653',
  [BOLEPIX_IN.id]: '#e9c46a',
}

const seriesView = view(
  'SalesSeries',
  {
    label: output.text({ about: 'Nome do tipo' }),
    backgroundColor: output.text({ wire: 'backgroundColor', about: 'Cor no gráfico' }),
    data: list(output.money(), { max: MONTHS, about: 'A soma de cada mês' }),
  },
  ({ type, cents }: SalesChart['series'][number]) => ({
    label: type.name,
    backgroundColor: COLOURS[type.id] ?? '#8d99ae',
    data: cents,
  }),
)

const salesChartView = view(
  'SalesChart',
  {
    labels: list(output.text(), { max: MONTHS, about: 'Os últimos doze meses, `AAAA-MM`' }),
    datasets: output.views(seriesView, { about: 'As séries, uma por tipo' }),
  },
  ({ months, series }: SalesChart) => ({ labels: months, datasets: series }),
)

export const summaryRows: readonly AnyRow[] = [
  route({
    ...bareRow,
    name: 'consolidation.totals',
    summary: 'Soma o que entrou e saiu no período, e mostra o saldo de agora',
    paths: ['/consolidation/transactions/totals'],
    input: { query: totalsQuery },
    run: ({ core, actor }, { query }) => core.statements.readTotals(actor, query),
    reply: json({ view: totalsView }),
    example: { given: 'paidCharge', data: { pix_in: 150.5, boleto_in: 0, bolepix_in: 0, pix_out: 0, balance: 150.5 } },
  }),
  route({
    ...bareRow,
    name: 'consolidation.grouped-by-method',
    summary: 'Soma as transações confirmadas por tipo',
    paths: ['/consolidation/transactions/grouped-by-method'],
    input: { query: typeSumsQuery },
    run: ({ core, actor }, { query }) => core.statements.sumByType(actor, query),
    reply: json({ view: groupsView }),
    example: {
      given: 'paidCharge',
      data: {
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
    ...bareRow,
    name: 'consolidation.transaction-types',
    summary: 'Lista os tipos de transação',
    paths: ['/consolidation/transaction-types'],
    run: () => succeedWith(listedTransactionTypes),
    reply: json({ view: viewEach(transactionTypeView) }),
    example: {
      given: 'account',
      data: viewEach(transactionTypeView).on(dialects.bare.side).encode(listedTransactionTypes),
    },
  }),
  route({
    ...envelopeRow,
    name: 'consolidation.methods-payment',
    summary: 'Lista os meios de pagamento',
    paths: ['/consolidation/methods-payment'],
    run: () => succeedWith(enumerations.paymentMethods),
    reply: json({ view: viewEach(paymentMethodView), message: 'Metodos de Pagamento' }),
    example: { given: 'account', data: enumerations.paymentMethods },
  }),
  route({
    ...bareRow,
    name: 'consolidation.settlement',
    summary: 'Soma o que foi recebido por Pix e por transferência desde um dia',
    paths: ['/consolidation/get-settlement-statement'],
    input: { query: settlementQuery },
    run: ({ core, actor }, { query }) => core.statements.readSettlement(actor, query),
    reply: json({ view: settlementView }),
    example: { given: 'paidCharge', data: { total_received: 150.5, start_date: '2030-10-31' } },
  }),
  route({
    ...bareRow,
    name: 'consolidation.sales-per-month',
    summary: 'Soma entradas e saídas dia a dia, com o saldo ao fim de cada um',
    paths: ['/consolidation/transactions/sales-per-month'],
    input: { query: salesQuery },
    run: ({ core, actor }, { query }) => core.statements.reportSales(actor, query),
    reply: json({ view: viewEach(salesDayView) }),
    example: {
      given: 'paidCharge',
      data: [{ date: '2030-11-21', balance: 150.5, balance_in: 150.5, balance_out: 0, balance_boleto: 0 }],
    },
  }),
  route({
    ...bareRow,
    name: 'consolidation.sales-chart',
    summary: 'Mostra as vendas dos últimos doze meses como um gráfico',
    paths: ['/consolidation/transactions/sales-per-month-group-month'],
    run: ({ core, actor }) => core.statements.chartSales(actor),
    reply: json({ view: salesChartView }),
    example: {
      given: 'paidCharge',
      data: {
        labels: ['2030-10', '2030-11'],
        datasets: [{ label: 'Pix In', backgroundColor: '#2a9d8f', data: [0, 150.5] }],
      },
    },
  }),
]
