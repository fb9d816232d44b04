import { right } from '../../fp.ts'
import { scopeOf } from '../../kernel/resources/scope.ts'
import { useCaseOf, withValidInput } from '../../kernel/running/use-case.ts'
import type { PageOf } from '../../kernel/values/page.ts'
import { offsetOf } from '../../kernel/values/page.ts'
import { listOf } from '../../ports/store.ts'
import type { Actor } from '../actor.ts'
import type { RealEstatePorts } from '../real-estate-ports.ts'
import { visit, visits } from '../records/visit.ts'
import { referredBy, type VisitDetail } from './visit-detail.ts'
import { type VisitFilter, visitFilter } from './visit-inputs.ts'

const scope = scopeOf(visit)

/** A page of a company's visits, the newest first. Fails: `fields`. */
export const listVisits =
  (ports: RealEstatePorts) =>
  ({ companyId }: Pick<Actor, 'companyId'>, given: VisitFilter) =>
    withValidInput(ports, visitFilter, given, (filter) =>
      useCaseOf<PageOf<VisitDetail>>()(async () => {
        const { store } = ports
        const { page, perPage, search, dateFrom, dateTo, ...where } = filter
        const within = { ...(dateFrom && { from: dateFrom }), ...(dateTo && { to: dateTo }) }
        const asked = { where, within: { scheduledAt: within }, ...(search !== undefined && { search }) }
        const { records, total } = await store.list(
          listOf(visits, {
            where: scope.where({ companyId }, asked),
            when: 'live',
            sort: { by: 'createdAt', dir: 'desc' },
            limit: perPage,
            offset: offsetOf(filter),
            total: true,
          }),
        )
        const referred = await referredBy(store, companyId, records)
        return right({
          page,
          perPage,
          total: total ?? 0,
          records: records.map((each) => ({ visit: each, ...referred(each) })),
        })
      }),
    )
