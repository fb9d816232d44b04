import { list } from '../../../../core/kernel/input/field.ts'
import { id } from '../../../../core/kernel/input/scalars.ts'
import { output, view } from '../../../../core/kernel/input/view.ts'
import { BOLEPIX_IN, BOLETO_IN, PIX_IN } from '../../../../core/payments/ledger/transaction-type.ts'
import type { TypeSum } from '../../../../core/payments/statements/entries.ts'
import type { SalesChart, SalesDay, Settlement, Totals } from '../../../../core/payments/statements/summaries.ts'
import { transactionTypeView } from '../../../../core/payments/statements/views.ts'

/** Source: 02-billing.md, Statements and reports (transactions/totals). */
export const totalsView = view(
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

/** Source: 02-billing.md, Statements and reports (grouped-by-method). */
export const groupsView = view(
  'TransactionGroups',
  {
    success: output.json({ about: 'Sempre verdadeiro' }),
    data: output.views(groupView, { about: 'Os tipos de que houve transações' }),
  },
  (data: readonly TypeSum[]) => ({ success: true, data }),
)

/** Source: 02-billing.md, Statements and reports (get-settlement-statement). */
export const settlementView = view(
  'Settlement',
  {
    totalReceivedCents: output.money({ wire: 'total_received', about: 'Recebido por Pix e por transferência' }),
    startDate: output.text({ about: 'Desde quando, esse dia incluído' }),
  },
  (settlement: Settlement) => settlement,
)

/** Source: 02-billing.md, Statements and reports (sales-per-month). */
export const salesDayView = view(
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

/** Source: 02-billing.md, Statements and reports (sales-per-month-group-month); decisions.md §11, Shapes. */
export const salesChartView = view(
  'SalesChart',
  {
    labels: list(output.text(), { max: MONTHS, about: 'Os últimos doze meses, `AAAA-MM`' }),
    datasets: output.views(seriesView, { about: 'As séries, uma por tipo' }),
  },
  ({ months, series }: SalesChart) => ({ labels: months, datasets: series }),
)
