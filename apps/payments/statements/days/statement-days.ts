import { dayExtractFilter, statementDaysFilter } from '../../../../core/payments/statements/day-statements.ts'
import type { DayStatement } from '../../../../core/payments/statements/days.ts'
import { balanceSummaryQuery } from '../../../../core/payments/statements/summaries.ts'
import { flow, flowPage } from '../../../http/replies/json-reply.ts'
import type { AnyRow } from '../../../http/rows/row.ts'
import { accountExample } from '../../accounts.ts'
import { route } from '../../api.ts'
import { transactionExample } from '../transaction-example.ts'
import { accountDaysView, balanceSummaryView, dayExtractView, statementDayView } from './day-views.ts'

const about = {
  area: 'Extratos',
  methods: ['GET'],
  auth: 'account',
  permission: 'statements:read',
} as const

const date = '2030-11-21'
const { status: _, txid: __, endtoend: ___, payer: ____, receiver: _____, ...dayLineExample } = transactionExample

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

const DAYS = 'Dias listados com sucesso.'

/** Source: 02-billing.md, Statements and reports; decisions.md §4 and §11. */
export const statementDayRows: readonly AnyRow[] = [
  route({
    ...about,
    name: 'consolidation.balance-days',
    summary: 'Mostra a conta com o saldo e as transações de cada um dos últimos 30 dias',
    paths: ['/consolidation/balance-days'],
    dialect: 'bare',
    input: {},
    run: ({ core, actor }) => core.statements.listBalanceDays(actor),
    reply: flow({ view: accountDaysView }),
    errors: { 'account.unknown': {} },
    example: {
      given: 'paidCharge',
      reply: {
        ...accountExample,
        dailysBalances: [
          { date: '2030-11-20', balance: 0, transactions: [] },
          { date, balance: 150.5, transactions: [transactionExample] },
        ],
      },
    },
  }),
  route({
    ...about,
    name: 'consolidation.statement-detailed',
    summary: 'Lista os dias em que houve transações, com elas e os saldos antes e depois',
    paths: ['/consolidation/transactions/statement-detailed'],
    dialect: 'envelope',
    input: { query: statementDaysFilter },
    run: ({ core, actor }, { query: filter }) => core.statements.listStatementDays(actor, filter),
    reply: flowPage<DayStatement>({ view: statementDayView, message: DAYS }),
    example: {
      given: 'paidCharge',
      reply: {
        code: 200,
        success: true,
        data: [{ date, opening_balance: 0, closing_balance: 150.5, transactions: [dayLineExample] }],
        meta: { current_page: 1, per_page: 15, total: 1, last_page: 1 },
        message: DAYS,
      },
    },
  }),
  route({
    ...about,
    name: 'consolidation.transactions-extract',
    summary: 'Mostra as transações filtradas, dia a dia, com o saldo ao fim de cada um',
    paths: ['/consolidation/transactions/extract'],
    dialect: 'bare',
    input: { query: dayExtractFilter },
    run: ({ core, actor }, { query: filter }) => core.statements.extractDays(actor, filter),
    reply: flow({ view: dayExtractView }),
    example: {
      given: 'paidCharge',
      request: { query: { payment_date_start: '2026-11-01', payment_date_end: '2030-11-30' } },
      reply: {
        data: [
          {
            date,
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
    ...about,
    name: 'consolidation.balance-summary',
    summary: 'Soma entradas e saídas por dia ou por mês, com as transações de cada um',
    paths: ['/consolidation/v2/transactions/balance-summary'],
    dialect: 'bare',
    input: { query: balanceSummaryQuery },
    run: ({ core, actor }, { query }) => core.statements.summarizePeriods(actor, query),
    reply: flow({ view: balanceSummaryView }),
    example: {
      given: 'paidCharge',
      request: { query: { group_by: 'days', date_start: '2026-11-01', date_end: '2030-11-30' } },
      reply: { data: [{ period: date, ...periodExample }], resume: { period: 'total', ...periodExample } },
    },
  }),
]
