import { right } from '../../../fp.ts'
import { required } from '../../../kernel/input/field.ts'
import { type DecodedOf, type InputOf, input } from '../../../kernel/input/input.ts'
import { inQuery } from '../../../kernel/input/query.ts'
import { notBefore } from '../../../kernel/input/rules.ts'
import { eq } from '../../../kernel/records/where.ts'
import { type UseCase, withValidInput } from '../../../kernel/running/use-case.ts'
import type { Store } from '../../../ports/store.ts'
import type { Actor } from '../../actor.ts'
import { CONFIRMED } from '../../ledger/entry.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import type { EntryField } from '../entry-filter.ts'
import type { Magnitudes } from '../type-sum.ts'
import { dayAsks, dayBalancesOf } from './day-balances.ts'
import { type Lines, linesAt } from './lines-of-days.ts'
import type { Places } from './span.ts'

/** Source: 02-billing.md, Statements and reports (balance-summary). */
export const balanceSummaryQuery = input(
  'BalanceSummaryQuery',
  {
    groupBy: required(inQuery.oneOf(['days', 'months'], { about: 'Se as linhas são de dias ou de meses' })),
    from: required(inQuery.day({ wire: 'date_start', about: 'Desde' })),
    to: required(inQuery.day({ wire: 'date_end', about: 'Até' })),
  },
  notBefore('to', 'from'),
)

export type BalanceSummaryQuery = InputOf<typeof balanceSummaryQuery>

/** What the confirmed lines of a day, a month or the whole range come to, in cents, with those lines. */
export interface PeriodSummary extends Magnitudes {
  /** `YYYY-MM-DD`, `YYYY-MM` or `total`. */
  readonly period: string
  /** At the end of the period. */
  readonly closingCents: number
  readonly income: Lines
  readonly expenses: Lines
}

export interface BalanceSummary {
  /** Those with confirmed lines, the oldest first. */
  readonly periods: readonly PeriodSummary[]
  readonly total: PeriodSummary
}

/**
 * What came in and went out by day or month, with its lines and the balance at the end of each.
 * Fails: `fields`. Source: 02-billing.md, Statements and reports; decisions.md §11.
 */
export const summarizePeriods =
  (ports: PaymentsPorts) =>
  ({ accountId }: Pick<Actor, 'accountId'>, given: BalanceSummaryQuery) =>
    withValidInput(
      ports,
      balanceSummaryQuery,
      given,
      (query): UseCase<BalanceSummary, never> =>
        async () =>
          right(await summaryOf(ports.store, accountId, query)),
    )

const summaryOf = async (
  store: Store,
  accountId: number,
  { groupBy, from, to }: DecodedOf<typeof balanceSummaryQuery>,
): Promise<BalanceSummary> => {
  const read = dayBalancesOf(await store.read(dayAsks(accountId, { from, to })), groupBy)
  const going = (places: Places, direction: 'in' | 'out') =>
    linesAt(store, accountId, places, eq<EntryField>('status', CONFIRMED), eq<EntryField>('direction', direction))
  const summary = (of: Omit<PeriodSummary, 'income' | 'expenses'> & { readonly places: Places }): PeriodSummary => ({
    ...of,
    income: going(of.places, 'in'),
    expenses: going(of.places, 'out'),
  })
  const sum = (field: keyof Magnitudes) => read.days.reduce((total, day) => total + day[field], 0)
  return {
    periods: read.days.filter(({ incomeCount, expensesCount }) => incomeCount + expensesCount > 0).map(summary),
    total: summary({
      period: 'total',
      closingCents: read.closingCents,
      places: read.places,
      incomeCents: sum('incomeCents'),
      incomeCount: sum('incomeCount'),
      expensesCents: sum('expensesCents'),
      expensesCount: sum('expensesCount'),
    }),
  }
}
