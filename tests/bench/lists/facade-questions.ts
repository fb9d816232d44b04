import { type Either, isLeft } from '../../../core/failure.ts'
import type { Payments } from '../../../core/payments/payments.ts'
import { SAME } from './history.ts'
import type { Question } from './questions.ts'

const ALIKE: Question['aim'] = { atMost: 1.5, orMoreByMs: 5 }
/** Read from one row a day and type, some thousands in five years. */
const BY_DAY: Question['aim'] = { under: 100 }
const LATE = { from: '2023-01-01', to: '2023-06-30' }
const MONTH = { from: '2026-10-02', to: '2026-11-01' }

const asked = (name: string, asks: Question['asks'], aim: Question['aim'] = ALIKE): Question => ({ name, aim, asks })

const CARDS: NonNullable<Parameters<Payments['statistics']['read']>[1]>['cards'] = [
  'PIXS_COUNT',
  'BOLETOS_COUNT',
  'CLIENTS_COUNT',
  'CHARGE_COUNT_PAID',
  'PIX_IN_SUM',
  'CHARGE_SUM_PAID',
  'PIX_OUT_SUM',
  'TOTAL_CHARGE_EXPECTED_TO_RECEIVE',
]

/** Statements by periods, single figures, and sales by card: first pages, and sums of thirty days. */
export const periodQuestions: readonly Question[] = [
  asked('period: the last thirty days', (pay, actor) => pay.extracts.list(actor, { created: MONTH })()),
  asked('period: half a year, long ago', (pay, actor) => pay.extracts.list(actor, { created: LATE })(), BY_DAY),
  asked('period: a type', (pay, actor) => pay.extracts.list(actor, { created: MONTH, typeId: [2] })()),
  asked('period: all that is confirmed', (pay, actor) => pay.extracts.listConfirmed(actor, {})()),
  asked('period: thirty days by day', (pay, actor) => pay.extracts.byDay(actor, { paid: MONTH })()),
  asked('period: thirty days by type', (pay, actor) => pay.extracts.byType(actor, { paid: MONTH })()),
  asked('period: thirty days by method', (pay, actor) => pay.extracts.byMethod(actor, { paid: MONTH })()),
  asked('statistics: every card', (pay, actor) => pay.statistics.read(actor, { cards: CARDS, ...MONTH })()),
  asked('statistics: boletos by month', (pay, actor) => pay.statistics.countBoletos(actor, {})(), BY_DAY),
  asked('sales by card', (pay, actor) => pay.cardSales.list(actor, {})()),
  asked('sales by card: withdrawn', (pay, actor) => pay.cardSales.list(actor, { status: 'WITHDRAWN' })()),
  asked('sales by card: pending, half a year', (pay, actor) =>
    pay.cardSales.list(actor, { status: 'PENDING', paid: LATE })(),
  ),
  asked('sales by card: page in the middle', (pay, actor) => pay.cardSales.list(actor, { page: 40 })()),
  asked('sales by card: sums of thirty days', (pay, actor) => pay.cardSales.summarize(actor, { paid: MONTH })()),
  asked('entries of cards', (pay, actor) => pay.cardSales.listEntries(actor, {})()),
  asked('balance of cards, thirty days', (pay, actor) => pay.cardSales.readBalance(actor, { days: MONTH })()),
]

/** A scan is linear: 50 ms for each 100,000 records. */
const SEARCHED: Question['aim'] = { under: 500 }

/** Withdrawals and their recipients: a tenth of the number of entries. */
export const moneyOutQuestions: readonly Question[] = [
  asked('withdrawals', (pay, actor) => pay.withdrawals.list(actor, {})()),
  asked('withdrawals: a page far in', (pay, actor) => pay.withdrawals.list(actor, { page: 40 })()),
  asked('withdrawals: search', (pay, actor) => pay.withdrawals.list(actor, { search: 'silva 999' })(), SEARCHED),
  asked('paid parties', (pay, actor) => pay.withdrawals.listPaidParties(actor, {})()),
  asked('paid parties: search', (pay, actor) => pay.withdrawals.listPaidParties(actor, { search: '999' })(), SEARCHED),
  asked('frequent recipients', (pay, actor) => pay.withdrawals.frequentRecipients(actor, {})()),
  asked(
    'frequent recipients: search',
    (pay, actor) => pay.withdrawals.frequentRecipients(actor, { search: 'silva 999' })(),
    SEARCHED,
  ),
]

type Lines = AsyncIterable<unknown>

const PER_PAGE = 500

/** Requests the same 500 entries of the same 30 days: the history before them should not matter. */
const same = (name: string, asks: Question['asks']): Question => asked(`the same 500 lines: ${name}`, asks)

/** Reads an answer to its last entry. */
const readWhole = async <E, A>(
  asked: Promise<Either<E, A>>,
  linesOf: (answer: A) => readonly Lines[],
): Promise<Either<E, A>> => {
  const answer = await asked
  if (!isLeft(answer)) for (const lines of linesOf(answer.right)) for await (const _ of lines);
  return answer
}

/** Every list and sum of a statement that takes days. */
export const sameQuestions: readonly Question[] = [
  same('statement', (pay, actor) => pay.statements.listTransactions(actor, { created: SAME, perPage: PER_PAGE })()),
  same('statement by payment', (pay, actor) =>
    pay.statements.listTransactions(actor, { paid: SAME, perPage: PER_PAGE })(),
  ),
  same('summed by type', (pay, actor) => pay.statements.listSummed(actor, { moments: SAME, perPage: PER_PAGE })()),
  same('extract', (pay, actor) =>
    readWhole(pay.statements.extract(actor, { ...SAME, perPage: PER_PAGE })(), ({ transactions }) => [transactions]),
  ),
  same('statement-detailed', (pay, actor) =>
    readWhole(pay.statements.listStatementDays(actor, { ...SAME, perPage: PER_PAGE })(), ({ records }) =>
      records.map(({ transactions }) => transactions),
    ),
  ),
  same('transactions/extract', (pay, actor) =>
    readWhole(pay.statements.extractDays(actor, SAME)(), ({ days }) => days.map(({ transactions }) => transactions)),
  ),
  ...(['days', 'months'] as const).map((groupBy) =>
    same(`balance-summary by ${groupBy}`, (pay, actor) =>
      readWhole(pay.statements.summarizePeriods(actor, { groupBy, ...SAME })(), ({ periods, total }) =>
        [...periods, total].flatMap(({ income, expenses }) => [income, expenses]),
      ),
    ),
  ),
  same('sales', (pay, actor) => pay.statements.reportSales(actor, SAME)()),
  same('totals', (pay, actor) => pay.statements.readTotals(actor, SAME)()),
  same('sums by type', (pay, actor) => pay.statements.sumByType(actor, SAME)()),
  same('settlement', (pay, actor) => pay.statements.readSettlement(actor, { startDate: SAME.from })()),
  same('period', (pay, actor) => pay.extracts.list(actor, { created: SAME, perPage: PER_PAGE })()),
  same('by day', (pay, actor) => pay.extracts.byDay(actor, { paid: SAME })()),
  same('by type', (pay, actor) => pay.extracts.byType(actor, { paid: SAME })()),
  same('by method', (pay, actor) => pay.extracts.byMethod(actor, { paid: SAME })()),
]
