import {
  all,
  type Collection,
  eq,
  type Field,
  gte,
  isIn,
  lt,
  type Rec,
  type Where,
} from '../../kernel/records/record.ts'
import { type Sliced, slicesOf } from '../../kernel/running/slices.ts'
import { byId, type List, listAll, listOf, type Store } from '../../ports/store.ts'
import { bankOperations, type Operation } from '../bank/operation.ts'
import { type Charge, charges, ofCharge } from '../charges/charge.ts'
import { type Refund, refunds } from '../charges/refund-records.ts'
import type { Client } from '../customers/client.ts'
import { EVENT_TYPES, type Event, type EventType, events } from '../events.ts'
import { type Entry, entries } from '../ledger/ledger.ts'
import { links, type PaymentLink } from '../links/link.ts'
import { mails, messages } from '../office.ts'
import { type Delivery, deliveries } from '../webhooks/deliveries.ts'

type Payer = Pick<Client, 'id' | 'accountId'>

/** The walks over a payer's charges: those that lists show, and deleted ones, which no index by client contains. */
export const chargeWalks = ({ id, accountId }: Payer): readonly Sliced<Charge>[] => {
  const own = all(eq('accountId', accountId), eq('clientId', id))
  return [
    { from: charges, where: own, when: 'listed', sort: 'createdAt' },
    { from: charges, where: all(own, eq('status', 'DELETED')), sort: 'createdAt' },
  ]
}

export async function* chargesOf(store: Store, payer: Payer): AsyncIterable<readonly Charge[]> {
  for (const walk of chargeWalks(payer)) yield* slicesOf(store, walk)
}

export const linkWalk = ({ id, accountId }: Payer): Sliced<PaymentLink> => ({
  from: links,
  where: all(eq('accountId', accountId), eq('clientId', id)),
  when: 'personal',
  sort: 'createdAt',
})

export const entryWalk = (charge: Charge): Sliced<Entry> => ({ from: entries, where: ofCharge(charge), sort: 'seq' })

export const refundWalk = (charge: Charge): Sliced<Refund> => ({
  from: refunds,
  where: ofCharge(charge),
  sort: 'createdAt',
})

const CHARGE_EVENT_TYPES = EVENT_TYPES.filter(
  (type: EventType) => type.startsWith('charge.') || type === 'payment_link.paid' || type === 'pix.received',
)

export const eventWalk = ({ id, accountId }: Charge): Sliced<Event> => ({
  from: events,
  where: all(eq('subjectId', id), eq('accountId', accountId), isIn('type', CHARGE_EVENT_TYPES)),
  sort: 'createdAt',
})

export const deliveryWalk = ({ id, accountId }: Event): Sliced<Delivery> => ({
  from: deliveries,
  where: all(eq('accountId', accountId), eq('eventId', id)),
  sort: 'createdAt',
})

/** Selects the ids that begin with the id of a charge or an event. Messages about it have such ids. */
const idsUnder = (id: string): Where<'id'> => all(gte('id', `${id}|`), lt('id', `${id}}`))

const MESSAGES = 100

const under = <R extends Rec>(from: Collection<R>, ids: readonly string[]): readonly List<R>[] =>
  ids.map((id) => listOf(from, { where: idsUnder(id) as Where<Field<R>>, limit: MESSAGES }))

const listEach = async <R extends Rec>(store: Store, lists: readonly List<R>[]): Promise<readonly R[]> =>
  (await Promise.all(lists.map((list) => listAll(store, list)))).flat()

/** Reads the queued mails and messages about a charge and its events. They are stored for a week, sent or not. */
export const readMessages = async (store: Store, charge: Charge, caused: readonly Event[]) => {
  const ids = [`${charge.id}`, ...caused.map(({ id }) => id)]
  return { mails: await listEach(store, under(mails, ids)), messages: await listEach(store, under(messages, ids)) }
}

/** Reads the bank operations with the charge's current title, its card or a refund in their order. */
export const readOperations = async (
  store: Store,
  { txid, code, operationId }: Charge,
  refunded: readonly Pick<Refund, 'id'>[],
): Promise<readonly Operation[]> => {
  const ids = [txid, code, operationId, ...refunded.map(({ id }) => id)].filter((id) => id !== null)
  const found = await Promise.all([...new Set(ids)].map((id) => store.find(byId(bankOperations, id))))
  return found.filter((operation) => operation !== null)
}
