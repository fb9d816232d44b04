import { shown } from '../../../core/kernel/input/fields/shown.ts'
import { view } from '../../../core/kernel/input/view.ts'
import type { Entry } from '../../../core/payments/ledger/entry.ts'
import { type TransactionPage, transactionFilter } from '../../../core/payments/statements/list-transactions.ts'
import { balanceView } from '../../../core/payments/statements/read-balance.ts'
import { sumsView, transactionView } from '../../../core/payments/statements/transaction-view.ts'
import { json, page } from '../../http/replies/json-reply.ts'
import type { AnyRow } from '../../http/rows/row.ts'
import { route } from '../api.ts'

const payer = { name: 'Maria da Silva', document: '12345678909', bank: null, branch: null, account: null }
const exampleTold = {
  txid: 'A1b2C3d4E5f6G7h8I9j0K1l2M',
  endtoend: 'E0118152120301121130500123456789',
  payer,
  receiver: null,
}
const transactionExample = {
  id: 1,
  datetime: '2030-11-21T10:05:09-03:00',
  description: 'Mensalidade de novembro',
  value: 150.5,
  balance: 150.5,
  type: { id: 1, slug: 'pix-in', name: 'Pix In' },
  status: { id: 1, title: 'Confirmado' },
  ...exampleTold,
  metadata: exampleTold,
}

const sumsBeside = view(
  null,
  { sums: shown.view(sumsView, { wire: 'sumary', about: 'Somas das transações filtradas' }) },
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
]
