import { t } from '../../../core/fp.ts'
import type { Decoded } from '../../../core/kernel/input/body.ts'
import { alsoAs } from '../../../core/kernel/input/codec.ts'
import { out } from '../../../core/kernel/input/outputs.ts'
import { inQuery, query } from '../../../core/kernel/input/query.ts'
import { reaisFromCents } from '../../../core/kernel/values/money.ts'
import type { Entry } from '../../../core/payments/ledger/entry.ts'
import { transactionType, transactionTypes } from '../../../core/payments/ledger/transaction-type.ts'
import type { TransactionFilter, TransactionPage } from '../../../core/payments/statements/list-transactions.ts'
import { transactionView } from '../../../core/payments/statements/transaction-view.ts'
import { json, page } from '../../http/replies/json-reply.ts'
import type { AnyRow } from '../../http/rows/row.ts'
import { route } from '../api.ts'
import { createdRange, paidRange, rangeRules } from '../charges/ranges.ts'

/** `-1` is every status. */
const EVERY = -1

const typeWords = transactionTypes.flatMap(({ id, slug }) => [String(id), slug])
const filters = {
  ...createdRange,
  ...paidRange,
  type: inQuery.words(typeWords),
  type_id: inQuery.integers(),
  type_ids: alsoAs(inQuery.integers(), 'type_ids[]'),
  search: inQuery.text(),
  status: inQuery.integer(),
  per_page: inQuery.perPage(),
  page: inQuery.page(),
}

const later = (a: string | undefined, b: string | undefined) => (a && b ? (a > b ? a : b) : (a ?? b))
const earlier = (a: string | undefined, b: string | undefined) => (a && b ? (a < b ? a : b) : (a ?? b))

// An entry is made on the day that it is paid, so that both ranges are about the same day.
const filterOf = (request: Decoded<typeof filters>): TransactionFilter => {
  const { type, type_id, type_ids } = request
  const named = type?.flatMap((word) => transactionType(word)?.id ?? [])
  const typeIds = type || type_id || type_ids ? [...(named ?? []), ...(type_id ?? []), ...(type_ids ?? [])] : undefined
  return {
    search: request.search,
    typeIds: typeIds && [...new Set(typeIds)],
    status: request.status === undefined || request.status === EVERY ? null : request.status,
    from: later(request.created_at_start, request.payment_date_start),
    to: earlier(request.created_at_end, request.payment_date_end),
    page: request.page,
    perPage: request.per_page,
  }
}

const party = out.nullable(
  t.type({
    name: t.string,
    document: t.string,
    bank: out.nullable(t.string),
    branch: out.nullable(t.string),
    account: out.nullable(t.string),
  }),
)
const told = { txid: out.nullable(t.string), endtoend: out.nullable(t.string), payer: party, receiver: party }
const transactionShape = t.type({
  id: out.id,
  datetime: out.instant,
  description: t.string,
  value: out.reais,
  balance: out.reais,
  type: out.nullable(t.type({ id: out.id, slug: t.string, name: t.string })),
  status: t.type({ id: out.id, title: t.string }),
  ...told,
  metadata: t.type(told),
})

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
    output: t.type({ balance: out.reais }),
    run: ({ core, actor }) => core.statements.readBalance(actor),
    reply: json({ view: ({ balanceCents }: { balanceCents: number }) => ({ balance: reaisFromCents(balanceCents) }) }),
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
    input: { query: query(filters, ...rangeRules()) },
    output: transactionShape,
    run: ({ core, actor }, { query: request }) => core.statements.listTransactions(actor, filterOf(request)),
    reply: page<Entry, TransactionPage>({
      view: transactionView,
      message: 'Transações listadas com sucesso.',
      more: ({ total, incomeCents, expensesCents }) => ({
        sumary: {
          total_transactions: total,
          income_value: reaisFromCents(incomeCents),
          expenses_value: reaisFromCents(expensesCents),
        },
      }),
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
