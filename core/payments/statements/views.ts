import { id, nullable, oneOf, output, timestamp, view } from '../../kernel/input/mod.ts'
import { PAYMENT_METHODS } from '../charges/charge.ts'
import { type Entry, transactionType } from '../ledger/ledger.ts'
import { type TypeSum, typeSums } from './entries.ts'
import { type DailyRow, dailyChanges, type PeriodFigures, type PeriodPage } from './extracts.ts'
import { periodView } from './filters.ts'

export const STATUS_TITLES: Readonly<Record<number, string>> = {
  1: 'Confirmado',
  2: 'Pendente',
  4: 'Estornado',
  5: 'Cartão',
}

export const transactionTypeView = view('TransactionType', {
  id: id({ about: 'Identificador' }),
  slug: output.text({ about: 'Código' }),
  name: output.text({ about: 'Nome' }),
})

const statusView = view(
  'TransactionStatus',
  { id: id({ about: 'Identificador' }), title: output.text({ about: 'Situação' }) },
  (status: number) => ({ id: status, title: STATUS_TITLES[status] ?? '' }),
)

export const partyView = view('Party', {
  name: output.text({ about: 'Nome' }),
  document: output.text({ about: 'Documento' }),
  bank: nullable(output.text({ about: 'Banco' })),
  branch: nullable(output.text({ about: 'Agência' })),
  account: nullable(output.text({ about: 'Conta' })),
})

const paymentDataView = view('TransactionMetadata', {
  txid: nullable(output.text({ about: 'Identificador do Pix' })),
  endToEnd: nullable(output.text({ wire: 'endtoend', about: 'endToEndId do pagamento' })),
  payer: nullable(output.view(partyView, { about: 'Quem pagou' })),
  receiver: nullable(output.view(partyView, { about: 'Quem recebeu' })),
})

/** An entry in the API: signed reais, and the balance after it. */
export const transactionView = view(
  'Transaction',
  {
    id: id({ about: 'Identificador' }),
    datetime: timestamp({ about: 'Quando foi lançada' }),
    description: output.text({ about: 'Descrição' }),
    valueCents: output.money({ wire: 'value', about: 'Valor; negativo é débito' }),
    balanceCents: output.money({ wire: 'balance', about: 'Saldo depois dela' }),
    type: nullable(output.view(transactionTypeView, { about: 'Tipo' })),
    status: output.view(statusView, { about: 'Situação' }),
    ...paymentDataView.table,
    metadata: output.view(paymentDataView, { about: 'Os mesmos dados do pagamento, juntos' }),
  },
  (entry: Entry) => ({ ...entry, type: transactionType(entry.typeId) ?? null, metadata: entry }),
)

export const sumsView = view('StatementSums', {
  total: output.count({ wire: 'total_transactions', about: 'Quantas transações' }),
  incomeCents: output.money({ wire: 'income_value', about: 'Total de entradas' }),
  expensesCents: output.money({ wire: 'expenses_value', about: 'Total de saídas, sem sinal' }),
})

const figureFields = {
  receivedCents: output.money({ wire: 'total_received', about: 'Total de entradas confirmadas no período' }),
  paidCents: output.money({ wire: 'total_paid', about: 'Total de saídas confirmadas no período, sem sinal' }),
  initialCents: output.money({ wire: 'initial_balance', about: 'Saldo antes do primeiro dia' }),
  finalCents: output.money({ wire: 'final_balance', about: 'Saldo no fim do último dia' }),
}
const period = output.view(periodView, { about: 'Os dias do período' })

const figuresView = view('PeriodFigures', {
  ...figureFields,
  currentCents: output.money({ wire: 'current_balance', about: 'Saldo atual' }),
  period,
})

const dayChangeView = view('DayChange', {
  day: output.text({ wire: 'date', about: 'Dia' }),
  balanceCents: output.money({ wire: 'balance', about: 'Saldo no fim do dia' }),
  changeCents: output.money({ wire: 'change', about: 'Quanto o dia mudou o saldo' }),
})

const typeSummaryView = view(
  'TypeSummary',
  {
    type: output.text({ about: 'Nome do tipo' }),
    slug: output.text({ about: 'Código do tipo' }),
    count: output.count({ wire: 'quantity', about: 'Quantas transações' }),
    valueCents: output.money({ wire: 'total_value', about: 'Soma, com sinal' }),
  },
  ({ type: { name, slug }, ...sum }: TypeSum) => ({ ...sum, type: name, slug }),
)

const evolutionView = view(
  'PeriodEvolution',
  {
    ...figureFields,
    dailyEvolution: output.views(dayChangeView, { about: 'Os dias com movimento, do primeiro ao último' }),
    period,
    summary: output.views(typeSummaryView, { about: 'As somas por tipo' }),
  },
  (figures: PeriodFigures) => ({ ...figures, dailyEvolution: dailyChanges(figures), summary: typeSums(figures.rows) }),
)

/** The statistics beside a page of a period. */
export const periodFiguresView = view(
  null,
  { statistics: output.view(figuresView, { about: 'O que os dias do período somam' }) },
  ({ figures }: PeriodPage) => ({ statistics: figures }),
)

/** The statistics with the sums by day and by type. */
export const periodEvolutionView = view(
  null,
  { statistics: output.view(evolutionView, { about: 'O que os dias do período somam, dia a dia e por tipo' }) },
  ({ figures }: PeriodPage) => ({ statistics: figures }),
)

const typeFields = {
  typeId: id({ about: 'Identificador do tipo' }),
  totalCents: output.money({ wire: 'total_value', about: 'Soma, com sinal' }),
  type: nullable(output.view(transactionTypeView, { about: 'Tipo' })),
}

export const dailyRowView = view(
  'DailyReportRow',
  { day: output.text({ wire: 'date', about: 'Dia' }), ...typeFields },
  (row: DailyRow) => ({ ...row, type: transactionType(row.typeId) ?? null }),
)

export const typeSumView = view(
  'TypeReportRow',
  { ...typeFields, count: output.count({ wire: 'total_count', about: 'Quantas transações' }) },
  ({ type, count, valueCents: totalCents }: TypeSum) => ({ typeId: type.id, type, count, totalCents }),
)

export const methodSumView = view('MethodReportRow', {
  paymentMethod: oneOf(PAYMENT_METHODS, { about: 'Meio de pagamento' }),
  count: output.count({ wire: 'total_count', about: 'Quantas entradas' }),
  totalCents: output.money({ wire: 'total_value', about: 'Soma' }),
})
