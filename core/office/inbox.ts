import { failure, isLeft, left, right } from '../failure.ts'
import { type InputOf, input, inQuery, pageFields, withDefault } from '../kernel/input/mod.ts'
import {
  always,
  type Change,
  type Collection,
  eq,
  type Id,
  insert,
  not,
  patch,
  remove,
  type Where,
} from '../kernel/records/record.ts'
import {
  accept,
  decideAndCommit,
  type Fresh,
  type Runtime,
  readUseCase,
  type UseCase,
  useCase,
  useCaseOf,
  withValidInput,
} from '../kernel/running/use-case.ts'
import type { Instant } from '../kernel/values/day.ts'
import { byId, groupOf, listOf, listPage, type PageOf, type Store } from '../ports/store.ts'

/** The fields of every notification; a business adds its tenant and its content. */
export type AnyNotification = {
  /** A UUID. */
  readonly id: string
  readonly type: string
  /** The recipient. */
  readonly userId: Id
  readonly readAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

/** A notification to send: its type and the fields that the business adds. */
export type NewNotification<N extends AnyNotification> = Omit<N, keyof AnyNotification> & Pick<N, 'type'>

/** The user whose notifications are read or changed. */
export type Caller<N extends AnyNotification> = Pick<N, 'userId'>

/** Conditions and indexes that a business adds to the collection. */
export type ExtraStorage<N extends AnyNotification> = Pick<Collection<N>, 'conditions' | 'indexes'>

/** Returns further fields to set when a notification is read. */
export type ExtraReadFields<N extends AnyNotification> = (steady: Instant) => Omit<Partial<N>, keyof AnyNotification>

export const notificationFilter = input('NotificationFilter', {
  ...pageFields,
  unreadOnly: withDefault(inQuery.flag({ about: 'Só as que não foram lidas' }), false),
})

export type NotificationFilter = InputOf<typeof notificationFilter>

/** A page, and the number of all unread notifications of the caller. */
export type PageOfNotifications<N> = PageOf<N> & { readonly unread: number }

const UNREAD = 'unread'
const READ = 'read'
const UNKNOWN = failure('not-found', 'notification.unknown')
const CHANGES_PER_COMMIT = 500

type Moment = Pick<Fresh, 'now' | 'steady'>

/**
 * Creates the in-app notifications of a business: `inboxIn<Notification>('estate', codec)`. A notification belongs to
 * one user, and only that user can read, mark or remove it.
 */
export const inboxIn = <N extends AnyNotification>(
  business: string,
  codec: Collection<N>['codec'],
  { conditions = {}, indexes = [] }: ExtraStorage<N> = {},
) => {
  const unread = eq('readAt', null)
  const notifications: Collection<N> = {
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
  return {
    notifications,
    /** Returns the changes that create a notification for each recipient. */
    notify: (fresh: Fresh, recipients: readonly Caller<N>[], notification: NewNotification<N>): readonly Change[] =>
      recipients.map(({ userId }) => {
        const { now } = fresh
        const id = fresh.uuid()
        const own: AnyNotification = { id, userId, readAt: null, createdAt: now, updatedAt: now, ...notification }
        return insert(notifications, own as N)
      }),
    useCases: (ports: Runtime, extraReadFields?: ExtraReadFields<N>) =>
      inboxUseCases(notifications, ports, extraReadFields),
  }
}

const inboxUseCases = <N extends AnyNotification>(
  notifications: Collection<N>,
  ports: Runtime,
  extraReadFields?: ExtraReadFields<N>,
) => {
  const { store } = ports
  const ofCaller = ({ userId }: Caller<N>): Where<'userId'> => eq('userId', userId)
  const unreadOf = async (caller: Caller<N>): Promise<number> => {
    const where = ofCaller(caller)
    const [row] = await store.group(groupOf(notifications, { where, when: UNREAD, by: ['userId'], sum: [] }))
    return row?.count ?? 0
  }
  const findOwn = async (from: Store, { userId }: Caller<N>, id: string): Promise<N | null> => {
    const found = await from.find(byId(notifications, id))
    return found?.userId === userId ? found : null
  }
  const readFields = (now: Instant): Pick<AnyNotification, 'readAt' | 'updatedAt'> => ({ readAt: now, updatedAt: now })
  const markAsRead = ({ id }: N, { now, steady }: Moment): Change =>
    patch(notifications, id, {
      set: { ...extraReadFields?.(steady), ...readFields(now) } as Partial<N>,
      when: eq('readAt', null),
    })

  /**
   * Changes all notifications of the caller under a condition, slice by slice, and returns their number. The hooks are
   * called in the commit of the last slice, usually the only one.
   */
  const changeAll = (
    caller: Caller<N>,
    when: typeof READ | typeof UNREAD,
    change: (record: N, fresh: Moment) => Change,
  ) =>
    useCaseOf<number>()(async (hooks) => {
      const sort = { by: 'createdAt', dir: 'asc' } as const
      const query = listOf(notifications, { where: ofCaller(caller), when, sort, limit: CHANGES_PER_COMMIT })
      for (let done = 0; ; ) {
        const before = done
        const slice = await decideAndCommit(
          ports,
          (from) => from.list(query),
          ({ records }, fresh) => accept(records.length, ...records.map((record) => change(record, fresh))),
          (count) => (hooks && count < CHANGES_PER_COMMIT ? hooks.completed(before + count) : []),
        )
        if (isLeft(slice)) return slice
        done += slice.right
        if (slice.right < CHANGES_PER_COMMIT) return right(done)
      }
    })

  return {
    /** Lists the caller's notifications, newest first. Fails: `fields`. */
    list: (caller: Caller<N>, submitted: NotificationFilter) =>
      withValidInput(ports, notificationFilter, submitted, (filter) =>
        useCaseOf<PageOfNotifications<N>>()(async () => {
          const sort = { by: 'createdAt', dir: 'desc' } as const
          const query = { where: ofCaller(caller), sort, ...(filter.unreadOnly && { when: UNREAD }) }
          return right({ ...(await listPage(store, notifications, filter, query)), unread: await unreadOf(caller) })
        }),
      ),
    countUnread:
      (caller: Caller<N>): UseCase<number, never> =>
      async () =>
        right(await unreadOf(caller)),
    /** Returns a notification of the caller. Fails: `notification.unknown`, also if it belongs to another user. */
    read: (caller: Caller<N>, id: string) => readUseCase('notification.unknown', () => findOwn(store, caller, id)),
    /** Marks a notification as read, unless it is. Fails: `notification.unknown`. */
    markRead: (caller: Caller<N>, id: string) =>
      useCase(
        ports,
        (from) => findOwn(from, caller, id),
        (found, fresh) => {
          if (!found) return left(UNKNOWN)
          if (found.readAt !== null) return accept(found)
          return accept<N>({ ...found, ...readFields(fresh.now) }, markAsRead(found, fresh))
        },
      ),
    /** Marks all unread notifications of the caller as read and returns their number. */
    markAllRead: (caller: Caller<N>) => changeAll(caller, UNREAD, markAsRead),
    /** Removes a notification. Fails: `notification.unknown`. */
    remove: (caller: Caller<N>, id: string) =>
      useCase(
        ports,
        (from) => findOwn(from, caller, id),
        (found) => (found ? accept(null, remove(notifications, id, always)) : left(UNKNOWN)),
      ),
    /** Removes all read notifications of the caller and returns their number. */
    removeRead: (caller: Caller<N>) => changeAll(caller, READ, ({ id }) => remove(notifications, id, always)),
  }
}
