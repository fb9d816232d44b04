import { right } from '../../fp.ts'
import { withDefault } from '../../kernel/input/codec.ts'
import { shown } from '../../kernel/input/fields/shown.ts'
import { type GivenFor, input } from '../../kernel/input/input.ts'
import { pageFields } from '../../kernel/input/paging.ts'
import { inQuery } from '../../kernel/input/query.ts'
import { view } from '../../kernel/input/view.ts'
import { eq } from '../../kernel/records/where.ts'
import { checked } from '../../kernel/running/checked.ts'
import { readUseCase } from '../../kernel/running/read-use-case.ts'
import { type UseCase, useCaseOf } from '../../kernel/running/use-case.ts'
import type { PageOf } from '../../kernel/values/listing.ts'
import { offsetOf } from '../../kernel/values/page.ts'
import { byId, groupOf, listOf, type Store } from '../../ports/store.ts'
import type { Person } from '../actor.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { type Notification, notifications } from './notification.ts'

/** Which of somebody's notifications. */
export const notificationFilter = input('NotificationFilter', {
  ...pageFields,
  unreadOnly: withDefault(inQuery.flag({ about: 'Só as que não foram lidas' }), false),
})

/** A page, and how many of all are unread. */
export type NotificationPage = PageOf<Notification> & { readonly unread: number }

type Caller = Pick<Person, 'userId'>

const mine = ({ userId }: Caller) => eq<'userId'>('userId', userId)

/** How many of the caller's notifications are unread. */
const unreadOf = async (store: Store, caller: Caller): Promise<number> => {
  const [row] = await store.group(
    groupOf(notifications, { where: mine(caller), when: 'unread', by: ['userId'], sum: [] }),
  )
  return row?.count ?? 0
}

/** The caller's notifications, the newest first. Fails: `fields`. Source: 01-access.md, Legacy notifications. */
export const listNotifications =
  (ports: Pick<PaymentsPorts, 'store' | 'clock'>) => (caller: Caller, given: GivenFor<typeof notificationFilter>) =>
    checked(ports, notificationFilter, given, (filter) =>
      useCaseOf<NotificationPage>()(async () => {
        const { store } = ports
        const { page, perPage, unreadOnly } = filter
        const asked = listOf(notifications, {
          where: mine(caller),
          sort: { by: 'createdAt', dir: 'desc' },
          limit: perPage,
          offset: offsetOf(filter),
          total: true,
        })
        const { records, total } = await store.list(unreadOnly ? { ...asked, when: 'unread' } : asked)
        return right({ page, perPage, records, total: total ?? 0, unread: await unreadOf(store, caller) })
      }),
    )

export const countUnread =
  ({ store }: Pick<PaymentsPorts, 'store'>) =>
  (caller: Caller): UseCase<number, never> =>
  async () =>
    right(await unreadOf(store, caller))

/** How many are unread. */
export const unreadCountView = view(
  'UnreadCount',
  { unreadCount: shown.count({ about: 'Notificações não lidas' }) },
  (unread: number) => ({ unreadCount: unread }),
)

/** The caller's notification of this id. Fails: `notification.unknown`, for anybody else's too. */
export const readNotification =
  ({ store }: Pick<PaymentsPorts, 'store'>) =>
  ({ userId }: Caller, id: string) =>
    readUseCase('notification.unknown', async () => {
      const found = await store.find(byId(notifications, id))
      return found?.userId === userId ? found : null
    })
