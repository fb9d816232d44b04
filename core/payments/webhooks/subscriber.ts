import { type Change, insert, newRecord } from '../../kernel/records/record.ts'
import type { Fresh } from '../../kernel/running/use-case.ts'
import { fromEpochMs } from '../../kernel/values/day.ts'
import { reaisFromCents } from '../../kernel/values/money.ts'
import { parseUrl } from '../../kernel/values/text.ts'
import { byId } from '../../ports/store.ts'
import { type Account, accounts, isExisting } from '../accounts/account.ts'
import { EVENT_TYPES, type Event, type EventType, isShown, subscriber } from '../events.ts'
import { deliveries } from './deliveries.ts'

/** Creates a delivery of an event for each of its URLs and for the webhook URL of its account, if not removed. */
export const webhookSubscriber = subscriber({
  name: 'webhooks',
  types: EVENT_TYPES,
  read: (store, { accountId }) => store.find(byId(accounts, accountId)),
  concerns: (event, account) => isExisting(account) && targetsOf(event, account).length > 0,
  decide: (event, account, fresh) =>
    isShown(event) ? targetsOf(event, account).map(([url, host]) => newDelivery(event, url, host, fresh)) : [],
})

/** Returns the distinct URLs, in normal form, with their hosts. Events of inactive accounts are delivered too. */
export const targetsOf = (
  { urls }: { readonly urls: readonly string[] },
  account: Pick<Account, 'webhookUrl'> | null,
): readonly (readonly [url: string, host: string])[] => {
  const known = new Map<string, readonly [string, string]>()
  for (const url of [...urls, account?.webhookUrl ?? null]) {
    if (url === null) continue
    // A text that is not a URL gets a delivery too, which fails and shows the error.
    const { href, host } = parseUrl(url) ?? { href: url, host: '' }
    if (!known.has(href)) known.set(href, [url, host])
  }
  return [...known.values()]
}

const newDelivery = (event: Event & { readonly type: EventType }, url: string, host: string, fresh: Fresh): Change =>
  insert(
    deliveries,
    newRecord(deliveries, {
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
      dueAt: fresh.steady,
      createdAt: fresh.now,
      createdDay: fresh.today,
      updatedAt: fresh.now,
      trace: fresh.trace ?? null,
    }),
  )

type PayloadSource = Pick<Event, 'type' | 'createdAt' | 'data' | 'amountPaidCents' | 'refundedCents' | 'happenedMs'>

/** Returns the body of an event's webhooks: `{type, timestamp, data}`, the timestamp that of the event. */
export const payloadOf = (event: PayloadSource): string => {
  const { type, createdAt, happenedMs, data, amountPaidCents, refundedCents } = event
  const timestamp = happenedMs === null ? createdAt : fromEpochMs(happenedMs)
  const sums = {
    ...(amountPaidCents === null ? {} : { amount_paid: reaisFromCents(amountPaidCents) }),
    ...(refundedCents === null ? {} : { refunded_value: reaisFromCents(refundedCents) }),
  }
  const record = JSON.parse(data)
  const summed =
    type === 'charge.refunded' ? { ...record, charge: { ...record.charge, ...sums } } : { ...record, ...sums }
  return JSON.stringify({ type, timestamp, data: summed })
}
