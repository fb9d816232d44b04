import { type Either, isLeft } from '../../../core/failure.ts'
import type { ChargeFilter } from '../../../core/payments/charges/queries/list.ts'
import type { Payments } from '../../../core/payments/payments.ts'
import type { Actor } from '../../../core/payments/payments-ports.ts'
import type { ExtractFilter } from '../../../core/payments/statements/day-statements.ts'
import type { SummedFilter, TransactionFilter } from '../../../core/payments/statements/entries.ts'
import type { Figure } from '../table.ts'

export interface Question {
  readonly name: string
  readonly aim: Figure['aim']
  /** The filter of a list, if it is one of charges or of a statement. */
  readonly filter?: ChargeFilter | TransactionFilter
  /** The request, given the number of charges. */
  readonly asks: (pay: Payments, actor: Actor, count: number) => Promise<Either<unknown, unknown>>
}

const ALIKE = { atMost: 1.5, orMoreByMs: 5 }
const QUICK = { under: 20 }
/** A scan is linear: 50 ms for each 100,000 records. */
const SEARCHED = { under: 500 }
const PER_PAGE = 15
const LATE = { from: '2023-01-01', to: '2023-06-30' }
const [SELDOM, OFTEN] = [100, 1]

type Aim = Figure['aim']

const charges = (name: string, filter: ChargeFilter, aim: Aim = ALIKE): Question => ({
  ...{ name, aim, filter },
  asks: (pay, actor) => pay.charges.list(actor, filter)(),
})
const paged = (name: string, filter: ChargeFilter, pageOf: (pages: number) => number, aim: Aim = ALIKE): Question => ({
  ...{ name, aim, filter: { ...filter, page: 2 } },
  asks: (pay, actor, count) =>
    pay.charges.list(actor, { ...filter, page: Math.max(1, Math.floor(pageOf(count / PER_PAGE))) })(),
})
const lines = (name: string, filter: TransactionFilter, aim: Aim = ALIKE): Question => ({
  ...{ name, aim, filter },
  asks: (pay, actor) => pay.statements.listTransactions(actor, filter)(),
})
const statement = (
  name: string,
  asks: (pay: Payments['statements'], actor: Actor) => Promise<Either<unknown, unknown>>,
  aim: Aim = ALIKE,
): Question => ({ name, aim, asks: ({ statements }, actor) => asks(statements, actor) })
const summed = (name: string, filter: SummedFilter): Question =>
  statement(name, (pay, actor) => pay.listSummed(actor, filter)())
/** Reads a page of an extract to its last entry. */
const extract = (name: string, filter: ExtractFilter, aim?: Aim): Question =>
  statement(
    name,
    async (pay, actor) => {
      const found = await pay.extract(actor, { ...filter, perPage: PER_PAGE })()
      if (!isLeft(found)) for await (const _ of found.right.transactions);
      return found
    },
    aim,
  )

const OLD_DAY = { from: '2022-03-15', to: '2022-03-15' }
const MONTH = { from: '2026-10-02', to: '2026-10-31' }

/** The lists and sums of a statement, without the entries of whole days. */
export const statementQuestions: readonly Question[] = [
  lines('statement', {}),
  lines('statement: an old day', { created: OLD_DAY }),
  lines('statement: half a year', { created: LATE }),
  lines('statement: paid in 45 days', { paid: { from: '2023-02-01', to: '2023-03-17' } }),
  lines('statement: half a year by its other name', { between: LATE }),
  lines('statement: a type', { typeId: [2] }),
  lines('statement: a type by slug', { types: ['pix-out'] }),
  lines('statement: a type in a list', { typeIds: [2] }),
  lines('statement: a status', { status: 1 }),
  lines('statement: a type on an old day', { typeId: [2], created: OLD_DAY }),
  lines('statement: search', { search: 'silva 999' }, SEARCHED),
  summed('summed by type', {}),
  summed('summed by type: half a year', { moments: LATE }),
  summed('summed by type: an old day', { created: OLD_DAY }),
  statement('one transaction', (pay, actor) => pay.readTransaction(actor, SELDOM)()),
  extract('extract: today', {}),
  extract('extract: half a year', LATE),
  extract('extract: half a year, a page in it', { ...LATE, page: 20 }),
  extract('extract: a type in half a year', { ...LATE, types: ['pix-in'] }),
  extract('extract: search in half a year', { ...LATE, search: 'silva 999' }, SEARCHED),
  statement('balance-days', (pay, actor) => pay.listBalanceDays(actor)()),
  statement('statement-detailed: 30 days', (pay, actor) => pay.listStatementDays(actor, {})()),
  statement('transactions/extract: 30 days', (pay, actor) => pay.extractDays(actor, MONTH)()),
  statement('balance-summary: 30 days', (pay, actor) => pay.summarizePeriods(actor, { groupBy: 'days', ...MONTH })()),
  statement('balance-summary: half a year, by month', (pay, actor) =>
    pay.summarizePeriods(actor, { groupBy: 'months', ...LATE })(),
  ),
  statement('sales: 30 days', (pay, actor) => pay.reportSales(actor, {})()),
  statement('sales: an old day', (pay, actor) => pay.reportSales(actor, OLD_DAY)()),
  statement('sales chart: 12 months', (pay, actor) => pay.chartSales(actor)()),
  statement('totals: 30 days', (pay, actor) => pay.readTotals(actor, {})()),
  statement('sums by type: of all days', (pay, actor) => pay.sumByType(actor, {})()),
  statement('settlement: since last month', (pay, actor) => pay.readSettlement(actor, {})()),
]

/** 5 ms beside 115,000 charges, of which 11,000 are due within half a year: a million has nine times as many. */
const NARROWED = { atMost: 3, orMoreByMs: 45 }

const HALF_FILTERS: readonly (readonly [name: string, filter: ChargeFilter])[] = [
  ['due and status: few', { due: LATE, statuses: ['failed'] }],
  ['due and status: most', { due: LATE, statuses: ['paidwithpix'] }],
  ['due and method', { due: LATE, methods: ['PIX'] }],
  ['due and client', { due: LATE, clientId: OFTEN }],
  ['due, client and status', { due: LATE, clientId: OFTEN, statuses: ['paidwithpix'] }],
  ['due, by id', { due: LATE, orderBy: 'id' }],
  ['due, by payment date', { due: LATE, orderBy: 'paymentDate' }],
  ['due and paid', { due: LATE, paid: { from: '2023-02-01', to: '2023-03-17' } }],
  ['client, by due date', { clientId: OFTEN, orderBy: 'dueDate' }],
  ['client, by payment date', { clientId: OFTEN, orderBy: 'paymentDate' }],
  ['status, by payment date', { statuses: ['failed'], orderBy: 'paymentDate' }],
]

/** Each order alone, each filter alone, filters together, and pages far in. */
export const questions: readonly Question[] = [
  charges('no filter', {}),
  ...(['createdAt', 'dueDate', 'paymentDate', 'id'] as const).flatMap((orderBy) =>
    (['asc', 'desc'] as const).map((orderDir) => charges(`order ${orderBy} ${orderDir}`, { orderBy, orderDir })),
  ),
  charges('status: most', { statuses: ['paidwithpix'] }),
  charges('status: few', { statuses: ['failed'] }),
  charges('status: DELETED', { statuses: ['DELETED'] }),
  charges('status: two of them', { statuses: ['failed', 'cancelled'] }),
  charges('method: most', { methods: ['PIX'] }),
  charges('method: two of them', { methods: ['BOLETO', 'CREDIT_CARD'] }),
  charges('client: one in 1,000', { clientId: SELDOM }),
  charges('client: one in 10', { clientId: OFTEN }),
  charges('client: none of theirs', { clientId: 999_999 }),
  charges('created: an old day', { created: { from: '2022-03-15', to: '2022-03-15' } }),
  charges('created: half a year', { created: LATE }),
  charges('created: since a day', { created: { from: '2022-03-15' } }),
  charges('due: an old day', { due: { from: '2022-03-15', to: '2022-03-15' } }),
  charges('due: half a year', { due: LATE }),
  charges('due: until a day', { due: { to: '2022-03-15' } }),
  charges('paid: an old day', { paid: { from: '2022-03-15', to: '2022-03-15' } }),
  charges('paid: 45 days', { paid: { from: '2023-02-01', to: '2023-03-17' } }),
  charges(
    'status, method and client: one in 1,000',
    { statuses: ['failed'], methods: ['BOLETO'], clientId: SELDOM },
    QUICK,
  ),
  charges(
    'status, method and client: one in 10',
    { statuses: ['failed'], methods: ['BOLETO'], clientId: OFTEN },
    QUICK,
  ),
  charges('status and method, by due date', { statuses: ['failed'], methods: ['BOLETO'], orderBy: 'dueDate' }, QUICK),
  charges('client and created, by due date', { clientId: OFTEN, created: LATE, orderBy: 'dueDate' }, QUICK),
  ...HALF_FILTERS.map(([name, filter]) => charges(name, filter, NARROWED)),
  charges('search: one is found', { search: 'maria da silva 999' }, SEARCHED),
  charges('search: none is found', { search: 'joaquina' }, SEARCHED),
  charges('search: all are found', { search: 'silva' }, SEARCHED),
  charges('search: two letters', { search: 'zq' }, SEARCHED),
  paged('page in the middle', {}, (pages) => pages / 2),
  paged('last page', {}, (pages) => pages * 0.97),
  paged('page in the middle, of a status', { statuses: ['paidwithpix'] }, (pages) => (pages * 0.8) / 2),
  paged('page in the middle, by due date', { orderBy: 'dueDate' }, (pages) => pages / 2),
  // Ids have no day index: the store scans from the nearer end.
  paged('page in the middle, by id', { orderBy: 'id' }, (pages) => pages / 2, QUICK),
]
