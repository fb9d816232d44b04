import { right } from '../../fp.ts'
import { eq } from '../../kernel/records/where.ts'
import type { UseCase } from '../../kernel/running/use-case.ts'
import { dayOf } from '../../kernel/values/day.ts'
import { MAX_PAGE } from '../../limits.ts'
import { listAll, listOf, type Store } from '../../ports/store.ts'
import type { Actor } from '../actor.ts'
import { readBrokerFigures } from '../brokers/broker-figures.ts'
import { ownBroker } from '../own.ts'
import type { RealEstateModule } from '../real-estate-module.ts'
import type { RealEstatePorts } from '../real-estate-ports.ts'
import { type Broker, brokers } from '../records/broker.ts'
import { type Dashboard, dashboardOf } from './dashboard.ts'
import { readFigures, type ShownBroker, type Sight } from './read-figures.ts'

/** Which brokers have a row: of the company all that are not removed, of a broker their own. */
const brokersIn = async (
  store: Store,
  companyId: string,
  own: Broker | null | undefined,
): Promise<readonly Broker[]> => {
  if (own !== undefined) return own === null ? [] : [own]
  const list = listOf(brokers, {
    where: eq('companyId', companyId),
    when: 'live',
    sort: { by: 'createdAt', dir: 'desc' },
    limit: MAX_PAGE,
  })
  return listAll(store, list)
}

const rowsOf = async (store: Store, companyId: string, of: readonly Broker[]): Promise<readonly ShownBroker[]> => {
  const figures = await readBrokerFigures(
    store,
    companyId,
    of.map(({ id }) => id),
  )
  return of.flatMap(({ id, name }) => {
    const own = figures.get(id)
    return own ? [{ id, name, ...own }] : []
  })
}

/** The figures of an agency at a glance. */
export const dashboard = {
  useCases: ({ store, clock }: RealEstatePorts) => ({
    /**
     * The figures of the company as they are; for a broker of what is their own, and none of money. Money is cents.
     * Source: 03-real-estate.md, Dashboard; decisions.md §6 and §10, Figures.
     */
    read:
      (actor: Actor): UseCase<Dashboard, never> =>
      async () => {
        const { companyId, role } = actor
        const today = dayOf(clock.steady())
        const own = role === 'Broker' ? await ownBroker(store, actor) : undefined
        // Nobody's id: what has no broker is no broker's own.
        const sight: Sight = own === undefined ? { companyId } : { companyId, brokerId: own?.id ?? '' }
        const [counted, rows] = await Promise.all([
          readFigures(store, sight, today),
          brokersIn(store, companyId, own).then((of) => rowsOf(store, companyId, of)),
        ])
        return right(dashboardOf(counted, rows, today, clock.now()))
      },
  }),
} satisfies RealEstateModule
