import { right } from '../../fp.ts'
import { withDefault } from '../../kernel/input/field.ts'
import { type DecodedOf, type InputOf, input } from '../../kernel/input/input.ts'
import { type DayRange, inQuery, pageFields } from '../../kernel/input/query.ts'
import { all, any, eq, gt, gte, lte, type Where } from '../../kernel/records/where.ts'
import { searchIn } from '../../kernel/resources/list-queries.ts'
import { type UseCase, withValidInput } from '../../kernel/running/use-case.ts'
import type { Instant } from '../../kernel/values/day.ts'
import { offsetOf, type PageOf } from '../../kernel/values/page.ts'
import { listOf } from '../../ports/store.ts'
import type { Actor } from '../actor.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { detailOf } from './find-link.ts'
import { links, type PaymentLink } from './link/link.ts'
import { LINK_STATUSES, type LinkStatus } from './link/link-status.ts'
import { usesIn, usesOf } from './link/link-uses.ts'
import { type LinkSummary, readSummary } from './link-summary.ts'
import type { LinkDetail } from './link-view.ts'

/** Days are São Paulo days, both ends included. Source: 02-billing.md, Payment links. */
export const linkFilter = input('PaymentLinkFilter', {
  id: inQuery.text({ about: 'Identificador público' }),
  statuses: inQuery.positions(LINK_STATUSES, { wire: 'status', about: 'Situações' }),
  search: inQuery.text({ about: 'Título, descrição ou código de referência' }),
  created: inQuery.range('created', 'Criação'),
  updated: inQuery.range('updated', 'Última alteração'),
  due: inQuery.range('due_date', 'Último dia de validade'),
  createdBy: inQuery.integer({ min: 1, about: 'Quem criou' }),
  updatedBy: inQuery.integer({ min: 1, about: 'Quem alterou por último' }),
  order: withDefault(inQuery.oneOf(['asc', 'desc'], { about: 'Sentido da ordem, pela criação' }), 'desc'),
  ...pageFields,
})

export type LinkFilter = InputOf<typeof linkFilter>

type Asked = DecodedOf<typeof linkFilter>
type Field = keyof PaymentLink & string

/** A page of links, and what all of the account's are. */
export interface PageOfLinks extends PageOf<LinkDetail> {
  readonly summary: LinkSummary
}

/** A page of the account's links. Fails: `fields`. Source: 02-billing.md, Payment links. */
export const listLinks =
  (ports: PaymentsPorts) =>
  ({ accountId }: Pick<Actor, 'accountId'>, given: LinkFilter) =>
    withValidInput(
      ports,
      linkFilter,
      given,
      (filter): UseCase<PageOfLinks, never> =>
        async () => {
          const asOf = ports.clock.steady()
          const { page, perPage } = filter
          const { records, total } = await ports.store.list(
            listOf(links, {
              where: all<Field>(eq('accountId', accountId), ...conditionsOf(filter, asOf)),
              when: 'live',
              sort: { by: 'createdAt', dir: filter.order },
              limit: perPage,
              offset: offsetOf(filter),
              total: true,
            }),
          )
          const ids = records.map(({ id }) => id)
          const uses = usesIn(ids.length === 0 ? [] : await ports.store.group(usesOf(accountId, ids)))
          return right({
            records: records.map((link) => detailOf(ports, { link, uses: uses(link.id) })),
            page,
            perPage,
            total: total ?? 0,
            summary: await readSummary(ports.store, accountId, asOf),
          })
        },
    )

const conditionsOf = (filter: Asked, asOf: Instant): readonly Where<Field>[] => [
  ...(filter.search === undefined ? [] : [searchIn<Field>('search', filter.search)]),
  ...same('id', filter.id),
  ...same('createdBy', filter.createdBy),
  ...same('updatedBy', filter.updatedBy),
  ...within('createdDay', filter.created),
  ...within('updatedDay', filter.updated),
  ...within('dueDay', filter.due),
  ...(filter.statuses ? [any(...filter.statuses.map((status) => inStatus(status, asOf)))] : []),
]

const same = (field: Field, value: string | number | undefined): readonly Where<Field>[] =>
  value === undefined ? [] : [eq(field, value)]

const within = (field: Field, { from, to }: DayRange): readonly Where<Field>[] => [
  ...(from ? [gte(field, from)] : []),
  ...(to ? [lte(field, to)] : []),
]

/** No link is paused yet. */
const inStatus = (status: LinkStatus, asOf: Instant): Where<Field> => {
  if (status === 'expired') return lte<Field>('lapsesAt', asOf)
  return status === 'active' ? any<Field>(eq('lapsesAt', null), gt('lapsesAt', asOf)) : any<Field>()
}
