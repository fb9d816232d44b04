import { right } from '../../../fp.ts'
import { type InputOf, input } from '../../../kernel/input/input.ts'
import { inQuery, pageFields } from '../../../kernel/input/query.ts'
import { type UseCase, withValidInput } from '../../../kernel/running/use-case.ts'
import { dayOf } from '../../../kernel/values/day.ts'
import { offsetOf, type PageOf } from '../../../kernel/values/page.ts'
import type { Actor } from '../../actor.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { LAST_DAYS, usualDays } from '../usual-days.ts'
import { dayBalances } from './day-balances.ts'
import { type DayStatement, withLines } from './lines-of-days.ts'

// Of the last 30 days today is one.
const lastDays = usualDays(LAST_DAYS - 1, { from: 'created_at_start', to: 'created_at_end' }, 'Criação')

/** Source: 02-billing.md, Statements and reports (statement-detailed). */
export const statementDaysFilter = input(
  'StatementDaysFilter',
  { ...lastDays.fields, page: pageFields.page, perPage: inQuery.perPage({ about: 'Dias por página' }) },
  lastDays.notReversed,
)

export type StatementDaysFilter = InputOf<typeof statementDaysFilter>

/**
 * A page of the days on which something was posted, the oldest first, each with all its lines.
 * Fails: `fields`. Source: 02-billing.md, Statements and reports; decisions.md §11.
 */
export const listStatementDays =
  (ports: PaymentsPorts) =>
  ({ accountId }: Pick<Actor, 'accountId'>, given: StatementDaysFilter) =>
    withValidInput(
      ports,
      statementDaysFilter,
      given,
      (filter): UseCase<PageOf<DayStatement>, never> =>
        async () => {
          const { page, perPage } = filter
          const range = lastDays.of(filter, dayOf(ports.clock.steady()))
          const { days } = await dayBalances(ports.store, accountId, range)
          const first = offsetOf(filter)
          const records = days.slice(first, first + perPage).map((day) => withLines(ports.store, accountId, day))
          return right({ records, page, perPage, total: days.length })
        },
    )
