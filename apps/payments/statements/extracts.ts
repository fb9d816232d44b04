import { type AnyView, viewEach } from '../../../core/kernel/input/mod.ts'
import type { Json } from '../../../core/kernel/records/record.ts'
import type { Entry } from '../../../core/payments/ledger/ledger.ts'
import {
  confirmedFilter,
  dailyReport,
  type PeriodPage,
  periodFilter,
  periodReport,
} from '../../../core/payments/statements/extracts.ts'
import {
  dailyRowView,
  methodSumView,
  periodEvolutionView,
  periodFiguresView,
  transactionView,
  typeSumView,
} from '../../../core/payments/statements/views.ts'
import { json, page } from '../../http/replies/json-reply.ts'
import type { AnyRow } from '../../http/rows/row.ts'
import { type AccountCall, route, succeedWith } from '../api.ts'
import { bareRow, envelopeRow, transactionExample } from './transactions.ts'

const BASE = '/consolidation/v2'
const LISTED = 'Transações listadas com sucesso.'

const period = { start_date: '2030-10-22', end_date: '2030-11-21' }
const figures = { total_received: 150.5, total_paid: 0, initial_balance: 0, final_balance: 150.5 }
const pixIn = { id: 1, slug: 'pix-in', name: 'Pix In' }

interface PeriodRow {
  readonly path: string
  readonly summary: string
  /** The statistics of the days beside the page. */
  readonly more: AnyView<PeriodPage>
  /** Their example. */
  readonly statistics: Json
}

/** A list of the transactions of a period with its statistics. */
const periodRow = (name: string, { path, summary, more, statistics }: PeriodRow) =>
  route({
    ...envelopeRow,
    name,
    summary,
    paths: [`${BASE}/${path}`],
    input: { query: periodFilter },
    run: ({ core, actor }, { query }) => core.extracts.list(actor, query),
    reply: page<Entry, PeriodPage>({ view: transactionView, message: LISTED, more }),
    example: { given: 'paidCharge', data: transactionExample, more: { statistics } },
  })

export const extractRows: readonly AnyRow[] = [
  periodRow('extracts.list', {
    path: 'transactions',
    summary: 'Lista as transações de um período, com o que os seus dias somam',
    more: periodFiguresView,
    statistics: { ...figures, current_balance: 150.5, period },
  }),
  periodRow('extracts.statement', {
    path: 'transactions/statement',
    summary: 'Lista as transações de um período, com a evolução do saldo dia a dia e as somas por tipo',
    more: periodEvolutionView,
    statistics: {
      ...figures,
      daily_evolution: [{ date: '2030-11-21', balance: 150.5, change: 150.5 }],
      period,
      summary: [{ type: 'Pix In', slug: 'pix-in', quantity: 1, total_value: 150.5 }],
    },
  }),
  route({
    ...envelopeRow,
    name: 'extracts.show',
    summary: 'Mostra uma transação',
    paths: [`${BASE}/transactions/:id`],
    record: ({ core, actor, request }: AccountCall) => core.extracts.read(actor, request.params.id ?? ''),
    run: ({ record }) => succeedWith(record),
    reply: json({ view: transactionView, message: 'Transaction details retrieved successfully.' }),
    errors: { 'transaction.unknown': {} },
    example: { given: 'transaction', request: { params: { id: '1' } }, data: transactionExample },
  }),
  route({
    ...envelopeRow,
    name: 'extracts.confirmed',
    summary: 'Lista as transações confirmadas',
    paths: [`${BASE}/extract`],
    input: { query: confirmedFilter },
    run: ({ core, actor }, { query }) => core.extracts.listConfirmed(actor, query),
    reply: page({ view: transactionView, message: LISTED }),
    example: { given: 'paidCharge', data: transactionExample },
  }),
  route({
    ...bareRow,
    name: 'extracts.by-day',
    summary: 'Soma as transações por dia e tipo',
    paths: [`${BASE}/extract/report/transactions`],
    input: { query: dailyReport },
    run: ({ core, actor }, { query }) => core.extracts.byDay(actor, query),
    reply: json({ view: viewEach(dailyRowView) }),
    example: { given: 'paidCharge', data: [{ date: '2030-11-21', type_id: 1, total_value: 150.5, type: pixIn }] },
  }),
  route({
    ...bareRow,
    name: 'extracts.by-type',
    summary: 'Soma as transações por tipo',
    paths: [`${BASE}/extract/report/summary`],
    input: { query: periodReport },
    run: ({ core, actor }, { query }) => core.extracts.byType(actor, query),
    reply: json({ view: viewEach(typeSumView) }),
    example: { given: 'paidCharge', data: [{ type_id: 1, total_count: 1, total_value: 150.5, type: pixIn }] },
  }),
  route({
    ...bareRow,
    name: 'extracts.by-method',
    summary: 'Soma o que entrou pelas cobranças, por meio de pagamento, do mais usado ao menos',
    paths: [`${BASE}/extract/report/payment-methods`],
    input: { query: periodReport },
    run: ({ core, actor }, { query }) => core.extracts.byMethod(actor, query),
    reply: json({ view: viewEach(methodSumView) }),
    example: { given: 'paidCharge', data: [{ payment_method: 'PIX', total_count: 1, total_value: 150.5 }] },
  }),
]
