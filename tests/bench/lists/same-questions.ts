import { type Either, isLeft } from '../../../core/fp.ts'
import { SAME } from './history.ts'
import type { Question } from './questions.ts'

type Asks = Extract<Question['asks'], { readonly facade: unknown }>['facade']
type Lines = AsyncIterable<unknown>

const PER_PAGE = 500

/** The same 500 lines on the same 30 days, asked for to the last of them: what lies before takes no longer. */
const same = (name: string, facade: Asks): Question => ({
  name: `the same 500 lines: ${name}`,
  aim: { atMost: 1.5, orMoreByMs: 5 },
  asks: { facade },
})

/** An answer whose lines were read to the last. */
const readWhole = async <E, A>(
  asked: Promise<Either<E, A>>,
  linesOf: (answer: A) => readonly Lines[],
): Promise<Either<E, A>> => {
  const answer = await asked
  if (!isLeft(answer)) for (const lines of linesOf(answer.right)) for await (const _ of lines);
  return answer
}

/** Every list and sum of a statement that takes days. Source: issue 33, Bench. */
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
