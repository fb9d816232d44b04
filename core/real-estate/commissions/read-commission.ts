import { right } from '../../fp.ts'
import { type Paging, paging } from '../../kernel/input/query.ts'
import { type ResourceFilter, type Scope, scopeOf } from '../../kernel/resources/scope.ts'
import { newestQuery } from '../../kernel/running/slices.ts'
import { readUseCase, useCaseOf, withValidInput } from '../../kernel/running/use-case.ts'
import type { PageOf } from '../../kernel/values/page.ts'
import { offsetOf } from '../../kernel/values/page.ts'
import type { Store } from '../../ports/store.ts'
import type { Actor } from '../actor.ts'
import { ownBroker } from '../own.ts'
import type { RealEstatePorts } from '../real-estate-ports.ts'
import { commission, commissions } from '../records/commission.ts'
import { type CommissionDetail, detailOf, readRelated } from './commission-detail.ts'

const scope = scopeOf(commission)

/** A broker sees what is their own record's, and without one nothing. Source: decisions.md §6 and §10, Own. */
const sightOf = async (store: Store, actor: Actor): Promise<Scope<'companyId', string>> => {
  const { companyId, role } = actor
  return role === 'Broker' ? { companyId, own: (await ownBroker(store, actor))?.id ?? null } : { companyId }
}

/**
 * A page of the company's commissions, the newest first; a broker sees their own. A search looks through broker name,
 * property code and client name.
 * Fails: `fields`.
 * Source: 03-real-estate.md, Commissions; decisions.md §10, Lists.
 */
export const listCommissions =
  (ports: RealEstatePorts) =>
  (actor: Actor, given: Paging, filter: ResourceFilter = {}) =>
    withValidInput(ports, paging, given, (page) =>
      useCaseOf<PageOf<CommissionDetail>>()(async () => {
        const { store } = ports
        const where = scope.where(await sightOf(store, actor), filter)
        const { records, total } = await store.list({
          ...newestQuery({ from: commissions, where, when: 'live' }),
          limit: page.perPage,
          offset: offsetOf(page),
          total: true,
        })
        const related = await readRelated(store, actor.companyId, records)
        return right({ ...page, records: records.map((record) => detailOf(record, related)), total: total ?? 0 })
      }),
    )

/** One of the company's commissions, by its id; of a broker their own. Fails: `commission.unknown`. */
export const readCommission =
  ({ store }: RealEstatePorts) =>
  (actor: Actor, id: string) =>
    readUseCase('commission.unknown', async () => {
      const found = await scope.find(store, await sightOf(store, actor), id)
      return found && detailOf(found, await readRelated(store, actor.companyId, [found]))
    })
