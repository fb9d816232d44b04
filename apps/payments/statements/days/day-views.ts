import { pick } from '../../../../core/kernel/input/table.ts'
import { output, view } from '../../../../core/kernel/input/view.ts'
import { accountView } from '../../../../core/payments/accounts/views.ts'
import type { Entry } from '../../../../core/payments/ledger/ledger.ts'
import type {
  AccountDays,
  BalanceDay,
  DayExtract,
  ExtractDay,
} from '../../../../core/payments/statements/day-statements.ts'
import type { DayStatement } from '../../../../core/payments/statements/days.ts'
import type { BalanceSummary, PeriodSummary } from '../../../../core/payments/statements/summaries.ts'
import { transactionView } from '../../../../core/payments/statements/views.ts'
import { typeSumView } from '../lists/list-views.ts'

const OLDEST_FIRST = 'das mais antigas às mais novas'
const transactions = output.stream(transactionView, { about: `As transações do dia, ${OLDEST_FIRST}` })
const date = output.text({ wire: 'date', about: 'Dia' })

const balanceDayView = view(
  'BalanceDay',
  { day: date, balanceCents: output.money({ wire: 'balance', about: 'Saldo ao fim do dia' }), transactions },
  (day: BalanceDay) => day,
)

/** Source: 02-billing.md, Statements and reports (balance-days); decisions.md §4. */
export const accountDaysView = view(
  'AccountBalanceDays',
  {
    ...accountView.table,
    days: output.views(balanceDayView, { wire: 'dailysBalances', about: 'Os últimos 30 dias, até hoje' }),
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
    openingCents: output.money({ wire: 'opening_balance', about: 'Saldo antes do dia' }),
    closingCents: output.money({ wire: 'closing_balance', about: 'Saldo ao fim do dia' }),
    transactions: output.stream(dayLineView, { about: `As transações do dia, ${OLDEST_FIRST}` }),
  },
  (day: DayStatement) => day,
)

const daySummaryView = view(
  'ExtractDaySummary',
  {
    totalCents: output.money({ wire: 'day_total', about: 'Soma das transações confirmadas do dia' }),
    closingCents: output.money({ wire: 'balance_end_of_day', about: 'Saldo ao fim do dia' }),
  },
  (day: ExtractDay) => day,
)

const extractDayView = view(
  'ExtractDay',
  {
    day: date,
    transactions,
    count: output.count({ wire: 'transactions_count', about: 'Quantas transações' }),
    summary: output.view(daySummaryView, { about: 'O dia em somas' }),
  },
  (day: ExtractDay) => ({ ...day, summary: day }),
)

const namedSumView = view(
  'ExtractTypeSum',
  {
    ...pick(typeSumView.table, 'typeId'),
    typeName: output.text({ about: 'Nome do tipo' }),
    ...pick(typeSumView.table, 'count', 'valueCents'),
  },
  (sum: DayExtract['summary']['types'][number]) => ({ ...typeSumView.of(sum), typeName: sum.type.name }),
)

const extractSummaryView = view(
  'DayExtractSummary',
  {
    balanceCents: output.money({ wire: 'balance', about: 'Saldo ao fim do período' }),
    total: output.count({ wire: 'total_transactions', about: 'Quantas transações' }),
    types: output.views(namedSumView, { wire: 'by_type', about: 'As somas das confirmadas, por tipo' }),
  },
  (summary: DayExtract['summary']) => summary,
)

/** Source: 02-billing.md, Statements and reports (transactions/extract). */
export const dayExtractView = view(
  'DayExtract',
  {
    days: output.views(extractDayView, { wire: 'data', about: 'Os dias em que houve transações' }),
    summary: output.view(extractSummaryView, { about: 'O período em somas' }),
  },
  (extract: DayExtract) => extract,
)

const periodView = view(
  'BalancePeriod',
  {
    period: output.text({ about: 'Dia, mês ou `total`' }),
    sumCents: output.money({ wire: 'sum', about: 'Entradas menos saídas' }),
    closingCents: output.money({ wire: 'running_balance', about: 'Saldo ao fim do período' }),
    incomeCents: output.money({ wire: 'income', about: 'Entradas' }),
    expensesCents: output.money({ wire: 'expenses', about: 'Saídas, sem sinal' }),
    incomeCount: output.count({ about: 'Quantas entradas' }),
    expensesCount: output.count({ about: 'Quantas saídas' }),
    transactionsCount: output.count({ about: 'Quantas transações' }),
    income: output.stream(transactionView, { wire: 'transactions_in', about: `As entradas, ${OLDEST_FIRST}` }),
    expenses: output.stream(transactionView, { wire: 'transactions_out', about: `As saídas, ${OLDEST_FIRST}` }),
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
    periods: output.views(periodView, { wire: 'data', about: 'Os períodos em que houve transações' }),
    total: output.view(periodView, { wire: 'resume', about: 'Todos eles juntos' }),
  },
  (summary: BalanceSummary) => summary,
)
