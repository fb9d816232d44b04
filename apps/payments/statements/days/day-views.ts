import { pick } from '../../../../core/kernel/input/table.ts'
import { shown, view } from '../../../../core/kernel/input/view.ts'
import { accountView } from '../../../../core/payments/accounts/account-view.ts'
import type { Entry } from '../../../../core/payments/ledger/entry.ts'
import type { DayExtract, ExtractDay } from '../../../../core/payments/statements/days/extract-days.ts'
import type { DayStatement } from '../../../../core/payments/statements/days/lines-of-days.ts'
import type { AccountDays, BalanceDay } from '../../../../core/payments/statements/days/list-balance-days.ts'
import type { BalanceSummary, PeriodSummary } from '../../../../core/payments/statements/days/summarize-periods.ts'
import { transactionView } from '../../../../core/payments/statements/transaction-view.ts'
import { typeSumView } from '../lists/list-views.ts'

const OLDEST_FIRST = 'das mais antigas às mais novas'
const transactions = shown.flow(transactionView, { about: `As transações do dia, ${OLDEST_FIRST}` })
const date = shown.text({ wire: 'date', about: 'Dia' })

const balanceDayView = view(
  'BalanceDay',
  { day: date, balanceCents: shown.money({ wire: 'balance', about: 'Saldo ao fim do dia' }), transactions },
  (day: BalanceDay) => day,
)

/** Source: 02-billing.md, Statements and reports (balance-days); decisions.md §4. */
export const accountDaysView = view(
  'AccountBalanceDays',
  {
    ...accountView.table,
    days: shown.views(balanceDayView, { wire: 'dailysBalances', about: 'Os últimos 30 dias, até hoje' }),
  },
  (detail: AccountDays) => ({ ...accountView.of(detail), days: detail.days }),
)

/** A line as this route has it: its parties stand in its metadata alone. Source: 02-billing.md (statement-detailed). */
const dayLineView = view(
  'StatementDayTransaction',
  pick(transactionView.table, 'id', 'datetime', 'description', 'valueCents', 'balanceCents', 'type', 'metadata'),
  (entry: Entry) => transactionView.of(entry),
)

/** Source: 02-billing.md, Statements and reports (statement-detailed). */
export const statementDayView = view(
  'StatementDay',
  {
    period: date,
    openingCents: shown.money({ wire: 'opening_balance', about: 'Saldo antes do dia' }),
    closingCents: shown.money({ wire: 'closing_balance', about: 'Saldo ao fim do dia' }),
    transactions: shown.flow(dayLineView, { about: `As transações do dia, ${OLDEST_FIRST}` }),
  },
  (day: DayStatement) => day,
)

const daySummaryView = view(
  'ExtractDaySummary',
  {
    totalCents: shown.money({ wire: 'day_total', about: 'Soma das transações confirmadas do dia' }),
    closingCents: shown.money({ wire: 'balance_end_of_day', about: 'Saldo ao fim do dia' }),
  },
  (day: ExtractDay) => day,
)

const extractDayView = view(
  'ExtractDay',
  {
    day: date,
    transactions,
    count: shown.count({ wire: 'transactions_count', about: 'Quantas transações' }),
    summary: shown.view(daySummaryView, { about: 'O dia em somas' }),
  },
  (day: ExtractDay) => ({ ...day, summary: day }),
)

const namedSumView = view(
  'ExtractTypeSum',
  {
    ...pick(typeSumView.table, 'typeId'),
    typeName: shown.text({ about: 'Nome do tipo' }),
    ...pick(typeSumView.table, 'count', 'valueCents'),
  },
  (sum: DayExtract['summary']['types'][number]) => ({ ...typeSumView.of(sum), typeName: sum.type.name }),
)

const extractSummaryView = view(
  'DayExtractSummary',
  {
    balanceCents: shown.money({ wire: 'balance', about: 'Saldo ao fim do período' }),
    total: shown.count({ wire: 'total_transactions', about: 'Quantas transações' }),
    types: shown.views(namedSumView, { wire: 'by_type', about: 'As somas das confirmadas, por tipo' }),
  },
  (summary: DayExtract['summary']) => summary,
)

/** Source: 02-billing.md, Statements and reports (transactions/extract). */
export const dayExtractView = view(
  'DayExtract',
  {
    days: shown.views(extractDayView, { wire: 'data', about: 'Os dias em que houve transações' }),
    summary: shown.view(extractSummaryView, { about: 'O período em somas' }),
  },
  (extract: DayExtract) => extract,
)

const periodView = view(
  'BalancePeriod',
  {
    period: shown.text({ about: 'Dia, mês ou `total`' }),
    sumCents: shown.money({ wire: 'sum', about: 'Entradas menos saídas' }),
    closingCents: shown.money({ wire: 'running_balance', about: 'Saldo ao fim do período' }),
    incomeCents: shown.money({ wire: 'income', about: 'Entradas' }),
    expensesCents: shown.money({ wire: 'expenses', about: 'Saídas, sem sinal' }),
    incomeCount: shown.count({ about: 'Quantas entradas' }),
    expensesCount: shown.count({ about: 'Quantas saídas' }),
    transactionsCount: shown.count({ about: 'Quantas transações' }),
    income: shown.flow(transactionView, { wire: 'transactions_in', about: `As entradas, ${OLDEST_FIRST}` }),
    expenses: shown.flow(transactionView, { wire: 'transactions_out', about: `As saídas, ${OLDEST_FIRST}` }),
  },
  (period: PeriodSummary) => ({
    ...period,
    sumCents: period.incomeCents - period.expensesCents,
    transactionsCount: period.incomeCount + period.expensesCount,
  }),
)

/** Source: 02-billing.md, Statements and reports (balance-summary). */
export const balanceSummaryView = view(
  'BalanceSummary',
  {
    periods: shown.views(periodView, { wire: 'data', about: 'Os períodos em que houve transações' }),
    total: shown.view(periodView, { wire: 'resume', about: 'Todos eles juntos' }),
  },
  (summary: BalanceSummary) => summary,
)
