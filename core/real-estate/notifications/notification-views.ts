import {
  type Decoded,
  flag,
  guid,
  type InputOf,
  input,
  inQuery,
  instant,
  nullIfAbsent,
  oneOf,
  output,
  view,
  withDefault,
} from '../../kernel/input/mod.ts'
import { NOTIFICATION_TYPES, type Notification, RESOURCE_TYPES } from '../office.ts'
import { createdAt, id, pageFields } from '../records/fields.ts'

export const notificationFilter = input('NotificationFilter', {
  ...pageFields,
  unreadOnly: withDefault(inQuery.flag({ about: 'Só as que não foram lidas' }), false),
})
export type NotificationFilter = InputOf<typeof notificationFilter>

const isRead = flag({ about: 'Se foi lida' })
const readAt = nullIfAbsent(instant({ about: 'Quando foi lida' }))
export const notificationView = view(
  'Notification',
  {
    id,
    type: oneOf(NOTIFICATION_TYPES, { about: 'O que aconteceu' }),
    title: output.text({ about: 'Título' }),
    message: output.text({ about: 'Mensagem' }),
    isRead,
    readAt,
    resourceType: nullIfAbsent(oneOf(RESOURCE_TYPES, { about: 'De que trata' })),
    resourceId: nullIfAbsent(guid({ about: 'Identificador daquilo de que trata' })),
    createdAt,
  },
  (of: Notification) => ({ ...of, isRead: of.readAt !== null }),
)

/** A notification after it was marked as read. */
export const readView = view('NotificationRead', { id, isRead, readAt }, (of: Notification) => ({
  ...of,
  isRead: of.readAt !== null,
}))

export const allReadView = view(
  'NotificationsRead',
  { markedAsRead: output.count({ about: 'Quantas passaram a lidas' }) },
  (markedAsRead: number) => ({ markedAsRead }),
)

const alertFields = {
  contractsExpiring: output.count({ about: 'Contratos ativos que terminam em até 30 dias' }),
  paymentsDefaulted: output.count({ about: 'Pagamentos que passaram a inadimplentes agora' }),
  notificationsCreated: output.count({ about: 'Notificações criadas, uma por usuário' }),
}

/** The figures of a check of alerts. */
export type AlertsChecked = Decoded<typeof alertFields>

export const alertsView = view('AlertsChecked', alertFields)
