import { right } from '../../fp.ts'
import { all, eq, gte, lte, type Where } from '../../kernel/records/where.ts'
import type { UseCase } from '../../kernel/running/use-case.ts'
import { type Day, endOfDay, startOfDay } from '../../kernel/values/day.ts'
import { offsetOf, type Page } from '../../kernel/values/page.ts'
import { groupOf, listOf } from '../../ports/store.ts'
import type { Actor } from '../actor.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { type Delivery, deliveries } from './delivery.ts'

/** São Paulo days of creation, both ends included; one alone is an open range. */
export interface DeliveryFilter extends Page {
  readonly from?: Day | undefined
  readonly to?: Day | undefined
}

export interface DeliveryPage extends Page {
  readonly records: readonly Delivery[]
  readonly total: number
}

type Field = keyof Delivery & string

/** A page of the account's webhook deliveries, newest first. Source: 01-access.md, Webhook deliveries. */
export const listDeliveries =
  (ports: Pick<PaymentsPorts, 'store'>) =>
  ({ accountId }: Pick<Actor, 'accountId'>, filter: DeliveryFilter): UseCase<DeliveryPage, never> =>
  async () => {
    const { page, perPage, from, to } = filter
    const own = eq<Field>('accountId', accountId)
    // The page walks the index by instants; the total is that of whole days, which the tally keeps.
    const { found, counted } = await ports.store.read({
      found: listOf(deliveries, {
        where: all(own, ...within('createdAt', from && startOfDay(from), to && endOfDay(to))),
        sort: { by: 'createdAt', dir: 'desc' },
        limit: perPage,
        offset: offsetOf(filter),
      }),
      counted: groupOf(deliveries, { where: all(own, ...within('createdDay', from, to)), by: [], sum: [] }),
    })
    return right({ page, perPage, records: found.records, total: counted[0]?.count ?? 0 })
  }

const within = (field: Field, from: string | undefined, to: string | undefined): readonly Where<Field>[] => [
  ...(from === undefined ? [] : [gte(field, from)]),
  ...(to === undefined ? [] : [lte(field, to)]),
]
