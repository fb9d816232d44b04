import { failure } from '../../failure.ts'
import { left, right } from '../../fp.ts'
import { type Paging, paging } from '../../kernel/input/query.ts'
import { all, eq, isIn, not } from '../../kernel/records/where.ts'
import { useCaseOf, withValidInput } from '../../kernel/running/use-case.ts'
import type { PageOf } from '../../kernel/values/page.ts'
import { offsetOf } from '../../kernel/values/page.ts'
import { listOf } from '../../ports/store.ts'
import type { Actor } from '../actor.ts'
import { type Charge, charges } from '../charges/charge.ts'
import type { ChargeDetail } from '../charges/find-charge.ts'
import { withClients } from '../charges/list-charges.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { findLink } from './find-link.ts'

type Field = keyof Charge & string

const LISTED = not(eq<Field>('status', 'DELETED'))
const PAID = isIn<Field>('status', ['paid', 'paidwithpix'])

/**
 * A page of what was asked for through a link, the newest first; with `paidOnly` of what was paid.
 * Fails: `fields`, `link.unknown`. Source: 02-billing.md, Payment links; decisions.md §9, Links.
 */
export const listLinkPayments =
  (ports: PaymentsPorts) =>
  ({ accountId }: Pick<Actor, 'accountId'>, id: string, given: Paging & { readonly paidOnly?: boolean } = {}) =>
    withValidInput(ports, paging, given, (page) =>
      useCaseOf<PageOf<ChargeDetail>>()(async () => {
        const link = await findLink(ports.store, id)
        if (link?.accountId !== accountId) return left(failure('not-found', 'link.unknown'))
        const of = all<Field>(eq('accountId', accountId), eq('linkId', id))
        const { records, total } = await ports.store.list(
          listOf(charges, {
            where: all(of, given.paidOnly ? PAID : LISTED),
            when: 'linked',
            sort: { by: 'createdAt', dir: 'desc' },
            limit: page.perPage,
            offset: offsetOf(page),
            total: true,
          }),
        )
        return right({ ...page, records: await withClients(ports, records, ports.clock.steady()), total: total ?? 0 })
      }),
    )
