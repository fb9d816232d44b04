import { nullable } from '../../../../core/kernel/input/field.ts'
import { id } from '../../../../core/kernel/input/scalars.ts'
import { shown, view } from '../../../../core/kernel/input/view.ts'
import { pageMeta } from '../../../../core/kernel/values/page.ts'
import type { TransactionPage } from '../../../../core/payments/statements/entry-page.ts'
import type { Extract } from '../../../../core/payments/statements/lists/extract.ts'
import { transactionTypeView, transactionView } from '../../../../core/payments/statements/transaction-view.ts'
import type { TypeSum } from '../../../../core/payments/statements/type-sum.ts'
import { type Asked, pageUrls } from './page-urls.ts'

const counts = {
  currentPage: shown.count({ about: 'Esta página, a partir de 1' }),
  perPage: shown.count({ about: 'Registros por página' }),
  total: shown.count({ about: 'Registros ao todo' }),
  lastPage: shown.count({ about: 'A última página' }),
}
const data = shown.views(transactionView, { about: 'As transações, das mais novas às mais antigas' })
const url = nullable(shown.text({ about: 'Endereço da página; nulo se não há' }))
const place = nullable(shown.count({ about: 'Lugar na lista, a partir de 1; nulo em página vazia' }))

/** A page, and where it was asked for. */
export interface AskedPage extends TransactionPage {
  readonly asked: Asked
}

/** Source: 02-billing.md, Statements and reports (transactionsV2); decisions.md §4. */
export const linkedPageView = view(
  'LinkedTransactions',
  {
    data,
    currentPage: counts.currentPage,
    totalPages: shown.count({ about: 'Páginas ao todo' }),
    perPage: counts.perPage,
    total: counts.total,
    nextPageUrl: url,
    prevPageUrl: url,
    firstPageUrl: shown.text({ about: 'Endereço da primeira página' }),
    lastPageUrl: shown.text({ about: 'Endereço da última página' }),
    from: place,
    to: place,
    path: shown.text({ about: 'Endereço da lista, sem filtros' }),
  },
  (page: AskedPage) => ({
    data: page.records,
    currentPage: page.page,
    perPage: page.perPage,
    total: page.total,
    ...pageUrls(page.asked, page),
  }),
)

const sumFields = {
  typeId: id({ about: 'Identificador do tipo' }),
  type: shown.view(transactionTypeView, { about: 'Tipo' }),
  count: shown.count({ about: 'Quantas transações' }),
}
const sumOf = (sum: TypeSum) => ({ ...sum, typeId: sum.type.id })

/** What the transactions of a type come to. Source: decisions.md §11, Shapes. */
export const typeSumView = view(
  'TransactionTypeSum',
  { ...sumFields, valueCents: shown.money({ wire: 'total', about: 'Soma; negativa é débito' }) },
  sumOf,
)

const amountSumView = view(
  'TransactionTypeAmount',
  { ...sumFields, valueCents: shown.money({ wire: 'amount_sum', about: 'Soma; negativa é débito' }) },
  sumOf,
)

const paginationView = view('Pagination', counts, (page: TransactionPage) => ({
  currentPage: page.page,
  perPage: page.perPage,
  total: page.total,
  lastPage: pageMeta(page).last_page,
}))

/** Source: 02-billing.md, Statements and reports (transactions-v2). */
export const summedPageView = view(
  'SummedTransactions',
  {
    data,
    summary: shown.views(amountSumView, { about: 'As somas por tipo de todas as filtradas' }),
    pagination: shown.view(paginationView, { about: 'Que página é esta' }),
  },
  (page: TransactionPage) => ({ data: page.records, summary: page.types, pagination: page }),
)

const extractLinesView = view(
  'ExtractTransactions',
  { data: shown.flow(transactionView, { about: 'As transações, das mais novas às mais antigas' }), ...counts },
  (extract: Extract) => ({
    data: extract.transactions,
    currentPage: extract.page,
    perPage: extract.perPage,
    total: extract.total,
    lastPage: pageMeta(extract).last_page,
  }),
)

const extractTotalsView = view(
  'ExtractTotals',
  {
    incomeCents: shown.money({ wire: 'total_positives', about: 'Entradas confirmadas' }),
    expensesCents: shown.money({ wire: 'total_negatives', about: 'Saídas confirmadas, sem sinal' }),
    count: shown.count({ wire: 'total_count', about: 'Quantas transações confirmadas' }),
    balanceCents: shown.money({ wire: 'balance', about: 'Saldo ao fim do período' }),
  },
  (totals: Extract['totals']) => totals,
)

const periodView = view(
  'ExtractPeriod',
  { from: shown.text({ wire: 'start_date', about: 'Desde' }), to: shown.text({ wire: 'end_date', about: 'Até' }) },
  (extract: Extract) => extract,
)

/** Source: 02-billing.md, Statements and reports (extract); decisions.md §11. */
export const extractView = view(
  'Extract',
  {
    types: shown.views(typeSumView, { wire: 'summary_by_type', about: 'As somas das confirmadas, por tipo' }),
    transactions: shown.view(extractLinesView, { about: 'Uma página das transações do período' }),
    totals: shown.view(extractTotalsView, { about: 'As somas do período' }),
    period: shown.view(periodView, { about: 'O período' }),
  },
  (extract: Extract) => ({
    types: extract.types,
    transactions: extract,
    totals: extract.totals,
    period: extract,
  }),
)
