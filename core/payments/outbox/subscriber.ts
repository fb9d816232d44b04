import type { Change } from '../../kernel/records/change.ts'
import type { Fresh } from '../../kernel/running/fresh/fresh.ts'
import type { Store } from '../../ports/store.ts'
import type { Event, EventType } from './event.ts'

/** A room that wants to know of events. Who tells them knows nobody of it. */
interface SubscriberRow<F> {
  /** By which an event remembers who missed it: it is stored. */
  readonly name: string
  readonly types: readonly EventType[]
  /** What it needs to know beside the event. */
  read(store: Store, event: Event): Promise<F>
  /** What it makes of the event: rides in the commit after which the event was told. */
  decide(event: Event, facts: F, fresh: Fresh): readonly Change[]
}

/** A subscriber as the outbox sees it, whatever it reads. */
export interface Subscriber {
  readonly name: string
  readonly types: readonly EventType[]
  prepare(store: Store, event: Event): Promise<(fresh: Fresh) => readonly Change[]>
}

export const subscriber = <F>({ name, types, read, decide }: SubscriberRow<F>): Subscriber => ({
  name,
  types,
  async prepare(store, event) {
    const facts = await read(store, event)
    return (fresh) => decide(event, facts, fresh)
  },
})
