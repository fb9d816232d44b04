import { required } from '../../../../core/kernel/input/field.ts'
import { input } from '../../../../core/kernel/input/input.ts'
import { inQuery } from '../../../../core/kernel/input/query.ts'
import { namesOf } from '../../../../core/kernel/input/table.ts'
import { mapUseCase } from '../../../../core/kernel/running/use-case.ts'
import { extractFilter } from '../../../../core/payments/statements/day-statements.ts'
import { datedTransactionFilter, summedFilter } from '../../../../core/payments/statements/entries.ts'
import { transactionView } from '../../../../core/payments/statements/views.ts'
import { flow, json } from '../../../http/replies/json-reply.ts'
import type { AnyRow } from '../../../http/rows/row.ts'
import { route } from '../../api.ts'
import { dialects } from '../../dialects.ts'
import { transactionExample, typeExample } from '../transaction-example.ts'
import { type AskedPage, extractView, linkedPageView, summedPageView } from './list-views.ts'
import { askedAt } from './page-urls.ts'

const about = {
  area: 'Extratos',
  methods: ['GET'],
  dialect: 'bare',
  auth: 'account',
  permission: 'statements:read',
} as const

const oneQuery = input('TransactionQuery', { id: required(inQuery.integer({ about: 'Identificador da transação' })) })

const LINKED_KEYS = namesOf(datedTransactionFilter.on(dialects[about.dialect].side).fields)

const url = 'https://pay.example.com/consolidation/transactionsV2'
const pageExample = { current_page: 1, last_page: 1, per_page: 15, total: 1 }
const sumExample = { type_id: 1, count: 1, type: typeExample }

/** Source: 02-billing.md, Statements and reports; decisions.md §4 and §11. */
export const transactionListRows: readonly AnyRow[] = [
  route({
    ...about,
    name: 'consolidation.transactions-linked',
    summary: 'Lista as transações da conta, com os endereços das outras páginas',
    paths: ['/consolidation/transactionsV2'],
    input: { query: datedTransactionFilter },
    run: ({ core, actor, request }, { query: filter }) =>
      mapUseCase(
        core.statements.listTransactions(actor, filter),
        (page): AskedPage => ({ ...page, asked: askedAt(core.ports.settings.publicUrl, request, LINKED_KEYS) }),
      ),
    reply: json({ view: linkedPageView }),
    example: {
      given: 'paidCharge',
      reply: {
        data: [transactionExample],
        current_page: 1,
        total_pages: 1,
        per_page: 15,
        total: 1,
        next_page_url: null,
        prev_page_url: null,
        first_page_url: `${url}?page=1`,
        last_page_url: `${url}?page=1`,
        from: 1,
        to: 1,
        path: url,
      },
    },
  }),
  route({
    ...about,
    name: 'consolidation.transactions-summed',
    summary: 'Lista as transações confirmadas, ou de outra situação, com as somas por tipo',
    paths: ['/consolidation/transactions-v2'],
    input: { query: summedFilter },
    run: ({ core, actor }, { query: filter }) => core.statements.listSummed(actor, filter),
    reply: json({ view: summedPageView }),
    example: {
      given: 'paidCharge',
      reply: {
        data: [transactionExample],
        summary: [{ ...sumExample, amount_sum: 150.5 }],
        pagination: pageExample,
      },
    },
  }),
  route({
    ...about,
    name: 'consolidation.transaction',
    summary: 'Mostra uma transação da conta',
    paths: ['/consolidation/transaction'],
    input: { query: oneQuery },
    run: ({ core, actor }, { query: { id } }) => core.statements.readTransaction(actor, id),
    reply: json({ view: transactionView }),
    errors: { 'transaction.unknown': {} },
    example: { given: 'transaction', request: { query: { id: '1' } }, reply: transactionExample },
  }),
  route({
    ...about,
    name: 'consolidation.extract',
    summary: 'Mostra o extrato do período, hoje se nenhum é dito',
    paths: ['/consolidation/extract'],
    input: { query: extractFilter },
    run: ({ core, actor }, { query: filter }) => core.statements.extract(actor, filter),
    reply: flow({ view: extractView }),
    example: {
      given: 'paidCharge',
      reply: {
        summary_by_type: [{ ...sumExample, total: 150.5 }],
        transactions: { data: [transactionExample], ...pageExample, per_page: 1000 },
        totals: { total_positives: 150.5, total_negatives: 0, total_count: 1, balance: 150.5 },
        period: { start_date: '2030-11-21', end_date: '2030-11-21' },
      },
    },
  }),
]
