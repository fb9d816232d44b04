import { failure } from '../../failure.ts'
import { isLeft, left, right } from '../../fp.ts'
import { type Change, patch, remove } from '../../kernel/records/change.ts'
import type { Collection } from '../../kernel/records/collection.ts'
import type { Field } from '../../kernel/records/record.ts'
import { always, eq } from '../../kernel/records/where.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'
import { accept, decideAndCommit, type Runtime, useCase, useCaseOf } from '../../kernel/running/use-case.ts'
import type { Instant } from '../../kernel/values/day.ts'
import { byId, listOf } from '../../ports/store.ts'
import { type AnyNotification, type Caller, ofCaller, READ, UNREAD } from './notification.ts'

const UNKNOWN = failure('not-found', 'notification.unknown')
/** Changed at once; what is more goes on in further commits. */
const A_SLICE = 500

/** What else becomes of a notification that is read. */
export type AlsoRead<N extends AnyNotification> = (steady: Instant) => Omit<Partial<N>, keyof AnyNotification>

type Moment = Pick<Fresh, 'now' | 'steady'>

const readAt = (now: Instant): Pick<AnyNotification, 'readAt' | 'updatedAt'> => ({ readAt: now, updatedAt: now })

/** The change that marks one as read. */
const marked = <N extends AnyNotification>(
  notifications: Collection<N>,
  { id }: N,
  { now, steady }: Moment,
  also?: AlsoRead<N>,
): Change =>
  patch(notifications, id, {
    set: { ...also?.(steady), ...readAt(now) } as Partial<N>,
    when: eq<Field<N>>('readAt', null),
  })

/** Marks one as read; again changes nothing. Fails: `notification.unknown`. */
export const markRead =
  <N extends AnyNotification>(notifications: Collection<N>, ports: Runtime, also?: AlsoRead<N>) =>
  ({ userId }: Caller<N>, id: string) =>
    useCase(
      ports,
      (store) => store.find(byId(notifications, id)),
      (found, fresh) => {
        if (found?.userId !== userId) return left(UNKNOWN)
        if (found.readAt !== null) return accept(found)
        return accept<N>({ ...found, ...readAt(fresh.now) }, marked(notifications, found, fresh, also))
      },
    )

/** Marks all as read that are there now; value: how many. */
export const markAllRead =
  <N extends AnyNotification>(notifications: Collection<N>, ports: Runtime, also?: AlsoRead<N>) =>
  (caller: Caller<N>) =>
    inSlices(notifications, ports, caller, UNREAD, (one, fresh) => marked(notifications, one, fresh, also))

/** Removes one. Fails: `notification.unknown`. */
export const removeNotification =
  <N extends AnyNotification>(notifications: Collection<N>, ports: Runtime) =>
  ({ userId }: Caller<N>, id: string) =>
    useCase(
      ports,
      (store) => store.find(byId(notifications, id)),
      (found) => (found?.userId === userId ? accept(null, remove(notifications, id, always)) : left(UNKNOWN)),
    )

/** Removes all that are read; value: how many. */
export const removeRead =
  <N extends AnyNotification>(notifications: Collection<N>, ports: Runtime) =>
  (caller: Caller<N>) =>
    inSlices(notifications, ports, caller, READ, ({ id }) => remove(notifications, id, always))

/**
 * Changes all under a condition, slice by slice; value: how many. The hooks come with the last slice, which is nearly
 * always the only one.
 */
const inSlices = <N extends AnyNotification>(
  notifications: Collection<N>,
  ports: Runtime,
  caller: Caller<N>,
  when: typeof READ | typeof UNREAD,
  change: (one: N, fresh: Moment) => Change,
) =>
  useCaseOf<number>()(async (hooks) => {
    const asked = listOf(notifications, {
      where: ofCaller(caller),
      when,
      sort: { by: 'createdAt', dir: 'asc' },
      limit: A_SLICE,
    })
    for (let done = 0; ; ) {
      const before = done
      const slice = await decideAndCommit(
        ports,
        (store) => store.list(asked),
        ({ records }, fresh) => accept(records.length, ...records.map((one) => change(one, fresh))),
        (count) => (hooks && count < A_SLICE ? hooks.completed(before + count) : []),
      )
      if (isLeft(slice)) return slice
      done += slice.right
      if (slice.right < A_SLICE) return right(done)
    }
  })
