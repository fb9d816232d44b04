import { right } from '../../../fp.ts'
import { type DecodedOf, type InputOf, input } from '../../../kernel/input/input.ts'
import { inQuery } from '../../../kernel/input/query.ts'
import { type UseCase, withValidInput } from '../../../kernel/running/use-case.ts'
import { dayOf } from '../../../kernel/values/day.ts'
import type { PageOf } from '../../../kernel/values/page.ts'
import type { Actor } from '../../actor.ts'
import { CONFIRMED, type Entry } from '../../ledger/entry.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { entryFilters, typeFilters } from '../entry-filter.ts'
import { entryPage } from '../entry-page.ts'
import { lastDays } from '../period.ts'
import { type PeriodFigures, periodFigures } from './period-figures.ts'

const { search } = entryFilters
const paging = {
  perPage: inQuery.perPage({ about: 'Registros por página' }),
  page: inQuery.page({ about: 'Página, a partir de 1' }),
}

/** Days are São Paulo days, both ends included; the last thirty where none are named. Source: 02-billing.md, Statements. */
export const periodFilter = input('PeriodFilter', {
  created: inQuery.range('created_at', 'Lançamento (por padrão, os últimos 30 dias)'),
  search,
  ...typeFilters,
  ...paging,
})

export type PeriodFilter = InputOf<typeof periodFilter>

/** A page of the entries of a period, the newest first, with what its days came to. */
export interface PeriodPage extends PageOf<Entry> {
  readonly figures: PeriodFigures
}

/**
 * A page of a period's entries, and its figures, which follow the days alone.
 * Fails: `fields`. Source: 02-billing.md, Statements; decisions.md §11, Sums.
 */
export const listPeriod =
  (ports: PaymentsPorts) =>
  ({ accountId }: Pick<Actor, 'accountId'>, given: PeriodFilter) =>
    withValidInput(ports, periodFilter, given, (filter) => pageOf(ports, accountId, filter))

const pageOf =
  (
    { store, clock }: Pick<PaymentsPorts, 'store' | 'clock'>,
    accountId: number,
    filter: DecodedOf<typeof periodFilter>,
  ): UseCase<PeriodPage, never> =>
  async () => {
    const days = lastDays(filter.created, dayOf(clock.steady()))
    const figures = await periodFigures(store, accountId, days)
    return right({ ...(await entryPage(store, accountId, { ...filter, days }, filter)), figures })
  }

/** Source: 02-billing.md, Statements (GET /consolidation/v2/extract). */
export const confirmedFilter = input('ConfirmedFilter', { search, ...typeFilters, ...paging })

export type ConfirmedFilter = InputOf<typeof confirmedFilter>

/**
 * A page of all that is confirmed, the newest first.
 * Fails: `fields`. Source: 02-billing.md, Statements.
 */
export const listConfirmed =
  (ports: PaymentsPorts) =>
  ({ accountId }: Pick<Actor, 'accountId'>, given: ConfirmedFilter) =>
    withValidInput(
      ports,
      confirmedFilter,
      given,
      (filter): UseCase<PageOf<Entry>, never> =>
        async () =>
          right(await entryPage(ports.store, accountId, { ...filter, status: CONFIRMED }, filter)),
    )
