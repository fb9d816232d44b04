import { right } from '../../../fp.ts'
import { type InputOf, input } from '../../../kernel/input/input.ts'
import { inQuery } from '../../../kernel/input/query.ts'
import { notBefore } from '../../../kernel/input/rules.ts'
import { type UseCase, withValidInput } from '../../../kernel/running/use-case.ts'
import type { Actor } from '../../actor.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { typeFilters } from '../entry-filter.ts'
import { type TypeSum, typeSums } from '../type-sum.ts'
import { confirmedSums } from './confirmed-sums.ts'

/** Source: 02-billing.md, Statements and reports (grouped-by-method). */
export const typeSumsQuery = input(
  'TypeSumsQuery',
  {
    from: inQuery.day({ wire: 'start_date', about: 'Período, desde' }),
    to: inQuery.day({ wire: 'end_date', about: 'Período, até' }),
    typeId: typeFilters.typeId,
  },
  notBefore('to', 'from'),
)

export type TypeSumsQuery = InputOf<typeof typeSumsQuery>

/**
 * The confirmed lines by type, of all days where none are named, in the order of the types' ids.
 * Fails: `fields`. Source: 02-billing.md, Statements and reports; decisions.md §11.
 */
export const sumByType =
  (ports: PaymentsPorts) =>
  ({ accountId }: Pick<Actor, 'accountId'>, given: TypeSumsQuery) =>
    withValidInput(
      ports,
      typeSumsQuery,
      given,
      ({ from, to, typeId }): UseCase<readonly TypeSum[], never> =>
        async () => {
          const days = { ...(from && { from }), ...(to && { to }) }
          return right(typeSums(await ports.store.group(confirmedSums(accountId, days, { typeIds: typeId }))))
        },
    )
