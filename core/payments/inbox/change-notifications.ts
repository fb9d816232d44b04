import { failure } from '../../failure.ts'
import { isLeft, left, right } from '../../fp.ts'
import { type Change, patch, remove } from '../../kernel/records/change.ts'
import { always, eq } from '../../kernel/records/where.ts'
import { decideAndCommit, decided, hooksFor, useCase, useCaseOf } from '../../kernel/running/use-case.ts'
import { byId, listOf } from '../../ports/store.ts'
import type { Person } from '../actor.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { type Notification, notifications } from './notification.ts'

type Caller = Pick<Person, 'userId'>

const UNKNOWN = failure('not-found', 'notification.unknown')
/** Changed at once; what is more goes on in further commits. */
const A_SLICE = 500

/** Marks one as read; again changes nothing. Fails: `notification.unknown`. Source: 01-access.md, Legacy notifications. */
export const markRead =
  (ports: PaymentsPorts) =>
  ({ userId }: Caller, id: string) =>
    useCase(
      ports,
      (store) => store.find(byId(notifications, id)),
      (found, { now }) => {
        if (found?.userId !== userId) return left(UNKNOWN)
        if (found.readAt !== null) return decided(found)
        const set = { readAt: now, updatedAt: now }
        return decided<Notification>({ ...found, ...set }, patch(notifications, id, { set, when: eq('readAt', null) }))
      },
    )

/** Marks all as read that are there now; value: how many are unread then, which is none. */
export const markAllRead = (ports: PaymentsPorts) => (caller: Caller) =>
  useCaseOf<number>()(async (hooks) => {
    const now = ports.clock.now()
    const set = { readAt: now, updatedAt: now }
    const read = ({ id }: Notification) => patch(notifications, id, { set, when: eq('readAt', null) })
    const marked = await inSlices(ports, caller, 'unread', read)(hooks && hooksFor(hooks, 0))
    return isLeft(marked) ? marked : right(0)
  })

/** Removes one. Fails: `notification.unknown`. */
export const removeNotification =
  (ports: PaymentsPorts) =>
  ({ userId }: Caller, id: string) =>
    useCase(
      ports,
      (store) => store.find(byId(notifications, id)),
      (found) => (found?.userId === userId ? decided(null, remove(notifications, id, always)) : left(UNKNOWN)),
    )

/** Removes all that are read; value: how many. */
export const removeRead = (ports: PaymentsPorts) => (caller: Caller) =>
  inSlices(ports, caller, 'read', ({ id }) => remove(notifications, id, always))

/**
 * Changes all under a condition, slice by slice; value: how many. The hooks comes with the last slice, which is nearly
 * always the only one.
 */
const inSlices = (
  ports: PaymentsPorts,
  { userId }: Caller,
  when: 'read' | 'unread',
  change: (one: Notification) => Change,
) =>
  useCaseOf<number>()(async (hooks) => {
    const asked = listOf(notifications, {
      where: eq('userId', userId),
      when,
      sort: { by: 'createdAt', dir: 'asc' },
      limit: A_SLICE,
    })
    for (let done = 0; ; ) {
      const before = done
      const slice = await decideAndCommit(
        ports,
        (store) => store.list(asked),
        ({ records }) => decided(records.length, ...records.map(change)),
        (count) => (hooks && count < A_SLICE ? hooks.whole(before + count) : []),
      )
      if (isLeft(slice)) return slice
      done += slice.right
      if (slice.right < A_SLICE) return right(done)
    }
  })
