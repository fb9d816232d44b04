import { failure } from '../failure.ts'
import { isLeft, left, right } from '../fp.ts'
import { withDefault } from '../kernel/input/field.ts'
import { type InputOf, input } from '../kernel/input/input.ts'
import { inQuery, pageFields } from '../kernel/input/query.ts'
import { type Change, insert, patch, remove } from '../kernel/records/change.ts'
import type { Collection } from '../kernel/records/collection.ts'
import type { Field, Id } from '../kernel/records/record.ts'
import { always, eq, not, type Where } from '../kernel/records/where.ts'
import type { Fresh } from '../kernel/running/fresh.ts'
import {
  accept,
  decideAndCommit,
  type Runtime,
  readUseCase,
  type UseCase,
  useCase,
  useCaseOf,
  withValidInput,
} from '../kernel/running/use-case.ts'
import type { Instant } from '../kernel/values/day.ts'
import { offsetOf, type PageOf } from '../kernel/values/page.ts'
import { byId, groupOf, listOf, type Store } from '../ports/store.ts'

/** What every notification has; a business adds in which tenant it happened, and what is told of it. */
export type AnyNotification = {
  /** A UUID. */
  readonly id: string
  readonly type: string
  /** Who is told. */
  readonly userId: Id
  readonly readAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

/** A notification as a business tells it. */
export type NewNotification<N extends AnyNotification> = Omit<N, keyof AnyNotification> & Pick<N, 'type'>

/** Who asks for their own. */
export type Caller<N extends AnyNotification> = Pick<N, 'userId'>

export const UNREAD = 'unread'
export const READ = 'read'

/** What a business keeps of its notifications beside what every inbox needs. */
export type ExtraStorage<N extends AnyNotification> = Pick<Collection<N>, 'conditions' | 'indexes'>

/** Notifications of a business, as its codec keeps them. */
export const notificationsIn = <N extends AnyNotification>(
  business: string,
  codec: Collection<N>['codec'],
  { conditions = {}, indexes = [] }: ExtraStorage<N> = {},
): Collection<N> => {
  const unread = eq<Field<N>>('readAt', null)
  return {
    name: `${business}.notifications`,
    ids: 'text',
    codec,
    owner: 'userId',
    conditions: { [UNREAD]: unread, [READ]: not(unread), ...conditions },
    indexes: [
      { sort: 'createdAt' },
      { sort: 'createdAt', when: UNREAD },
      { sort: 'createdAt', when: READ },
      ...indexes,
    ],
    tallies: [
      { by: ['userId'], sum: [] },
      { by: ['userId'], sum: [], when: UNREAD },
    ],
  }
}

/** The changes that tell these people, one notification each. */
export const notifyIn =
  <N extends AnyNotification>(notifications: Collection<N>) =>
  (fresh: Fresh, people: readonly Caller<N>[], told: NewNotification<N>): readonly Change[] =>
    people.map(({ userId }) => {
      const { now } = fresh
      const own: AnyNotification = { ...told, id: fresh.uuid(), userId, readAt: null, createdAt: now, updatedAt: now }
      return insert(notifications, own as N)
    })

export const ofCaller = <N extends AnyNotification>({ userId }: Caller<N>): Where<'userId'> => eq('userId', userId)

/**
 * What people are told inside the apps of a business: `inboxIn<Notification>('estate', codec)`. Each notification is one
 * person's, who alone reads, marks and removes it.
 */
export const inboxIn = <N extends AnyNotification>(
  business: string,
  codec: Collection<N>['codec'],
  besides?: ExtraStorage<N>,
) => {
  const notifications = notificationsIn<N>(business, codec, besides)
  return {
    notifications,
    notify: notifyIn(notifications),
    /** `also`: what else becomes of one that is read. */
    useCases: (ports: Runtime, also?: ExtraReadFields<N>) => ({
      list: listNotifications(notifications, ports),
      countUnread: countUnread(notifications, ports),
      read: readNotification(notifications, ports),
      markRead: markRead(notifications, ports, also),
      markAllRead: markAllRead(notifications, ports, also),
      remove: removeNotification(notifications, ports),
      removeRead: removeRead(notifications, ports),
    }),
  }
}

/** Which of somebody's notifications. */
export const notificationFilter = input('NotificationFilter', {
  ...pageFields,
  unreadOnly: withDefault(inQuery.flag({ about: 'Só as que não foram lidas' }), false),
})

export type NotificationFilter = InputOf<typeof notificationFilter>

/** A page, and how many of all are unread. */
export type PageOfNotifications<N> = PageOf<N> & { readonly unread: number }

/** How many of the caller's notifications are unread. */
const unreadOf = async <N extends AnyNotification>(
  notifications: Collection<N>,
  store: Store,
  caller: Caller<N>,
): Promise<number> => {
  const [row] = await store.group(
    groupOf(notifications, { where: ofCaller(caller), when: UNREAD, by: ['userId'], sum: [] }),
  )
  return row?.count ?? 0
}

/** The caller's notifications, the newest first. Fails: `fields`. */
export const listNotifications =
  <N extends AnyNotification>(notifications: Collection<N>, ports: Pick<Runtime, 'store' | 'clock'>) =>
  (caller: Caller<N>, given: NotificationFilter) =>
    withValidInput(ports, notificationFilter, given, (filter) =>
      useCaseOf<PageOfNotifications<N>>()(async () => {
        const { store } = ports
        const { page, perPage, unreadOnly } = filter
        const asked = listOf(notifications, {
          where: ofCaller(caller),
          sort: { by: 'createdAt', dir: 'desc' },
          limit: perPage,
          offset: offsetOf(filter),
          total: true,
        })
        const { records, total } = await store.list(unreadOnly ? { ...asked, when: UNREAD } : asked)
        const unread = await unreadOf(notifications, store, caller)
        return right({ page, perPage, records, total: total ?? 0, unread })
      }),
    )

export const countUnread =
  <N extends AnyNotification>(notifications: Collection<N>, { store }: Pick<Runtime, 'store'>) =>
  (caller: Caller<N>): UseCase<number, never> =>
  async () =>
    right(await unreadOf(notifications, store, caller))

/** The caller's notification of this id. Fails: `notification.unknown`, for anybody else's too. */
export const readNotification =
  <N extends AnyNotification>(notifications: Collection<N>, { store }: Pick<Runtime, 'store'>) =>
  ({ userId }: Caller<N>, id: string) =>
    readUseCase('notification.unknown', async () => {
      const found = await store.find(byId(notifications, id))
      return found?.userId === userId ? found : null
    })

const UNKNOWN = failure('not-found', 'notification.unknown')
/** Changed at once; what is more goes on in further commits. */
const A_SLICE = 500

/** What else becomes of a notification that is read. */
export type ExtraReadFields<N extends AnyNotification> = (steady: Instant) => Omit<Partial<N>, keyof AnyNotification>

type Moment = Pick<Fresh, 'now' | 'steady'>

const readAt = (now: Instant): Pick<AnyNotification, 'readAt' | 'updatedAt'> => ({ readAt: now, updatedAt: now })

/** The change that marks one as read. */
const marked = <N extends AnyNotification>(
  notifications: Collection<N>,
  { id }: N,
  { now, steady }: Moment,
  also?: ExtraReadFields<N>,
): Change =>
  patch(notifications, id, {
    set: { ...also?.(steady), ...readAt(now) } as Partial<N>,
    when: eq<Field<N>>('readAt', null),
  })

/** Marks one as read; again changes nothing. Fails: `notification.unknown`. */
export const markRead =
  <N extends AnyNotification>(notifications: Collection<N>, ports: Runtime, also?: ExtraReadFields<N>) =>
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
  <N extends AnyNotification>(notifications: Collection<N>, ports: Runtime, also?: ExtraReadFields<N>) =>
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
