import { output, paging, view } from '../../core/kernel/input/mod.ts'
import { notificationFilter, type PageOfNotifications } from '../../core/office/inbox.ts'
import type { Caller } from '../../core/payments/access/authenticate.ts'
import { type Notification, notificationView, unreadCountView } from '../../core/payments/inbox/inbox.ts'
import type { Payments } from '../../core/payments/payments.ts'
import { json, page } from '../http/replies/json-reply.ts'
import type { AnyRow, Call } from '../http/rows/row.ts'
import { route } from './api.ts'

const base = '/access/auth/notifications'

const message = output.text({ about: 'O que foi feito' })

// Notifications that arrive in the meantime are counted by the next list.
const allReadView = view('AllRead', { message, ...unreadCountView.table }, (_marked: number) => ({
  message: 'Todas as notificações foram marcadas como lidas',
  unreadCount: 0,
}))

const readView = view(
  'NotificationRead',
  { message, notification: output.view(notificationView, { about: 'A notificação' }) },
  (notification: Notification) => ({ message: 'Notificação marcada como lida', notification }),
)

const readRemovedView = view(
  'ReadRemoved',
  { message, deletedCount: output.count({ about: 'Notificações apagadas' }) },
  (deletedCount: number) => ({ message: 'Notificações lidas deletadas com sucesso', deletedCount }),
)

const unreadBeside = view(null, unreadCountView.table, ({ unread }: PageOfNotifications<Notification>) => ({
  unreadCount: unread,
}))

const notificationExample = {
  id: '9b2f6c1e-5d0a-4f6b-8a3c-2f1d7e9c4b10',
  type: 'charge.paid',
  notifiable_type: 'user',
  notifiable_id: 1,
  data: { account_id: 1, charge_id: 1, amount_paid: 150.5 },
  read_at: null,
  created_at: '2030-11-21T10:05:09-03:00',
  updated_at: '2030-11-21T10:05:09-03:00',
}

const LISTED = 'Notificações listadas com sucesso.'

const shared = { area: 'Notificações', auth: 'session', errors: { 'permission.lacking': {} } } as const
const one = {
  ...shared,
  dialect: 'bare',
  record: ({ core, actor, request }: Call<Payments, Caller, null>) =>
    core.notifications.read(actor, request.params.id ?? ''),
  errors: { ...shared.errors, 'notification.unknown': {} },
} as const

/** The notifications of a user, whatever the status of their accounts. */
export const notificationRows: readonly AnyRow[] = [
  route({
    ...shared,
    name: 'notifications.list',
    summary: 'Lista as notificações do usuário',
    paths: [base],
    dialect: 'envelope',
    input: { query: notificationFilter },
    run: ({ core, actor }, { query }) => core.notifications.list(actor, query),
    reply: page<Notification, PageOfNotifications<Notification>>({
      message: LISTED,
      view: notificationView,
      more: unreadBeside,
    }),
    example: { given: 'notified', data: notificationExample, more: { unread_count: 1 } },
  }),
  route({
    ...shared,
    name: 'notifications.unread',
    summary: 'Lista as notificações não lidas do usuário',
    paths: [`${base}/unread`],
    dialect: 'envelope',
    input: { query: paging },
    run: ({ core, actor }, { query }) => core.notifications.list(actor, { ...query, unreadOnly: true }),
    reply: page<Notification, PageOfNotifications<Notification>>({ message: LISTED, view: notificationView }),
    example: { given: 'notified', data: notificationExample },
  }),
  route({
    ...shared,
    name: 'notifications.unread-count',
    summary: 'Conta as notificações não lidas do usuário',
    paths: [`${base}/unread-count`],
    dialect: 'bare',
    run: ({ core, actor }) => core.notifications.countUnread(actor),
    reply: json({ view: unreadCountView }),
    example: { given: 'notified', data: { unread_count: 1 } },
  }),
  route({
    ...shared,
    name: 'notifications.mark-all-read',
    summary: 'Marca todas as notificações do usuário como lidas',
    methods: ['PUT'],
    paths: [`${base}/mark-all-read`],
    dialect: 'bare',
    run: ({ core, actor }) => core.notifications.markAllRead(actor),
    reply: json({ view: allReadView }),
    example: {
      given: 'notified',
      data: { message: 'Todas as notificações foram marcadas como lidas', unread_count: 0 },
    },
  }),
  route({
    ...one,
    name: 'notifications.read',
    summary: 'Marca uma notificação como lida',
    methods: ['PUT'],
    paths: [`${base}/:id/read`],
    run: ({ core, actor, record }) => core.notifications.markRead(actor, record.id),
    reply: json({ view: readView }),
    example: {
      given: 'notified',
      request: { params: { id: notificationExample.id } },
      data: {
        message: 'Notificação marcada como lida',
        notification: { ...notificationExample, read_at: '2030-11-21T10:06:09-03:00' },
      },
    },
  }),
  route({
    ...one,
    name: 'notifications.remove',
    summary: 'Apaga uma notificação',
    methods: ['DELETE'],
    paths: [`${base}/:id`],
    run: ({ core, actor, record }) => core.notifications.remove(actor, record.id),
    reply: json({ message: 'Notificação deletada com sucesso' }),
    example: { given: 'notified', request: { params: { id: notificationExample.id } } },
  }),
  route({
    ...shared,
    name: 'notifications.remove-read',
    summary: 'Apaga as notificações lidas do usuário',
    methods: ['DELETE'],
    paths: [`${base}/read/all`],
    dialect: 'bare',
    run: ({ core, actor }) => core.notifications.removeRead(actor),
    reply: json({ view: readRemovedView }),
    example: { given: 'notified', data: { message: 'Notificações lidas deletadas com sucesso', deleted_count: 0 } },
  }),
]
