import type { Failure } from '../failure.ts'
import { type Either, isLeft, t } from '../fp.ts'
import { type Change, insert, patch, type Take } from '../kernel/records/change.ts'
import type { Collection } from '../kernel/records/collection.ts'
import { type Field, type Json, orNull, type record, word } from '../kernel/records/record.ts'
import { eq, not } from '../kernel/records/where.ts'
import { type Fresh, OutOfIds } from '../kernel/running/fresh.ts'
import { leaseGuard, type Queue, queueOf, WAITING } from '../kernel/running/queue.ts'
import { accept, type DecisionResult, decideAndCommit, orThrow, type Runtime } from '../kernel/running/use-case.ts'
import { byId, type Store, StoreUnavailable } from '../ports/store.ts'

/** What every event has, whatever a business adds to it. */
export const eventFields = <T extends string>(types: readonly T[]) => ({
  id: t.string,
  type: word(...types),
  /** What is told of it, as JSON text. */
  data: t.string,
  /** The subscribers that are still to be told, where some threw; null for all of them. */
  missed: orNull(t.array(t.string)),
  /** When the worker is to fan it out; null once it did. */
  dueAt: orNull(t.string),
  attempts: t.number,
  createdAt: t.string,
})

type EventFields = ReturnType<typeof eventFields<string>>

/** Something that happened, written in the commit that made it happen. */
export type AnyEvent = t.TypeOf<ReturnType<typeof record<EventFields>>>

/** An event as a business tells of it: what it adds, and what is told. */
export type NewEvent<E extends AnyEvent> = Omit<E, keyof AnyEvent> & { readonly type: E['type']; readonly data: Json }

/** Events of a business, as its codec keeps them; `tenant` is the field that says whose they are. */
export const eventsIn = <E extends AnyEvent>(
  business: string,
  codec: Collection<E>['codec'],
  tenant: Field<E>,
): Collection<E> => ({
  name: `${business}.events`,
  ids: 'text',
  codec,
  owner: null,
  conditions: { [WAITING]: not(eq<Field<E>>('dueAt', null)) },
  indexes: [{ sort: 'dueAt', when: WAITING, acrossOwners: true, include: [tenant] }],
})

/** The change that tells of something: rides in the commit of what it tells. */
export const recordIn =
  <E extends AnyEvent>(events: Collection<E>) =>
  (fresh: Fresh, { data, ...own }: NewEvent<E>, take?: Take<Field<E>>): Change => {
    const told = {
      ...own,
      id: fresh.uuid(),
      data: JSON.stringify(data),
      missed: null,
      dueAt: fresh.steady,
      attempts: 0,
      createdAt: fresh.now,
    }
    return insert(events, told as E, take)
  }

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

/** Longer than a commit under load takes. */
const FAN_OUT_LEASE_SECONDS = 60
const FAN_OUTS_AT_ONCE = 32

/** The events of a business, and the field that says whose they are. */
interface Outbox<E extends AnyEvent> {
  readonly events: Collection<E>
  readonly tenant: Field<E>
}

/**
 * The queue of events: each becomes what its subscribers make of it, in one commit; where that does not come about, in one for
 * each. One that throws, or whose changes can never be made, is reported and holds up no other; the event is told to it alone
 * when the lease has run out.
 */
export const eventQueue = <E extends AnyEvent>(
  { events, tenant }: Outbox<E>,
  runtime: Runtime,
  subscribers: readonly Subscriber<E>[],
): Queue => {
  const tell = (claimed: E, whom: readonly Subscriber<E>[], waiting: readonly string[]) =>
    decideAndCommit(
      runtime,
      (store) => readFacts(events, store, claimed, whom),
      (facts, fresh) => decideFanOut(events, claimed, facts, fresh, waiting),
    )
  const whomOf = (event: E) => subscribers.filter((each) => wants(each, event))
  return queueOf({
    collection: events,
    owner: tenant,
    leaseSeconds: FAN_OUT_LEASE_SECONDS,
    atOnce: FAN_OUTS_AT_ONCE,
    withoutWork: async (store, event) =>
      (await isNobodys(store, whomOf(event), event)) ? (TOLD as typeof TOLD & Partial<E>) : null,
    handle: async (claimed, report) => {
      const whom = whomOf(claimed)
      const together = await tell(claimed, whom, [])
      const missed = isBusy(together) ? await eachAlone(claimed, whom, tell) : (orThrow(together) ?? [])
      for (const { error } of missed) report(error, `${events.name}/${claimed.id}`)
    },
  })
}

/** Nobody is to be told any more. */
const TOLD: Partial<AnyEvent> & Pick<AnyEvent, 'dueAt'> = { dueAt: null, missed: null }

type Told = Either<Failure, readonly Missed[]>

const isBusy = (told: Told): boolean => isLeft(told) && told.left.code === 'store.busy'

/** Tells one after the other, each in a commit that says who is still to be told. */
const eachAlone = async <E extends AnyEvent>(
  claimed: E,
  whom: readonly Subscriber<E>[],
  tell: (claimed: E, whom: readonly Subscriber<E>[], waiting: readonly string[]) => Promise<Told>,
): Promise<readonly Missed[]> => {
  const missed: Missed[] = []
  for (const [index, each] of whom.entries()) {
    const waiting = [...missed, ...whom.slice(index + 1)].map(({ name }) => name)
    const told = await tell(claimed, [each], waiting)
    const error = new Error(`what ${each.name} makes of it cannot be committed`)
    missed.push(...(isBusy(told) ? [{ name: each.name, error }] : (orThrow(told) ?? [])))
  }
  return missed
}

/** What a subscriber would do, or what it threw. */
interface Prepared {
  readonly name: string
  readonly decide: (fresh: Fresh) => readonly Change[]
}

/** A subscriber that was not told, and why. */
interface Missed {
  readonly name: string
  readonly error: unknown
}

interface FanOutFacts {
  readonly event: AnyEvent | null
  readonly prepared: readonly Prepared[]
}

const readFacts = async <E extends AnyEvent>(
  events: Collection<E>,
  store: Store,
  claimed: E,
  subscribers: readonly Subscriber<E>[],
): Promise<FanOutFacts> => ({
  event: await store.find(byId(events, claimed.id)),
  prepared: await Promise.all(subscribers.map((each) => prepared(store, each, claimed))),
})

const wants = <E extends AnyEvent>({ name, types }: Subscriber<E>, { type, missed }: E): boolean =>
  types.includes(type) && (missed?.includes(name) ?? true)

const nothing = (): readonly Change[] => []

/** Whether nobody makes anything of an event; one who throws may. */
const isNobodys = async <E extends AnyEvent>(
  store: Store,
  subscribers: readonly Subscriber<E>[],
  event: E,
): Promise<boolean> => {
  const all = await Promise.all(subscribers.map((each) => prepared(store, each, event)))
  return all.every(({ decide }) => decide === nothing)
}

const prepared = async <E extends AnyEvent>(
  store: Store,
  { name, prepare }: Subscriber<E>,
  event: E,
): Promise<Prepared> => {
  try {
    return { name, decide: (await prepare(store, event)) ?? nothing }
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

/** What subscribers make of an event, unless another process has claimed it since; `waiting` are others that are still to be told. */
export const decideFanOut = <E extends AnyEvent>(
  events: Collection<E>,
  claimed: E,
  { event, prepared }: FanOutFacts,
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
      // The decision is stopped there, and run again with more ids.
      if (error instanceof OutOfIds) throw error
      missed.push({ name, error })
    }
  }
  const left = [...waiting, ...missed.map(({ name }) => name)]
  const told: Partial<AnyEvent> = left.length === 0 ? TOLD : { missed: left }
  return accept(missed, patch(events, event.id, { set: told as Partial<E>, when: leaseGuard(claimed) }), ...changes)
}
