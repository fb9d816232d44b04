import { right } from '../../fp.ts'
import { type Paging, paging } from '../../kernel/input/query.ts'
import { listWithin } from '../../kernel/resources/list-queries.ts'
import { type ResourceFilter, scopeOf } from '../../kernel/resources/scope.ts'
import { newestQuery } from '../../kernel/running/slices.ts'
import { readUseCase, useCaseOf, withValidInput } from '../../kernel/running/use-case.ts'
import { offsetOf, type PageOf } from '../../kernel/values/page.ts'
import type { Store } from '../../ports/store.ts'
import type { Actor } from '../actor.ts'
import { ownClientIds, ownPropertyIds } from '../own.ts'
import type { RealEstatePorts } from '../real-estate-ports.ts'
import { type Payment, payment, payments } from '../records/payment.ts'

const scope = scopeOf(payment)

/** By which field, and with which values of it, payments are somebody's own; null for who sees all of the company's. */
const ownOf = async (store: Pick<Store, 'find' | 'list'>, actor: Actor) => {
  if (actor.role === 'Owner') return { field: 'propertyId', ids: await ownPropertyIds(store, actor) } as const
  return actor.role === 'Tenant' ? ({ field: 'clientId', ids: await ownClientIds(store, actor) } as const) : null
}

/**
 * A page of the company's payments, the newest first; owners and tenants see their own. A search looks through property code
 * and client name.
 * Fails: `fields`.
 * Source: 03-real-estate.md, Payments; decisions.md §6, Owner and Tenant.
 */
export const listPayments =
  (ports: RealEstatePorts) =>
  (actor: Actor, given: Paging, filter: ResourceFilter = {}) =>
    withValidInput(ports, paging, given, (page) =>
      useCaseOf<PageOf<Payment>>()(async () => {
        const { store } = ports
        const { companyId } = actor
        const where = scope.where({ companyId }, filter)
        const asked = {
          ...newestQuery({ from: payments, where, when: 'live' }),
          limit: page.perPage,
          offset: offsetOf(page),
          total: true,
        }
        const own = await ownOf(store, actor)
        const { records, total } = await (own ? listWithin(store, asked, own.field, own.ids) : store.list(asked))
        return right({ ...page, records, total: total ?? 0 })
      }),
    )

/** One of the company's payments, by its id; of owners and tenants their own. Fails: `payment.unknown`. */
export const readPayment =
  ({ store }: RealEstatePorts) =>
  (actor: Actor, id: string) =>
    readUseCase('payment.unknown', async () => {
      const found = await scope.find(store, { companyId: actor.companyId }, id)
      const own = found && (await ownOf(store, actor))
      return own && !own.ids.some((each) => each === found?.[own.field]) ? null : found
    })
