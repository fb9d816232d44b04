import { right } from '../../fp.ts'
import type { InputCode } from '../../kernel/input/field.ts'
import { type Paging, paging } from '../../kernel/input/query.ts'
import { listWithin } from '../../kernel/resources/list-queries.ts'
import { plainUseCases } from '../../kernel/resources/plain-use-cases.ts'
import { type ResourceFilter, scopeOf } from '../../kernel/resources/scope.ts'
import { newestQuery } from '../../kernel/running/slices.ts'
import { type UseCase, withValidInput } from '../../kernel/running/use-case.ts'
import { type Listing, offsetOf, type Page } from '../../kernel/values/page.ts'
import { MAX_PAGE } from '../../limits.ts'
import type { Actor } from '../actor.ts'
import { ownerIds } from '../own.ts'
import type { RealEstatePorts } from '../real-estate-ports.ts'
import { type Property, properties, property } from '../records/property.ts'

const scope = scopeOf(property)

/** What an owner has of a list: under however many ids they own something. */
const ownedBy = ({ store }: RealEstatePorts, actor: Actor, filter: ResourceFilter) => {
  const of = { from: properties, where: scope.where({ companyId: actor.companyId }, filter), when: 'live' }
  const pageOf = async ({ page, perPage }: Page) => {
    const list = { ...newestQuery(of), limit: perPage, offset: offsetOf({ page, perPage }), total: true }
    return listWithin(store, list, 'ownerId', await ownerIds(store, actor))
  }
  return {
    page:
      (wanted: Page): UseCase<Listing<Property>, never> =>
      async () => {
        const { records, total } = await pageOf(wanted)
        return right({ ...wanted, records, total: total ?? 0 })
      },
    async *all(): AsyncIterable<Property> {
      for (let page = 1; ; page += 1) {
        const { records } = await pageOf({ page, perPage: MAX_PAGE })
        yield* records
        if (records.length < MAX_PAGE) return
      }
    },
  }
}

/** The properties that somebody may see: all of the company's, of an owner their own. */
export const listProperties =
  (ports: RealEstatePorts) =>
  (actor: Actor, page: Paging | null, filter: ResourceFilter = {}): UseCase<Listing<Property>, 'fields', InputCode> => {
    const { companyId, role } = actor
    const looked = filter
    if (role !== 'Owner') return plainUseCases(property)(ports).list({ companyId }, page, looked)
    const owned = ownedBy(ports, actor, looked)
    return page === null ? async () => right({ all: owned.all() }) : withValidInput(ports, paging, page, owned.page)
  }
