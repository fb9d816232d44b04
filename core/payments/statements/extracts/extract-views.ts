import { nullable } from '../../../kernel/input/field.ts'
import { id, oneOf } from '../../../kernel/input/scalars.ts'
import { shown, view } from '../../../kernel/input/view.ts'
import { PAYMENT_METHODS } from '../../charges/charge-fields.ts'
import { transactionType } from '../../ledger/transaction-type.ts'
import { periodView } from '../period.ts'
import { transactionTypeView } from '../transaction-view.ts'
import { type TypeSum, typeSums } from '../type-sum.ts'
import type { PeriodPage } from './list-period.ts'
import { type DayChange, dailyChanges, type PeriodFigures } from './period-figures.ts'
import type { DailyRow, MethodSum } from './report-period.ts'

const figureFields = {
  receivedCents: shown.money({ wire: 'total_received', about: 'Total de entradas confirmadas no período' }),
  paidCents: shown.money({ wire: 'total_paid', about: 'Total de saídas confirmadas no período, sem sinal' }),
  initialCents: shown.money({ wire: 'initial_balance', about: 'Saldo antes do primeiro dia' }),
  finalCents: shown.money({ wire: 'final_balance', about: 'Saldo no fim do último dia' }),
}
const period = shown.view(periodView, { about: 'Os dias do período' })

const figuresView = view(
  'PeriodFigures',
  { ...figureFields, currentCents: shown.money({ wire: 'current_balance', about: 'Saldo atual' }), period },
  (figures: PeriodFigures) => figures,
)

const dayChangeView = view(
  'DayChange',
  {
    day: shown.text({ wire: 'date', about: 'Dia' }),
    balanceCents: shown.money({ wire: 'balance', about: 'Saldo no fim do dia' }),
    changeCents: shown.money({ wire: 'change', about: 'Quanto o dia mudou o saldo' }),
  },
  (day: DayChange) => day,
)

const typeSummaryView = view(
  'TypeSummary',
  {
    type: shown.text({ about: 'Nome do tipo' }),
    slug: shown.text({ about: 'Código do tipo' }),
    count: shown.count({ wire: 'quantity', about: 'Quantas transações' }),
    valueCents: shown.money({ wire: 'total_value', about: 'Soma, com sinal' }),
  },
  ({ type: { name, slug }, ...sum }: TypeSum) => ({ ...sum, type: name, slug }),
)

const evolutionView = view(
  'PeriodEvolution',
  {
    ...figureFields,
    dailyEvolution: shown.views(dayChangeView, { about: 'Os dias com movimento, do primeiro ao último' }),
    period,
    summary: shown.views(typeSummaryView, { about: 'As somas por tipo' }),
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
  { statistics: shown.view(figuresView, { about: 'O que os dias do período somam' }) },
  ({ figures }: PeriodPage) => ({ statistics: figures }),
)

/** The same, day by day and type by type. Source: 02-billing.md, Statements (v2/transactions/statement). */
export const evolutionBeside = view(
  null,
  { statistics: shown.view(evolutionView, { about: 'O que os dias do período somam, dia a dia e por tipo' }) },
  ({ figures }: PeriodPage) => ({ statistics: figures }),
)

const typeFields = {
  typeId: id({ about: 'Identificador do tipo' }),
  totalCents: shown.money({ wire: 'total_value', about: 'Soma, com sinal' }),
  type: nullable(shown.view(transactionTypeView, { about: 'Tipo' })),
}

/** Source: 02-billing.md, Statements (v2/extract/report/transactions). */
export const dailyRowView = view(
  'DailyReportRow',
  { day: shown.text({ wire: 'date', about: 'Dia' }), ...typeFields },
  (row: DailyRow) => ({ ...row, type: transactionType(row.typeId) ?? null }),
)

/** Source: 02-billing.md, Statements (v2/extract/report/summary). */
export const typeSumView = view(
  'TypeReportRow',
  { ...typeFields, count: shown.count({ wire: 'total_count', about: 'Quantas transações' }) },
  ({ type, count, valueCents: totalCents }: TypeSum) => ({ typeId: type.id, type, count, totalCents }),
)

/** Source: decisions.md §4 (report rows of payment-methods). */
export const methodSumView = view(
  'MethodReportRow',
  {
    paymentMethod: oneOf(PAYMENT_METHODS, { about: 'Meio de pagamento' }),
    count: shown.count({ wire: 'total_count', about: 'Quantas entradas' }),
    totalCents: shown.money({ wire: 'total_value', about: 'Soma' }),
  },
  (sum: MethodSum) => sum,
)
