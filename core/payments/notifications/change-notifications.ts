import { left, right } from '../../fp.ts'
import { type Failure, failure } from '../../kernel/failure.ts'
import { type Change, patch, remove } from '../../kernel/records/change.ts'
import { always, eq } from '../../kernel/records/where.ts'
import { type Decided, decided, type UseCase, useCase } from '../../kernel/running/use-case.ts'
import { byId, listOf, type Store } from '../../ports/store.ts'
import type { Person } from '../actor.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { unreadOf } from './list-notifications.ts'
import { type Notification, notifications } from './notification.ts'

type Caller = Pick<Person, 'userId'>

const UNKNOWN: Failure = failure('not-found', 'notification.unknown')
/** Changed at once; what is more goes on in further commits. */
const A_SLICE = 500

/** Marks one as read; again changes nothing. Fails: `notification.unknown`. Source: 01-access.md, Legacy notifications. */
export const markRead =
  (ports: PaymentsPorts) =>
  ({ userId }: Caller, id: string): UseCase<Notification> =>
    useCase(
      ports,
      (store) => store.find(byId(notifications, id)),
      (found, { now }): Decided<Notification> => {
        if (found?.userId !== userId) return left(UNKNOWN)
        if (found.readAt !== null) return decided(found)
        const set = { readAt: now, updatedAt: now }
        return decided({ ...found, ...set }, patch(notifications, id, { set, when: eq('readAt', null) }))
      },
    )

/** Marks all as read that are there now; value: how many came meanwhile and are unread. */
export const markAllRead =
  (ports: PaymentsPorts) =>
  (caller: Caller): UseCase<number> =>
  async () => {
    const now = ports.clock.now()
    const set = { readAt: now, updatedAt: now }
    await inSlices(ports.store, caller, 'unread', ({ id }) =>
      patch(notifications, id, { set, when: eq('readAt', null) }),
    )
    return right(await unreadOf(ports.store, caller))
  }

/** Removes one. Fails: `notification.unknown`. */
export const removeNotification =
  (ports: PaymentsPorts) =>
  ({ userId }: Caller, id: string): UseCase<null> =>
    useCase(
      ports,
      (store) => store.find(byId(notifications, id)),
      (found): Decided<null> =>
        found?.userId === userId ? decided(null, remove(notifications, id, always)) : left(UNKNOWN),
    )

/** Removes all that are read; value: how many. */
export const removeRead =
  (ports: PaymentsPorts) =>
  (caller: Caller): UseCase<number> =>
  async () =>
    right(await inSlices(ports.store, caller, 'read', ({ id }) => remove(notifications, id, always)))

/** Changes all under a condition, slice by slice; what somebody else was faster with is looked up anew. */
const inSlices = async (
  store: Store,
  { userId }: Caller,
  when: 'read' | 'unread',
  change: (one: Notification) => Change,
): Promise<number> => {
  const asked = listOf(notifications, {
    where: eq('userId', userId),
    when,
    sort: { by: 'createdAt', dir: 'asc' },
    limit: A_SLICE,
  })
  let done = 0
  for (;;) {
    const { records } = await store.list(asked)
    if (records.length === 0) return done
    const { ok } = await store.commit(records.map(change))
    if (ok) done += records.length
  }
}
