import { right } from '../../../fp.ts'
import { type DecodedOf, type InputOf, input } from '../../../kernel/input/input.ts'
import { inQuery } from '../../../kernel/input/query.ts'
import { all, eq } from '../../../kernel/records/where.ts'
import { type UseCase, withValidInput } from '../../../kernel/running/use-case.ts'
import { type Day, dayOf } from '../../../kernel/values/day.ts'
import { offsetOf } from '../../../kernel/values/page.ts'
import { groupOf, type Store } from '../../../ports/store.ts'
import type { Actor } from '../../actor.ts'
import { entries } from '../../ledger/entry.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import type { Lines } from '../days/lines-of-days.ts'
import { atPlaces, confirmed, spanAsks, spanOf } from '../days/span.ts'
import { walkEntries } from '../days/walk-entries.ts'
import { conditionsOf, type EntryField, onDays, typeFilters } from '../entry-filter.ts'
import { countOf, magnitudesOf, type TypeSum, typeSums } from '../type-sum.ts'
import { usualDays } from '../usual-days.ts'

/** Lines of a page of an extract. Source: 02-billing.md, Limits. */
const USUAL_LINES = 1_000
const MOST_LINES = 10_000
const MAX_EXTRACT_SEARCH = 255

const today = usualDays(0, { from: 'start_date', to: 'end_date', also: ['fromDate', 'toDate'] })

/** Source: 02-billing.md, Statements and reports (extract). */
export const extractFilter = input(
  'ExtractFilter',
  {
    ...today.fields,
    ...typeFilters,
    search: inQuery.text({ max: MAX_EXTRACT_SEARCH, about: 'Descrição, txid, endToEndId ou nome' }),
    page: inQuery.page({ about: 'Página, a partir de 1' }),
    perPage: inQuery.perPage({ default: USUAL_LINES, max: MOST_LINES, about: 'Registros por página' }),
  },
  today.notReversed,
)

export type ExtractFilter = InputOf<typeof extractFilter>

/** A page of the lines of some days that match, with what all of them come to, in cents. */
export interface Extract {
  /** Of the confirmed lines that match. */
  readonly types: readonly TypeSum[]
  /** The newest first, whatever their status, read while they are told. */
  readonly transactions: Lines
  readonly page: number
  readonly perPage: number
  readonly total: number
  readonly totals: {
    /** Of the confirmed lines that match; both are magnitudes. */
    readonly incomeCents: number
    readonly expensesCents: number
    readonly count: number
    /** What the account had at the end of the range. */
    readonly balanceCents: number
  }
  readonly from: Day
  readonly to: Day
}

/**
 * The extract of some days, of today where none are named.
 * Fails: `fields`. Source: 02-billing.md, Statements and reports; decisions.md §4, §11.
 */
export const extract =
  (ports: PaymentsPorts) =>
  ({ accountId }: Pick<Actor, 'accountId'>, given: ExtractFilter) =>
    withValidInput(
      ports,
      extractFilter,
      given,
      (filter): UseCase<Extract, never> =>
        async () =>
          right(await extractOf(ports.store, accountId, filter, dayOf(ports.clock.steady()))),
    )

const extractOf = async (
  store: Store,
  accountId: number,
  filter: DecodedOf<typeof extractFilter>,
  now: Day,
): Promise<Extract> => {
  const { page, perPage } = filter
  const range = today.of(filter, now)
  const own = eq<EntryField>('accountId', accountId)
  const narrowed = conditionsOf(filter)
  const { listed, ...answers } = await store.read({
    ...spanAsks(accountId, range),
    listed: groupOf(entries, {
      where: all<EntryField>(own, ...narrowed, ...onDays(range)),
      by: ['status', 'typeId', 'direction'],
      sum: ['valueCents'],
    }),
  })
  const { closingCents, places } = spanOf(answers)
  // Where every line of the days is told, its place says where the page begins.
  const [skipped, offset] = narrowed.length > 0 ? [0, offsetOf(filter)] : [offsetOf(filter), 0]
  const { incomeCents, incomeCount, expensesCents, expensesCount } = magnitudesOf(confirmed(listed))
  return {
    types: typeSums(confirmed(listed)),
    transactions: walkEntries(store, {
      where: all<EntryField>(own, ...narrowed, ...atPlaces({ ...places, until: places.until - skipped })),
      dir: 'desc',
      offset,
      limit: perPage,
    }),
    page,
    perPage,
    total: countOf(listed),
    totals: { incomeCents, expensesCents, count: incomeCount + expensesCount, balanceCents: closingCents },
    ...range,
  }
}
