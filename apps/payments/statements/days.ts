import { output, pick, view } from '../../../core/kernel/input/mod.ts'
import { accountView } from '../../../core/payments/accounts/views.ts'
import type { Entry } from '../../../core/payments/ledger/ledger.ts'
import {
  type AccountDays,
  type BalanceDay,
  type DayExtract,
  dayExtractFilter,
  type ExtractDay,
  statementDaysFilter,
} from '../../../core/payments/statements/day-statements.ts'
import type { DayStatement } from '../../../core/payments/statements/days.ts'
import {
  type BalanceSummary,
  balanceSummaryQuery,
  type PeriodSummary,
} from '../../../core/payments/statements/summaries.ts'
import { transactionView } from '../../../core/payments/statements/views.ts'
import { streamedJson, streamedPage } from '../../http/replies/json-reply.ts'
import type { AnyRow } from '../../http/rows/row.ts'
import { accountExample } from '../accounts.ts'
import { route } from '../api.ts'
import { bareRow, envelopeRow, transactionExample, typeSumView } from './transactions.ts'

const OLDEST_FIRST = 'das mais antigas às mais novas'
const transactions = output.stream(transactionView, { about: `As transações do dia, ${OLDEST_FIRST}` })
const date = output.text({ wire: 'date', about: 'Dia' })

const balanceDayView = view(
  'BalanceDay',
  { day: date, balanceCents: output.money({ wire: 'balance', about: 'Saldo ao fim do dia' }), transactions },
  (day: BalanceDay) => day,
)

const accountDaysView = view(
  'AccountBalanceDays',
  {
    ...accountView.table,
    days: output.views(balanceDayView, { wire: 'dailysBalances', about: 'Os últimos 30 dias, até hoje' }),
  },
  (detail: AccountDays) => ({ ...accountView.of(detail), days: detail.days }),
)

/** An entry with its parties only in `metadata`. */
const dayEntryView = view(
  'StatementDayTransaction',
  pick(transactionView.table, 'id', 'datetime', 'description', 'valueCents', 'balanceCents', 'type', 'metadata'),
  (entry: Entry) => transactionView.of(entry),
)

const statementDayView = view(
  'StatementDay',
  {
    period: date,
    openingCents: output.money({ wire: 'opening_balance', about: 'Saldo antes do dia' }),
    closingCents: output.money({ wire: 'closing_balance', about: 'Saldo ao fim do dia' }),
    transactions: output.stream(dayEntryView, { about: `As transações do dia, ${OLDEST_FIRST}` }),
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

const dayExtractView = view(
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

const balanceSummaryView = view(
  'BalanceSummary',
  {
    periods: output.views(periodView, { wire: 'data', about: 'Os períodos em que houve transações' }),
    total: output.view(periodView, { wire: 'resume', about: 'Todos eles juntos' }),
  },
  (summary: BalanceSummary) => summary,
)

const exampleDay = '2030-11-21'
const { status: _, txid: __, endtoend: ___, payer: ____, receiver: _____, ...dayEntryExample } = transactionExample

const periodExample = {
  sum: 150.5,
  running_balance: 150.5,
  income: 150.5,
  expenses: 0,
  income_count: 1,
  expenses_count: 0,
  transactions_count: 1,
  transactions_in: [transactionExample],
  transactions_out: [],
}

export const statementDayRows: readonly AnyRow[] = [
  route({
    ...bareRow,
    name: 'consolidation.balance-days',
    summary: 'Mostra a conta com o saldo e as transações de cada um dos últimos 30 dias',
    paths: ['/consolidation/balance-days'],
    run: ({ core, actor }) => core.statements.listBalanceDays(actor),
    reply: streamedJson({ view: accountDaysView }),
    errors: { 'account.unknown': {} },
    example: {
      given: 'paidCharge',
      data: {
        ...accountExample,
        dailysBalances: [
          { date: '2030-11-20', balance: 0, transactions: [] },
          { date: exampleDay, balance: 150.5, transactions: [transactionExample] },
        ],
      },
    },
  }),
  route({
    ...envelopeRow,
    name: 'consolidation.statement-detailed',
    summary: 'Lista os dias em que houve transações, com elas e os saldos antes e depois',
    paths: ['/consolidation/transactions/statement-detailed'],
    input: { query: statementDaysFilter },
    run: ({ core, actor }, { query }) => core.statements.listStatementDays(actor, query),
    reply: streamedPage<DayStatement>({ view: statementDayView, message: 'Dias listados com sucesso.' }),
    example: {
      given: 'paidCharge',
      data: { date: exampleDay, opening_balance: 0, closing_balance: 150.5, transactions: [dayEntryExample] },
    },
  }),
  route({
    ...bareRow,
    name: 'consolidation.transactions-extract',
    summary: 'Mostra as transações filtradas, dia a dia, com o saldo ao fim de cada um',
    paths: ['/consolidation/transactions/extract'],
    input: { query: dayExtractFilter },
    run: ({ core, actor }, { query }) => core.statements.extractDays(actor, query),
    reply: streamedJson({ view: dayExtractView }),
    example: {
      given: 'paidCharge',
      request: { query: { payment_date_start: '2026-11-01', payment_date_end: '2030-11-30' } },
      data: {
        data: [
          {
            date: exampleDay,
            transactions: [transactionExample],
            transactions_count: 1,
            summary: { day_total: 150.5, balance_end_of_day: 150.5 },
          },
        ],
        summary: {
          balance: 150.5,
          total_transactions: 1,
          by_type: [{ type_id: 1, type_name: 'Pix In', count: 1, total: 150.5 }],
        },
      },
    },
  }),
  route({
    ...bareRow,
    name: 'consolidation.balance-summary',
    summary: 'Soma entradas e saídas por dia ou por mês, com as transações de cada um',
    paths: ['/consolidation/v2/transactions/balance-summary'],
    input: { query: balanceSummaryQuery },
    run: ({ core, actor }, { query }) => core.statements.summarizePeriods(actor, query),
    reply: streamedJson({ view: balanceSummaryView }),
    example: {
      given: 'paidCharge',
      request: { query: { group_by: 'days', date_start: '2026-11-01', date_end: '2030-11-30' } },
      data: { data: [{ period: exampleDay, ...periodExample }], resume: { period: 'total', ...periodExample } },
    },
  }),
]
