import { right } from '../../fp.ts'
import { withDefault } from '../../kernel/input/field.ts'
import { type InputOf, input } from '../../kernel/input/input.ts'
import { inQuery, pageFields } from '../../kernel/input/query.ts'
import type { Collection } from '../../kernel/records/collection.ts'
import { type Runtime, readUseCase, type UseCase, useCaseOf, withValidInput } from '../../kernel/running/use-case.ts'
import { offsetOf, type PageOf } from '../../kernel/values/page.ts'
import { byId, groupOf, listOf, type Store } from '../../ports/store.ts'
import { type AnyNotification, type Caller, ofCaller, UNREAD } from './notification.ts'

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
