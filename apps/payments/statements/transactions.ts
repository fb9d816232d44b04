import { id, input, inQuery, namesOf, nullable, output, required, view } from '../../../core/kernel/input/mod.ts'
import { mapUseCase } from '../../../core/kernel/running/use-case.ts'
import type { Entry } from '../../../core/payments/ledger/ledger.ts'
import { type Extract, extractFilter } from '../../../core/payments/statements/day-statements.ts'
import {
  balancesView,
  balanceView,
  datedTransactionFilter,
  summedFilter,
  type TransactionPage,
  type TypeSum,
  transactionFilter,
} from '../../../core/payments/statements/entries.ts'
import { sumsView, transactionTypeView, transactionView } from '../../../core/payments/statements/views.ts'
import { offsetOf, type PageOf, pageMeta } from '../../../core/ports/store.ts'
import { json, page, streamedJson } from '../../http/replies/json-reply.ts'
import type { HttpRequest } from '../../http/request.ts'
import type { AnyRow } from '../../http/rows/row.ts'
import { pageFields, pagePosition, route } from '../api.ts'
import { dialects } from '../dialects.ts'

const payer = { name: 'Maria da Silva', document: '12345678909', bank: null, branch: null, account: null }
const metadata = {
  txid: 'A1b2C3d4E5f6G7h8I9j0K1l2M',
  endtoend: 'E0118152120301121130500123456789',
  payer,
  receiver: null,
}

/** The entry of a received Pix, for the documentation. */
export const transactionExample = {
  id: 1,
  datetime: '2030-11-21T10:05:09-03:00',
  description: 'Mensalidade de novembro',
  value: 150.5,
  balance: 150.5,
  type: { id: 1, slug: 'pix-in', name: 'Pix In' },
  status: { id: 1, title: 'Confirmado' },
  ...metadata,
  metadata,
}

export const typeExample = transactionExample.type

/** The common parts of the rows of statements. */
export const statementRow = { area: 'Extratos', auth: 'account', permission: 'statements:read' } as const

export const bareRow = { ...statementRow, dialect: 'bare' } as const
export const envelopeRow = { ...statementRow, dialect: 'envelope' } as const

const entriesField = output.views(transactionView, { about: 'As transações, das mais novas às mais antigas' })
const pageUrlField = nullable(output.text({ about: 'Endereço da página; nulo se não há' }))
const placeField = nullable(output.count({ about: 'Lugar na lista, a partir de 1; nulo em página vazia' }))

/** A page of a list with the address of the list, for the addresses of its other pages. */
interface LinkedPage extends TransactionPage {
  readonly list: ListAddress
}

const linkedPageView = view(
  'LinkedTransactions',
  {
    data: entriesField,
    currentPage: pageFields.currentPage,
    totalPages: output.count({ about: 'Páginas ao todo' }),
    perPage: pageFields.perPage,
    total: pageFields.total,
    nextPageUrl: pageUrlField,
    prevPageUrl: pageUrlField,
    firstPageUrl: output.text({ about: 'Endereço da primeira página' }),
    lastPageUrl: output.text({ about: 'Endereço da última página' }),
    from: placeField,
    to: placeField,
    path: output.text({ about: 'Endereço da lista, sem filtros' }),
  },
  (page: LinkedPage) => ({ data: page.records, ...pagePosition(page), ...pageUrls(page.list, page) }),
)

const sumFields = {
  typeId: id({ about: 'Identificador do tipo' }),
  type: output.view(transactionTypeView, { about: 'Tipo' }),
  count: output.count({ about: 'Quantas transações' }),
}
const sumOf = (sum: TypeSum) => ({ ...sum, typeId: sum.type.id })

/** The number and sum of the transactions of a type. */
export const typeSumView = view(
  'TransactionTypeSum',
  { ...sumFields, valueCents: output.money({ wire: 'total', about: 'Soma; negativa é débito' }) },
  sumOf,
)

const amountSumView = view(
  'TransactionTypeAmount',
  { ...sumFields, valueCents: output.money({ wire: 'amount_sum', about: 'Soma; negativa é débito' }) },
  sumOf,
)

const paginationView = view('Pagination', pageFields, pagePosition)

const summedPageView = view(
  'SummedTransactions',
  {
    data: entriesField,
    summary: output.views(amountSumView, { about: 'As somas por tipo de todas as filtradas' }),
    pagination: output.view(paginationView, { about: 'Que página é esta' }),
  },
  (page: TransactionPage) => ({ data: page.records, summary: page.types, pagination: page }),
)

const extractLinesView = view(
  'ExtractTransactions',
  { data: output.stream(transactionView, { about: 'As transações, das mais novas às mais antigas' }), ...pageFields },
  (extract: Extract) => ({ data: extract.transactions, ...pagePosition(extract) }),
)

const extractTotalsView = view(
  'ExtractTotals',
  {
    incomeCents: output.money({ wire: 'total_positives', about: 'Entradas confirmadas' }),
    expensesCents: output.money({ wire: 'total_negatives', about: 'Saídas confirmadas, sem sinal' }),
    count: output.count({ wire: 'total_count', about: 'Quantas transações confirmadas' }),
    balanceCents: output.money({ wire: 'balance', about: 'Saldo ao fim do período' }),
  },
  (totals: Extract['totals']) => totals,
)

const periodView = view(
  'ExtractPeriod',
  { from: output.text({ wire: 'start_date', about: 'Desde' }), to: output.text({ wire: 'end_date', about: 'Até' }) },
  (extract: Extract) => extract,
)

const extractView = view(
  'Extract',
  {
    types: output.views(typeSumView, { wire: 'summary_by_type', about: 'As somas das confirmadas, por tipo' }),
    transactions: output.view(extractLinesView, { about: 'Uma página das transações do período' }),
    totals: output.view(extractTotalsView, { about: 'As somas do período' }),
    period: output.view(periodView, { about: 'O período' }),
  },
  (extract: Extract) => ({ types: extract.types, transactions: extract, totals: extract.totals, period: extract }),
)

interface ListAddress {
  /** The public address of the route, without a query. */
  readonly path: string
  readonly query: HttpRequest['query']
}

/** Returns the address of the requested list; of the query only the keys of its filter. */
const listAddress = (
  publicUrl: string,
  { path, query }: Pick<HttpRequest, 'path' | 'query'>,
  keys: ReadonlySet<string>,
): ListAddress => ({
  path: `${publicUrl}${path}`,
  query: Object.fromEntries(Object.entries(query).filter(([key]) => keys.has(key))),
})

/** Returns the addresses of other pages with the same filter, and the positions of the page's first and last record. */
const pageUrls = ({ path, query }: ListAddress, listed: PageOf<unknown>) => {
  const { page, records } = listed
  const { last_page: last } = pageMeta(listed)
  const at = (number: number): string => `${path}?${queryOf({ ...query, page: `${number}` })}`
  const before = offsetOf(listed)
  return {
    path,
    totalPages: last,
    firstPageUrl: at(1),
    lastPageUrl: at(last),
    nextPageUrl: page < last ? at(page + 1) : null,
    prevPageUrl: page > 1 ? at(page - 1) : null,
    from: records.length > 0 ? before + 1 : null,
    to: records.length > 0 ? before + records.length : null,
  }
}

const queryOf = (query: HttpRequest['query']): string => {
  const params = new URLSearchParams()
  for (const [key, sent] of Object.entries(query)) for (const value of [sent ?? []].flat()) params.append(key, value)
  return params.toString()
}

const sumsBeside = view(
  null,
  { sums: output.view(sumsView, { wire: 'sumary', about: 'Somas das transações filtradas' }) },
  (sums: TransactionPage) => ({ sums }),
)

const oneQuery = input('TransactionQuery', { id: required(inQuery.integer({ about: 'Identificador da transação' })) })

const LINKED_KEYS = namesOf(datedTransactionFilter.on(dialects.bare.side).fields)

const listUrl = 'https://pay.example.com/consolidation/transactionsV2'
const pageExample = { current_page: 1, last_page: 1, per_page: 15, total: 1 }
const sumExample = { type_id: 1, count: 1, type: typeExample }

export const transactionRows: readonly AnyRow[] = [
  route({
    ...bareRow,
    name: 'consolidation.balance',
    summary: 'Mostra o saldo da conta',
    paths: ['/consolidation/balance'],
    run: ({ core, actor }) => core.statements.readBalance(actor),
    reply: json({ view: balanceView }),
    example: { given: 'paidCharge', data: { balance: 150.5 } },
  }),
  route({
    ...statementRow,
    name: 'balances.show',
    summary: 'Mostra o saldo da conta, o que dele está livre e reservado, e o saldo de cartão',
    paths: ['/v1/balance'],
    dialect: 'v1',
    auth: 'organization',
    run: ({ core, actor }) => core.statements.readBalances(actor),
    reply: json({ key: 'balance', view: balancesView, message: 'Saldo obtido com sucesso.' }),
    example: { given: 'paidCharge', data: { balance: 150.5, available: 150.5, reserved: 0, card: 0 } },
  }),
  route({
    ...envelopeRow,
    name: 'consolidation.transactions',
    summary: 'Lista as transações da conta',
    paths: ['/consolidation/transactions'],
    input: { query: transactionFilter },
    run: ({ core, actor }, { query }) => core.statements.listTransactions(actor, query),
    reply: page<Entry, TransactionPage>({
      view: transactionView,
      message: 'Transações listadas com sucesso.',
      more: sumsBeside,
    }),
    example: {
      given: 'paidCharge',
      data: transactionExample,
      more: { sumary: { total_transactions: 1, income_value: 150.5, expenses_value: 0 } },
    },
  }),
  route({
    ...bareRow,
    name: 'consolidation.transactions-linked',
    summary: 'Lista as transações da conta, com os endereços das outras páginas',
    paths: ['/consolidation/transactionsV2'],
    input: { query: datedTransactionFilter },
    run: ({ core, actor, request }, { query }) =>
      mapUseCase(
        core.statements.listTransactions(actor, query),
        (page): LinkedPage => ({ ...page, list: listAddress(core.ports.settings.publicUrl, request, LINKED_KEYS) }),
      ),
    reply: json({ view: linkedPageView }),
    example: {
      given: 'paidCharge',
      data: {
        data: [transactionExample],
        current_page: 1,
        total_pages: 1,
        per_page: 15,
        total: 1,
        next_page_url: null,
        prev_page_url: null,
        first_page_url: `${listUrl}?page=1`,
        last_page_url: `${listUrl}?page=1`,
        from: 1,
        to: 1,
        path: listUrl,
      },
    },
  }),
  route({
    ...bareRow,
    name: 'consolidation.transactions-summed',
    summary: 'Lista as transações confirmadas, ou de outra situação, com as somas por tipo',
    paths: ['/consolidation/transactions-v2'],
    input: { query: summedFilter },
    run: ({ core, actor }, { query }) => core.statements.listSummed(actor, query),
    reply: json({ view: summedPageView }),
    example: {
      given: 'paidCharge',
      data: { data: [transactionExample], summary: [{ ...sumExample, amount_sum: 150.5 }], pagination: pageExample },
    },
  }),
  route({
    ...bareRow,
    name: 'consolidation.transaction',
    summary: 'Mostra uma transação da conta',
    paths: ['/consolidation/transaction'],
    input: { query: oneQuery },
    run: ({ core, actor }, { query: { id } }) => core.statements.readTransaction(actor, id),
    reply: json({ view: transactionView }),
    errors: { 'transaction.unknown': {} },
    example: { given: 'transaction', request: { query: { id: '1' } }, data: transactionExample },
  }),
  route({
    ...bareRow,
    name: 'consolidation.extract',
    summary: 'Mostra o extrato do período, hoje se nenhum é dito',
    paths: ['/consolidation/extract'],
    input: { query: extractFilter },
    run: ({ core, actor }, { query }) => core.statements.extract(actor, query),
    reply: streamedJson({ view: extractView }),
    example: {
      given: 'paidCharge',
      data: {
        summary_by_type: [{ ...sumExample, total: 150.5 }],
        transactions: { data: [transactionExample], ...pageExample, per_page: 1000 },
        totals: { total_positives: 150.5, total_negatives: 0, total_count: 1, balance: 150.5 },
        period: { start_date: '2030-11-21', end_date: '2030-11-21' },
      },
    },
  }),
]
