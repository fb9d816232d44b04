import { output, view } from '../../../core/kernel/input/view.ts'
import type { Entry } from '../../../core/payments/ledger/ledger.ts'
import type { TransactionPage } from '../../../core/payments/statements/entries.ts'
import { balanceView, transactionFilter } from '../../../core/payments/statements/entries.ts'
import { sumsView, transactionView } from '../../../core/payments/statements/views.ts'
import { json, page } from '../../http/replies/json-reply.ts'
import type { AnyRow } from '../../http/rows/row.ts'
import { route } from '../api.ts'
import { statementDayRows } from './days/statement-days.ts'
import { transactionListRows } from './lists/transaction-lists.ts'
import { summaryRows } from './summaries/summaries.ts'
import { transactionExample } from './transaction-example.ts'

const sumsBeside = view(
  null,
  { sums: output.view(sumsView, { wire: 'sumary', about: 'Somas das transações filtradas' }) },
  (sums: TransactionPage) => ({ sums }),
)

/** Source: 02-billing.md, Statements and reports; decisions.md §11. */
export const consolidationRows: readonly AnyRow[] = [
  route({
    name: 'consolidation.balance',
    area: 'Extratos',
    summary: 'Mostra o saldo da conta',
    methods: ['GET'],
    paths: ['/consolidation/balance'],
    dialect: 'bare',
    auth: 'account',
    permission: 'statements:read',
    input: {},
    run: ({ core, actor }) => core.statements.readBalance(actor),
    reply: json({ view: balanceView }),
    example: { given: 'paidCharge', reply: { balance: 150.5 } },
  }),
  route({
    name: 'consolidation.transactions',
    area: 'Extratos',
    summary: 'Lista as transações da conta',
    methods: ['GET'],
    paths: ['/consolidation/transactions'],
    dialect: 'envelope',
    auth: 'account',
    permission: 'statements:read',
    input: { query: transactionFilter },
    run: ({ core, actor }, { query: filter }) => core.statements.listTransactions(actor, filter),
    reply: page<Entry, TransactionPage>({
      view: transactionView,
      message: 'Transações listadas com sucesso.',
      more: sumsBeside,
    }),
    example: {
      given: 'paidCharge',
      reply: {
        code: 200,
        success: true,
        data: [transactionExample],
        meta: { current_page: 1, per_page: 15, total: 1, last_page: 1 },
        sumary: { total_transactions: 1, income_value: 150.5, expenses_value: 0 },
        message: 'Transações listadas com sucesso.',
      },
    },
  }),
  ...transactionListRows,
  ...statementDayRows,
  ...summaryRows,
]
