import { type Change, insert, patch } from '../../kernel/records/change.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'
import { heldBy, type Queue, queueOf } from '../../kernel/running/queue.ts'
import { type Decided, decideAndCommit, decided, orThrow } from '../../kernel/running/use-case.ts'
import { reaisFromCents } from '../../kernel/values/money.ts'
import { urlOf } from '../../kernel/values/url.ts'
import { byId, type Store } from '../../ports/store.ts'
import type { Membership } from '../access/members/membership.ts'
import { type Account, accounts } from '../accounts/account.ts'
import { NOTIFICATION_TYPES, type NotificationType, notify, teamOf } from '../inbox/notification.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { type Fired, fire, readFired } from '../reminders/fire-rule.ts'
import { type Delivery, deliveries } from '../webhooks/delivery.ts'
import { type Event, events } from './event.ts'

/** Longer than a commit under load takes. */
const FAN_OUT_LEASE_SECONDS = 60
const FAN_OUTS_AT_ONCE = 16

/** The queue of events: each becomes what is to be done about it, once. */
export const eventQueue = (ports: PaymentsPorts): Queue =>
  queueOf({
    collection: events,
    leaseSeconds: FAN_OUT_LEASE_SECONDS,
    atOnce: FAN_OUTS_AT_ONCE,
    handle: async (claimed) => {
      const fannedOut = await decideAndCommit(
        ports,
        (store) => readFacts(store, claimed),
        (facts, fresh) => decideFanOut(ports, claimed, facts, fresh),
      )
      orThrow(fannedOut)
    },
  })

export interface FanOutFacts {
  readonly event: Event | null
  readonly account: Pick<Account, 'id' | 'name' | 'webhookUrl'> | null
  /** Of those who work in the account. */
  readonly memberships: readonly Membership[]
  /** The account's rule that the event fires. */
  readonly fired: Fired | null
}

const readFacts = async (store: Store, claimed: Event): Promise<FanOutFacts> => {
  const { event, account, memberships } = await store.read({
    event: byId(events, claimed.id),
    account: byId(accounts, claimed.accountId),
    ...(notificationTypeOf(claimed) ? { memberships: teamOf(claimed.accountId) } : {}),
  })
  return { event, account, memberships: memberships?.records ?? [], fired: await readFired(store, claimed, account) }
}

/**
 * A delivery for every URL that is to be told, notifications for those who work there, and what the payer is told by the account's
 * rules, unless another process has claimed the event since.
 */
export const decideFanOut = (
  { cipher }: Pick<PaymentsPorts, 'cipher'>,
  claimed: Event,
  { event, account, memberships, fired }: FanOutFacts,
  fresh: Fresh,
): Decided<null> => {
  if (event?.dueAt !== claimed.dueAt) return decided(null)
  return decided(
    null,
    patch(events, event.id, { set: { dueAt: null }, when: heldBy(claimed) }),
    ...targetsOf(event, account).map(([url, host]) => newDelivery(event, url, host, fresh)),
    ...notificationsOf(event, memberships, fresh),
    ...(account && fired ? fire(cipher, fresh, event, account, fired) : []),
  )
}

/** As what people are told of it inside the app: what came in, and what went wrong; null for all else. */
const notificationTypeOf = ({ type }: Event): NotificationType | null =>
  NOTIFICATION_TYPES.find((each) => each === type) ?? null

const notificationsOf = (event: Event, memberships: readonly Membership[], fresh: Fresh): readonly Change[] => {
  const { accountId, subjectId, amountPaidCents } = event
  const type = notificationTypeOf(event)
  if (type === null) return []
  const amount = amountPaidCents === null ? null : reaisFromCents(amountPaidCents)
  return notify(fresh, memberships, { accountId, type, data: { charge_id: subjectId, amount_paid: amount } })
}

/** Each URL once, however it is written, with its host. The account's status does not matter: what happened is told. */
export const targetsOf = (
  { urls }: { readonly urls: readonly string[] },
  account: Pick<Account, 'webhookUrl'> | null,
): readonly (readonly [url: string, host: string])[] => {
  const known = new Map<string, readonly [string, string]>()
  for (const url of [...urls, account?.webhookUrl ?? null]) {
    if (url === null) continue
    // What is no URL is delivered in vain and says so in its record, as one that nobody answers at does.
    const { href, host } = urlOf(url) ?? { href: url, host: '' }
    if (!known.has(href)) known.set(href, [url, host])
  }
  return [...known.values()]
}

const newDelivery = (event: Event, url: string, host: string, fresh: Fresh): Change => {
  const created: Delivery = {
    id: fresh.id(deliveries),
    accountId: event.accountId,
    eventId: event.id,
    event: event.type,
    url,
    host,
    webhookId: `msg_${fresh.uuid().replaceAll('-', '')}`,
    payload: payloadOf(event),
    status: 'pending',
    attempts: 0,
    response: null,
    dueAt: fresh.now,
    deliveredAt: null,
    createdAt: fresh.now,
    createdDay: fresh.today,
    updatedAt: fresh.now,
  }
  return insert(deliveries, created)
}

/** The body of an event's webhooks: `{type, timestamp, data}`, the timestamp that of the event. */
export const payloadOf = (event: Pick<Event, 'type' | 'createdAt' | 'data' | 'amountPaidCents'>): string => {
  const { type, createdAt, data, amountPaidCents } = event
  const paid = amountPaidCents === null ? {} : { amount_paid: reaisFromCents(amountPaidCents) }
  return JSON.stringify({ type, timestamp: createdAt, data: { ...JSON.parse(data), ...paid } })
}
