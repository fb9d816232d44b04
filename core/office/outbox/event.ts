import { t } from '../../fp.ts'
import { type Change, insert, type Take } from '../../kernel/records/change.ts'
import type { Collection, Field, Json } from '../../kernel/records/collection.ts'
import { orNull, type record, word } from '../../kernel/records/record.ts'
import { eq, not } from '../../kernel/records/where.ts'
import type { Fresh } from '../../kernel/running/fresh/fresh.ts'
import { WAITING } from '../../kernel/running/queue.ts'

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
  /** The span that its work continues; null without tracing. */
  trace: orNull(t.string),
})

type EventFields = ReturnType<typeof eventFields<string>>

/** Something that happened, written in the commit that made it happen. */
export type AnyEvent = t.TypeOf<ReturnType<typeof record<EventFields>>>

/** An event as a business tells of it: what it adds, and what is told. */
export type Telling<E extends AnyEvent> = Omit<E, keyof AnyEvent> & { readonly type: E['type']; readonly data: Json }

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
  indexes: [{ sort: 'dueAt', when: WAITING, across: true, carries: [tenant] }],
})

/** The change that tells of something: rides in the commit of what it tells. */
export const recordIn =
  <E extends AnyEvent>(events: Collection<E>) =>
  (fresh: Fresh, { data, ...own }: Telling<E>, take?: Take<Field<E>>): Change => {
    const told = {
      ...own,
      id: fresh.uuid(),
      data: JSON.stringify(data),
      missed: null,
      dueAt: fresh.steady,
      attempts: 0,
      createdAt: fresh.now,
      trace: fresh.trace ?? null,
    }
    return insert(events, told as E, take)
  }
