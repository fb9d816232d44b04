import { right } from '../../fp.ts'
import { type DecodedOf, type InputOf, input } from '../../kernel/input/input.ts'
import { inQuery } from '../../kernel/input/query.ts'
import { notBefore } from '../../kernel/input/rules.ts'
import { all, eq, gte, isIn, lte, type Where } from '../../kernel/records/where.ts'
import { type UseCase, withValidInput } from '../../kernel/running/use-case.ts'
import { endOfDay, startOfDay } from '../../kernel/values/day.ts'
import { offsetOf, type Page } from '../../kernel/values/page.ts'
import { groupOf, listOf } from '../../ports/store.ts'
import { EVENT_TYPES } from '../office/events.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { type Delivery, type DeliveryReader, deliveries, mayRead } from './delivery.ts'

/** São Paulo days of creation, both ends included; one alone is an open range. */
export const deliveryFilter = input(
  'DeliveryFilter',
  {
    page: inQuery.page({ about: 'Página, a partir de 1' }),
    perPage: inQuery.perPage({ about: 'Registros por página' }),
    from: inQuery.day({ wire: 'start_date', about: 'Criação, desde' }),
    to: inQuery.day({ wire: 'end_date', about: 'Criação, até' }),
  },
  notBefore('to', 'from'),
)

export type DeliveryFilter = InputOf<typeof deliveryFilter>

export interface DeliveryPage extends Page {
  readonly records: readonly Delivery[]
  readonly total: number
}

type Field = keyof Delivery & string

/**
 * Lists the account's webhook deliveries whose records the reader may read, newest first.
 * Fails: `fields`. Source: 01-access.md, Webhook deliveries.
 */
export const listDeliveries =
  (ports: Pick<PaymentsPorts, 'store' | 'clock'>) => (reader: DeliveryReader, given: DeliveryFilter) =>
    withValidInput(ports, deliveryFilter, given, (filter) => pageOf(ports, reader, filter))

const pageOf =
  (
    { store }: Pick<PaymentsPorts, 'store'>,
    reader: DeliveryReader,
    filter: DecodedOf<typeof deliveryFilter>,
  ): UseCase<DeliveryPage, never> =>
  async () => {
    const { page, perPage, from, to } = filter
    const readable = EVENT_TYPES.filter((event) => mayRead(reader, event))
    const own = all(
      eq<Field>('accountId', reader.accountId),
      ...(readable.length === EVENT_TYPES.length ? [] : [isIn<Field>('event', readable)]),
    )
    // The page walks the index by instants; the total is that of whole days, which the tally keeps.
    const { found, counted } = await store.read({
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
