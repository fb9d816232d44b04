import { failure, left, right } from '../../failure.ts'
import {
  type InputOf,
  id,
  input,
  inQuery,
  instant,
  notBefore,
  nullable,
  oneOf,
  output,
  timestamp,
  view,
} from '../../kernel/input/mod.ts'
import {
  all,
  type Collection,
  eq,
  isIn,
  type Json,
  orNull,
  patch,
  record,
  t,
  word,
} from '../../kernel/records/record.ts'
import { inRange, onDaysOf } from '../../kernel/resources/queries.ts'
import { queueConditions, queueIndex } from '../../kernel/running/queue.ts'
import { accept, readUseCase, useCase, useCaseOf, withValidInput } from '../../kernel/running/use-case.ts'
import type { Instant } from '../../kernel/values/day.ts'
import { parseId } from '../../kernel/values/text.ts'
import { byId, groupOf, listOf, NEWEST_FIRST, offsetOf, type PageOf } from '../../ports/store.ts'
import { CHARGE_EVENTS } from '../charges/write.ts'
import { EVENT_TYPES, type EventType } from '../events.ts'
import type { Actor, PaymentsPorts, Permission } from '../payments-ports.ts'

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const

const response = record({
  /** Null without a response. */
  status: orNull(t.number),
  /** Its first 4 KB. */
  body: orNull(t.string),
  error: orNull(t.string),
})

const delivery = record({
  id: t.number,
  accountId: t.number,
  eventId: t.string,
  event: word(...EVENT_TYPES),
  url: t.string,
  /** The host of the URL, with its port: the number of simultaneous calls is limited per host. */
  host: t.string,
  /** `webhook-id`: equal on each attempt, so that the receiver can recognise duplicates. */
  webhookId: t.string,
  /** The text that is signed and sent. */
  payload: t.string,
  status: word(...DELIVERY_STATUSES),
  /** The number of started attempts. */
  attempts: t.number,
  /** The response of the last ended attempt; null before. */
  response: orNull(response),
  /** The time of the next attempt; null when the delivery has ended. */
  dueAt: orNull(t.string),
  deliveredAt: orNull(t.string),
  createdAt: t.string,
  createdDay: t.string,
  updatedAt: t.string,
  /** The span that its work continues; null without tracing. */
  trace: orNull(t.string),
})

/** The delivery of an event to a URL. */
export type Delivery = t.TypeOf<typeof delivery>

export const deliveries: Collection<Delivery> = {
  name: 'payments.deliveries',
  ids: 'integer',
  codec: delivery,
  owner: 'accountId',
  conditions: queueConditions,
  keys: { target: ({ eventId, url }) => `${eventId}|${url}` },
  indexes: [
    queueIndex('accountId', 'host'),
    { sort: 'createdAt', include: ['event'] },
    { eq: 'eventId', sort: 'createdAt' },
  ],
  tallies: [{ by: ['accountId', 'createdDay', 'event'], sum: [] }],
}

interface Payload {
  readonly type: EventType
  readonly timestamp: Instant
  readonly data: Json
}

const payloadView = view(
  'WebhookPayload',
  {
    type: oneOf(EVENT_TYPES, { offered: CHARGE_EVENTS, about: 'O que aconteceu' }),
    timestamp: instant({ about: 'Quando aconteceu' }),
    data: output.json({ about: 'Com o que aconteceu, como a API o mostrava' }),
  },
  (payload: string): Payload => JSON.parse(payload),
)

const responseView = view('WebhookResponse', {
  status: nullable(output.count({ about: 'Código HTTP' })),
  body: nullable(output.text({ about: 'Os primeiros 4 KB do corpo' })),
  error: nullable(
    output.text({
      about: 'Por que não houve resposta; um endereço privado só é chamado com `WEBHOOKS_ALLOW_PRIVATE=true`',
    }),
  ),
})

export const deliveryView = view(
  'WebhookDelivery',
  {
    id: id({ about: 'Identificador' }),
    event: oneOf(EVENT_TYPES, { offered: CHARGE_EVENTS, about: 'O que aconteceu' }),
    url: output.text({ about: 'Para onde vai' }),
    status: oneOf(DELIVERY_STATUSES, { about: 'Situação' }),
    attempts: output.count({ about: 'Tentativas; a primeira conta quando termina' }),
    payload: output.view(payloadView, { about: 'O corpo enviado' }),
    response: nullable(output.view(responseView, { about: 'A última resposta' })),
    dueAt: nullable(timestamp({ wire: 'next_attempt_at', about: 'Próxima tentativa' })),
    deliveredAt: nullable(timestamp({ about: 'Quando foi entregue' })),
    createdAt: timestamp({ about: 'Quando foi criada' }),
    updatedAt: timestamp({ about: 'Quando mudou' }),
  },
  // During the first attempt there is no response yet, and a reader of `attempts` would look for one.
  (delivery: Delivery) =>
    delivery.status === 'pending' && delivery.response === null ? { ...delivery, attempts: 0 } : delivery,
)

/** The range of days of creation in São Paulo, both ends included; each end is optional. */
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

export type DeliveryPage = PageOf<Delivery>

export const listDeliveries =
  (ports: Pick<PaymentsPorts, 'store' | 'clock'>) => (reader: DeliveryReader, submitted: DeliveryFilter) =>
    withValidInput(ports, deliveryFilter, submitted, ({ page, perPage, from, to }) =>
      useCaseOf<DeliveryPage>()(async () => {
        const readable = EVENT_TYPES.filter((event) => mayRead(reader, event))
        const days = { ...(from && { from }), ...(to && { to }) }
        const own = all(
          eq('accountId', reader.accountId),
          ...(readable.length === EVENT_TYPES.length ? [] : [isIn('event', readable)]),
        )
        // The page is read by instants, as the index is sorted; the total by days, as the tally counts them.
        const { found, counted } = await ports.store.read({
          found: listOf(deliveries, {
            where: all(own, ...onDaysOf('createdAt', days)),
            sort: NEWEST_FIRST,
            limit: perPage,
            offset: offsetOf({ page, perPage }),
          }),
          counted: groupOf(deliveries, { where: all(own, ...inRange('createdDay', days)), by: [], sum: [] }),
        })
        return right({ page, perPage, records: found.records, total: counted[0]?.count ?? 0 })
      }),
    )

export const readDelivery =
  ({ store }: Pick<PaymentsPorts, 'store'>) =>
  (reader: DeliveryReader, pathId: string) =>
    readUseCase('delivery.unknown', async () => {
      const id = parseId(pathId)
      return ifReadable(reader, id === null ? null : await store.find(byId(deliveries, id)))
    })

export const replayDelivery = (ports: PaymentsPorts) => (reader: DeliveryReader, id: number) =>
  useCase(
    ports,
    (store) => store.find(byId(deliveries, id)),
    (found, { now, steady, trace = null }) => {
      const delivery = ifReadable(reader, found)
      if (!delivery) return left(failure('not-found', 'delivery.unknown'))
      // A worker may have claimed a pending delivery.
      if (delivery.status === 'pending') return left(failure('conflict', 'delivery.pending'))
      const set = {
        status: 'pending',
        attempts: 0,
        response: null,
        dueAt: steady,
        deliveredAt: null,
        updatedAt: now,
        trace,
      } as const
      return accept<Delivery>({ ...delivery, ...set }, patch(deliveries, id, { set, when: eq('dueAt', null) }))
    },
  )

/** The kind of record that an event shows: `charge` of `charge.paid`. */
type RecordKind<T extends EventType> = T extends `${infer Kind}.${string}` ? Kind : never

/** The permission that reads the records of each kind of event. */
const READS: Readonly<Record<RecordKind<EventType>, Permission>> = {
  charge: 'charges:read',
  pix: 'charges:read',
  payment_link: 'links:read',
  withdraw: 'withdrawals:read',
  export: 'statements:read',
  split: 'statements:read',
}

type DeliveryReader = Pick<Actor, 'accountId' | 'permissions'>

/** Tells whether the reader may read the records of an event, and so its deliveries. */
export const mayRead = ({ permissions }: Pick<DeliveryReader, 'permissions'>, event: EventType): boolean => {
  const [kind] = event.split('.') as [RecordKind<EventType>]
  return permissions.includes(READS[kind])
}

/** Returns the delivery if it belongs to the reader's account and its event is readable; otherwise null. */
const ifReadable = (reader: DeliveryReader, delivery: Delivery | null): Delivery | null =>
  delivery?.accountId === reader.accountId && mayRead(reader, delivery.event) ? delivery : null
