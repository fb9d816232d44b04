import type { Change } from '../../kernel/records/change.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'
import type { Store } from '../../ports/store.ts'
import type { AnyEvent } from './event.ts'

/** A room that wants to know of events. Who tells them knows nobody of it. */
export interface SubscriberRow<E extends AnyEvent, F> {
  /** By which an event remembers who missed it: it is stored. */
  readonly name: string
  readonly types: readonly E['type'][]
  /** What it needs to know beside the event. */
  read(store: Store, event: E): Promise<F>
  /** Whether it makes anything of the event; it does, without this. */
  concerns?(event: E, facts: F): boolean
  /** What it makes of the event: rides in the commit after which the event was told. */
  decide(event: E, facts: F, fresh: Fresh): readonly Change[]
}

/** A subscriber as the outbox sees it, whatever it reads. */
export interface Subscriber<E extends AnyEvent> {
  readonly name: string
  readonly types: readonly E['type'][]
  /** Null where it makes nothing of the event. */
  prepare(store: Store, event: E): Promise<((fresh: Fresh) => readonly Change[]) | null>
}

/** Makes the subscribers to events of this kind. */
export const subscriberTo =
  <E extends AnyEvent>() =>
  <F>({ name, types, read, concerns, decide }: SubscriberRow<E, F>): Subscriber<E> => ({
    name,
    types,
    async prepare(store, event) {
      const facts = await read(store, event)
      return (concerns?.(event, facts) ?? true) ? (fresh) => decide(event, facts, fresh) : null
    },
  })
