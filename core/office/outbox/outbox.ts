import type { Collection } from '../../kernel/records/collection.ts'
import type { Field } from '../../kernel/records/record.ts'
import type { Runtime } from '../../kernel/running/use-case.ts'
import { type AnyEvent, eventsIn, recordIn } from './event.ts'
import { eventQueue } from './fan-out.ts'
import { type Subscriber, subscriberTo } from './subscriber.ts'

/**
 * The outbox of a business: `outboxIn('estate', record({ ...eventFields(TYPES), companyId: t.string }), 'companyId')`.
 * An event is told in the commit that made it happen, and each of its subscribers hears of it once.
 */
export const outboxIn = <E extends AnyEvent>(business: string, codec: Collection<E>['codec'], tenant: Field<E>) => {
  const events = eventsIn<E>(business, codec, tenant)
  return {
    events,
    record: recordIn(events),
    subscriber: subscriberTo<E>(),
    queue: (runtime: Runtime, subscribers: readonly Subscriber<E>[]) =>
      eventQueue({ events, tenant }, runtime, subscribers),
  }
}
