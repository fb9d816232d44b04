import { nullable } from '../../../kernel/input/field.ts'
import { id, oneOf } from '../../../kernel/input/scalars.ts'
import { output, view } from '../../../kernel/input/view.ts'
import { PAYMENT_METHODS } from '../../charges/charge-fields.ts'
import { transactionType } from '../../ledger/transaction-type.ts'
import { periodView } from '../period.ts'
import { transactionTypeView } from '../transaction-view.ts'
import { type TypeSum, typeSums } from '../type-sum.ts'
import type { PeriodPage } from './list-period.ts'
import { type DayChange, dailyChanges, type PeriodFigures } from './period-figures.ts'
import type { DailyRow, MethodSum } from './report-period.ts'

const figureFields = {
  receivedCents: output.money({ wire: 'total_received', about: 'Total de entradas confirmadas no período' }),
  paidCents: output.money({ wire: 'total_paid', about: 'Total de saídas confirmadas no período, sem sinal' }),
  initialCents: output.money({ wire: 'initial_balance', about: 'Saldo antes do primeiro dia' }),
  finalCents: output.money({ wire: 'final_balance', about: 'Saldo no fim do último dia' }),
}
const period = output.view(periodView, { about: 'Os dias do período' })

const figuresView = view(
  'PeriodFigures',
  { ...figureFields, currentCents: output.money({ wire: 'current_balance', about: 'Saldo atual' }), period },
  (figures: PeriodFigures) => figures,
)

const dayChangeView = view(
  'DayChange',
  {
    day: output.text({ wire: 'date', about: 'Dia' }),
    balanceCents: output.money({ wire: 'balance', about: 'Saldo no fim do dia' }),
    changeCents: output.money({ wire: 'change', about: 'Quanto o dia mudou o saldo' }),
  },
  (day: DayChange) => day,
)

const typeSummaryView = view(
  'TypeSummary',
  {
    type: output.text({ about: 'Nome do tipo' }),
    slug: output.text({ about: 'Código do tipo' }),
    count: output.count({ wire: 'quantity', about: 'Quantas transações' }),
    valueCents: output.money({ wire: 'total_value', about: 'Soma, com sinal' }),
  },
  ({ type: { name, slug }, ...sum }: TypeSum) => ({ ...sum, type: name, slug }),
)

const evolutionView = view(
  'PeriodEvolution',
  {
    ...figureFields,
    dailyEvolution: output.views(dayChangeView, { about: 'Os dias com movimento, do primeiro ao último' }),
    period,
    summary: output.views(typeSummaryView, { about: 'As somas por tipo' }),
  },
  (figures: PeriodFigures) => ({
    ...figures,
    dailyEvolution: dailyChanges(figures),
    summary: typeSums(figures.rows),
  }),
)

/** What stands beside a page of a period. Source: 02-billing.md, Statements (v2/transactions). */
export const figuresBeside = view(
  null,
  { statistics: output.view(figuresView, { about: 'O que os dias do período somam' }) },
  ({ figures }: PeriodPage) => ({ statistics: figures }),
)

/** The same, day by day and type by type. Source: 02-billing.md, Statements (v2/transactions/statement). */
export const evolutionBeside = view(
  null,
  { statistics: output.view(evolutionView, { about: 'O que os dias do período somam, dia a dia e por tipo' }) },
  ({ figures }: PeriodPage) => ({ statistics: figures }),
)

const typeFields = {
  typeId: id({ about: 'Identificador do tipo' }),
  totalCents: output.money({ wire: 'total_value', about: 'Soma, com sinal' }),
  type: nullable(output.view(transactionTypeView, { about: 'Tipo' })),
}

/** Source: 02-billing.md, Statements (v2/extract/report/transactions). */
export const dailyRowView = view(
  'DailyReportRow',
  { day: output.text({ wire: 'date', about: 'Dia' }), ...typeFields },
  (row: DailyRow) => ({ ...row, type: transactionType(row.typeId) ?? null }),
)

/** Source: 02-billing.md, Statements (v2/extract/report/summary). */
export const typeSumView = view(
  'TypeReportRow',
  { ...typeFields, count: output.count({ wire: 'total_count', about: 'Quantas transações' }) },
  ({ type, count, valueCents: totalCents }: TypeSum) => ({ typeId: type.id, type, count, totalCents }),
)

/** Source: decisions.md §4 (report rows of payment-methods). */
export const methodSumView = view(
  'MethodReportRow',
  {
    paymentMethod: oneOf(PAYMENT_METHODS, { about: 'Meio de pagamento' }),
    count: output.count({ wire: 'total_count', about: 'Quantas entradas' }),
    totalCents: output.money({ wire: 'total_value', about: 'Soma' }),
  },
  (sum: MethodSum) => sum,
)
