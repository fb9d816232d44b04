import { nullable } from '../../../../core/kernel/input/field.ts'
import { id } from '../../../../core/kernel/input/scalars.ts'
import { output, view } from '../../../../core/kernel/input/view.ts'
import { pageMeta } from '../../../../core/kernel/values/page.ts'
import type { Extract } from '../../../../core/payments/statements/day-statements.ts'
import type { TransactionPage, TypeSum } from '../../../../core/payments/statements/entries.ts'
import { transactionTypeView, transactionView } from '../../../../core/payments/statements/views.ts'
import { type Asked, pageUrls } from './page-urls.ts'

const counts = {
  currentPage: output.count({ about: 'Esta página, a partir de 1' }),
  perPage: output.count({ about: 'Registros por página' }),
  total: output.count({ about: 'Registros ao todo' }),
  lastPage: output.count({ about: 'A última página' }),
}
const data = output.views(transactionView, { about: 'As transações, das mais novas às mais antigas' })
const url = nullable(output.text({ about: 'Endereço da página; nulo se não há' }))
const place = nullable(output.count({ about: 'Lugar na lista, a partir de 1; nulo em página vazia' }))

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
    totalPages: output.count({ about: 'Páginas ao todo' }),
    perPage: counts.perPage,
    total: counts.total,
    nextPageUrl: url,
    prevPageUrl: url,
    firstPageUrl: output.text({ about: 'Endereço da primeira página' }),
    lastPageUrl: output.text({ about: 'Endereço da última página' }),
    from: place,
    to: place,
    path: output.text({ about: 'Endereço da lista, sem filtros' }),
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
  type: output.view(transactionTypeView, { about: 'Tipo' }),
  count: output.count({ about: 'Quantas transações' }),
}
const sumOf = (sum: TypeSum) => ({ ...sum, typeId: sum.type.id })

/** What the transactions of a type come to. Source: decisions.md §11, Shapes. */
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
    summary: output.views(amountSumView, { about: 'As somas por tipo de todas as filtradas' }),
    pagination: output.view(paginationView, { about: 'Que página é esta' }),
  },
  (page: TransactionPage) => ({ data: page.records, summary: page.types, pagination: page }),
)

const extractLinesView = view(
  'ExtractTransactions',
  { data: output.stream(transactionView, { about: 'As transações, das mais novas às mais antigas' }), ...counts },
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

/** Source: 02-billing.md, Statements and reports (extract); decisions.md §11. */
export const extractView = view(
  'Extract',
  {
    types: output.views(typeSumView, { wire: 'summary_by_type', about: 'As somas das confirmadas, por tipo' }),
    transactions: output.view(extractLinesView, { about: 'Uma página das transações do período' }),
    totals: output.view(extractTotalsView, { about: 'As somas do período' }),
    period: output.view(periodView, { about: 'O período' }),
  },
  (extract: Extract) => ({
    types: extract.types,
    transactions: extract,
    totals: extract.totals,
    period: extract,
  }),
)
