import { type Either, type Failure, isLeft } from '../failure.ts'
import {
  type Change,
  type Collection,
  type Field,
  type IndexRow,
  insert,
  type Json,
  orNull,
  patch,
  type Rec,
  type record,
  type Take,
  t,
  word,
} from '../kernel/records/record.ts'
import { OutOfIds } from '../kernel/running/ids.ts'
import { leaseGuard, type Queue, queueConditions, queueIndex, queueOf } from '../kernel/running/queue.ts'
import {
  accept,
  type DecisionResult,
  decideAndCommit,
  type Fresh,
  orThrow,
  type Runtime,
} from '../kernel/running/use-case.ts'
import { byId, type Find, type Store, StoreUnavailable } from '../ports/store.ts'

/** The fields of every event; a business adds its own. */
export const eventFields = <T extends string>(types: readonly T[]) => ({
  id: t.string,
  type: word(...types),
  /** The event's data, as JSON. */
  data: t.string,
  /** The names of the subscribers that still have to run, if some failed; null for all of them. */
  missed: orNull(t.array(t.string)),
  /** The time at which the worker delivers the event; null after delivery. */
  dueAt: orNull(t.string),
  attempts: t.number,
  /** The span that its work continues; null without tracing. */
  trace: orNull(t.string),
  createdAt: t.string,
})

type EventFields = ReturnType<typeof eventFields<string>>

/** An event, written in the commit of the change that it reports. */
export type AnyEvent = t.TypeOf<ReturnType<typeof record<EventFields>>>

/** An event to record: its type, its data and the fields that the business adds. */
export type NewEvent<E extends AnyEvent> = Omit<E, keyof AnyEvent> & { readonly type: E['type']; readonly data: Json }

/** A subscriber as a table row. The module that records an event does not import its subscribers. */
export interface SubscriberRow<E extends AnyEvent, F> {
  /** Stored in events that the subscriber missed; must not change. */
  readonly name: string
  readonly types: readonly E['type'][]
  read(store: Store, event: E): Promise<F>
  /** Returns false if the event has no effect here, so that it needs no claim; by default true. */
  concerns?(event: E, facts: F): boolean
  /** Returns the changes of the subscriber. They are committed together with the delivery of the event. */
  decide(event: E, facts: F, fresh: Fresh): readonly Change[]
}

/** A subscriber without the type of its facts, for the outbox. */
export interface Subscriber<E extends AnyEvent> {
  readonly name: string
  readonly types: readonly E['type'][]
  /** Reads the facts and returns the decision; null if the event has no effect here. */
  prepare(store: Store, event: E): Promise<((fresh: Fresh) => readonly Change[]) | null>
}

/**
 * Creates the outbox of a business: `outboxIn('estate', record({ ...eventFields(TYPES), companyId: t.string }),
 * 'companyId')`. An event is recorded in the commit of the change that it reports, and each subscriber's changes are
 * committed once. `tenant` is the field with the event's owner, `indexes` are further indexes, beside that of the
 * queue.
 */
export const outboxIn = <E extends AnyEvent>(
  business: string,
  codec: Collection<E>['codec'],
  tenant: Field<E>,
  indexes: readonly IndexRow<Field<E>>[] = [],
) => {
  const events: Collection<E> = {
    name: `${business}.events`,
    ids: 'text',
    codec,
    owner: null,
    conditions: queueConditions,
    indexes: [queueIndex(tenant), ...indexes],
  }
  return {
    events,
    /** Returns the change that records an event, for the commit of the change that the event reports. */
    record(fresh: Fresh, { data, ...own }: NewEvent<E>, take?: Take<Field<E>>): Change {
      const event = {
        id: fresh.uuid(),
        data: JSON.stringify(data),
        missed: null,
        dueAt: fresh.steady,
        attempts: 0,
        trace: fresh.trace ?? null,
        createdAt: fresh.now,
        ...own,
      }
      return insert(events, event as E, take)
    },
    subscriber: <F>({ name, types, read, concerns, decide }: SubscriberRow<E, F>): Subscriber<E> => ({
      name,
      types,
      async prepare(store, event) {
        const facts = await read(store, event)
        return (concerns?.(event, facts) ?? true) ? (fresh) => decide(event, facts, fresh) : null
      },
    }),
    queue: (runtime: Runtime, subscribers: readonly Subscriber<E>[]) =>
      eventQueue(events, tenant, runtime, subscribers),
  }
}

/** Exceeds the time of a commit under load. */
const DELIVERY_LEASE_SECONDS = 60
const DELIVERIES_AT_ONCE = 32

/**
 * The queue of events. The changes of all subscribers of an event are committed together; if that commit keeps failing,
 * each subscriber gets a commit of its own. A subscriber that throws, or whose changes cannot be committed, is reported
 * and does not delay the others; it alone runs again after the lease.
 */
const eventQueue = <E extends AnyEvent>(
  events: Collection<E>,
  tenant: Field<E>,
  runtime: Runtime,
  subscribers: readonly Subscriber<E>[],
): Queue => {
  const shared = sharingFinds(runtime.store)
  const deliver: Deliver<E> = (claimed, receivers, waiting) => {
    // The lease guards the event as claimed. After a stale commit the event is read again.
    let known: E | null = claimed
    return decideAndCommit(
      runtime,
      async (store) => {
        const event = known ?? (await store.find(byId(events, claimed.id)))
        known = null
        return { event, prepared: await Promise.all(receivers.map((each) => prepare(shared, each, claimed))) }
      },
      (facts, fresh) => decideDelivery(events, claimed, facts, fresh, waiting),
    )
  }
  const receiversOf = (event: E) => subscribers.filter((each) => isReceiver(each, event))
  return queueOf({
    collection: events,
    owner: tenant,
    leaseSeconds: DELIVERY_LEASE_SECONDS,
    atOnce: DELIVERIES_AT_ONCE,
    // The shared finds of a page of events resolve in one turn, so that their commits share a batch of the store.
    withoutWork: async (_, event) =>
      (await hasNoEffect(shared, receiversOf(event), event)) ? (DELIVERED as typeof DELIVERED & Partial<E>) : null,
    handle: async (claimed, report) => {
      const receivers = receiversOf(claimed)
      const together = await deliver(claimed, receivers, [])
      const missed = isBusy(together) ? await deliverOneByOne(claimed, receivers, deliver) : (orThrow(together) ?? [])
      for (const { error } of missed) report(error, `${events.name}/${claimed.id}`)
    },
  })
}

/** Returns a store that shares simultaneous finds of one record: the events of a page read their account once. */
export const sharingFinds = (store: Store): Store => {
  const pending = new Map<string, Promise<Rec | null>>()
  return {
    ...store,
    find<R extends Rec>(query: Find<R>): Promise<R | null> {
      const name = JSON.stringify([query.from.name, query.by])
      // A find of a later turn must see the commits in between.
      if (pending.size === 0) void Promise.resolve().then(() => pending.clear())
      const found = pending.get(name) ?? store.find(query)
      pending.set(name, found)
      return found as Promise<R | null>
    },
  }
}

/** Delivers an event to receivers in one commit; `waiting` are the names of those that are still to run. */
type Deliver<E extends AnyEvent> = (
  claimed: E,
  receivers: readonly Subscriber<E>[],
  waiting: readonly string[],
) => Promise<Delivery>

type Delivery = Either<Failure, readonly Missed[]>

interface Missed {
  readonly name: string
  readonly error: unknown
}

const DELIVERED: Partial<AnyEvent> & Pick<AnyEvent, 'dueAt'> = { dueAt: null, missed: null }

const isBusy = (delivery: Delivery): boolean => isLeft(delivery) && delivery.left.code === 'store.busy'

/** Delivers to one receiver after the other. Each commit stores the names of those that are still to run. */
const deliverOneByOne = async <E extends AnyEvent>(
  claimed: E,
  receivers: readonly Subscriber<E>[],
  deliver: Deliver<E>,
): Promise<readonly Missed[]> => {
  const missed: Missed[] = []
  for (const [index, each] of receivers.entries()) {
    const waiting = [...missed, ...receivers.slice(index + 1)].map(({ name }) => name)
    const delivery = await deliver(claimed, [each], waiting)
    const error = new Error(`the changes of subscriber ${each.name} cannot be committed`)
    missed.push(...(isBusy(delivery) ? [{ name: each.name, error }] : (orThrow(delivery) ?? [])))
  }
  return missed
}

/** The decision of a subscriber; it throws if reading the facts has failed. */
interface Prepared {
  readonly name: string
  readonly decide: (fresh: Fresh) => readonly Change[]
}

interface DeliveryFacts {
  readonly event: AnyEvent | null
  readonly prepared: readonly Prepared[]
}

const isReceiver = <E extends AnyEvent>({ name, types }: Subscriber<E>, { type, missed }: E): boolean =>
  types.includes(type) && (missed?.includes(name) ?? true)

const noChanges = (): readonly Change[] => []

/** Reports whether no receiver has changes for an event. A receiver that throws may have some. */
const hasNoEffect = async <E extends AnyEvent>(
  store: Store,
  receivers: readonly Subscriber<E>[],
  event: E,
): Promise<boolean> => {
  const prepared = await Promise.all(receivers.map((each) => prepare(store, each, event)))
  return prepared.every(({ decide }) => decide === noChanges)
}

const prepare = async <E extends AnyEvent>(
  store: Store,
  { name, prepare }: Subscriber<E>,
  event: E,
): Promise<Prepared> => {
  try {
    return { name, decide: (await prepare(store, event)) ?? noChanges }
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error
    return {
      name,
      decide: () => {
        throw error
      },
    }
  }
}

/** Collects the changes of the receivers, unless another process has claimed the event since. */
export const decideDelivery = <E extends AnyEvent>(
  events: Collection<E>,
  claimed: E,
  { event, prepared }: DeliveryFacts,
  fresh: Fresh,
  waiting: readonly string[] = [],
): DecisionResult<readonly Missed[]> => {
  if (event?.dueAt !== claimed.dueAt) return accept([])
  const changes: Change[] = []
  const missed: Missed[] = []
  for (const { name, decide } of prepared) {
    try {
      changes.push(...decide(fresh))
    } catch (error) {
      // Not a failure of the subscriber: the runner reserves more ids and runs the whole decision again.
      if (error instanceof OutOfIds) throw error
      missed.push({ name, error })
    }
  }
  const left = [...waiting, ...missed.map(({ name }) => name)]
  const outcome: Partial<AnyEvent> = left.length === 0 ? DELIVERED : { missed: left }
  return accept(missed, patch(events, event.id, { set: outcome as Partial<E>, when: leaseGuard(claimed) }), ...changes)
}
