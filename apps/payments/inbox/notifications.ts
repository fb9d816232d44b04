import { t } from '../../../core/fp.ts'
import { withDefault } from '../../../core/kernel/input/codec.ts'
import { out } from '../../../core/kernel/input/outputs.ts'
import { inQuery, query } from '../../../core/kernel/input/query.ts'
import type { NotificationPage } from '../../../core/payments/inbox/list-notifications.ts'
import { NOTIFICATION_TYPES, type Notification, notificationView } from '../../../core/payments/inbox/notification.ts'
import { json, page } from '../../http/replies/json-reply.ts'
import type { AnyRow } from '../../http/rows/row.ts'
import { route } from '../api.ts'

const area = 'Notificações'
const base = '/access/auth/notifications'

const notificationShape = t.type({
  id: out.guid,
  type: out.oneOf(NOTIFICATION_TYPES),
  notifiable_type: t.literal('user'),
  notifiable_id: out.id,
  data: out.json,
  read_at: out.nullable(out.instant),
  created_at: out.instant,
  updated_at: out.instant,
})

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

const metaExample = { current_page: 1, per_page: 15, total: 1, last_page: 1 }
const LISTED = 'Notificações listadas com sucesso.'
const listedExample = { code: 200, success: true, data: [notificationExample], meta: metaExample, message: LISTED }
const pages = { page: inQuery.page(), per_page: inQuery.perPage() }
const errors = { 'record.missing': { status: 404, message: 'Notificação não encontrada.' } }

/** What somebody is told inside the app, whatever the status of their account. Source: 01-access.md, Legacy notifications. */
export const notificationRows: readonly AnyRow[] = [
  route({
    name: 'notifications.list',
    area,
    summary: 'Lista as notificações do usuário',
    methods: ['GET'],
    paths: [base],
    dialect: 'envelope',
    auth: 'session',
    input: { query: query({ ...pages, unread_only: withDefault(inQuery.flag(), false) }) },
    output: notificationShape,
    run: ({ core, actor }, { query: { page: number, per_page: perPage, unread_only: unreadOnly } }) =>
      core.notifications.list(actor, { page: number, perPage, unreadOnly }),
    reply: page<Notification, NotificationPage>({
      message: LISTED,
      view: notificationView,
      more: ({ unread }) => ({ unread_count: unread }),
    }),
    deprecated: true,
    example: { given: 'notified', reply: { ...listedExample, unread_count: 1 } },
  }),
  route({
    name: 'notifications.unread',
    area,
    summary: 'Lista as notificações não lidas do usuário',
    methods: ['GET'],
    paths: [`${base}/unread`],
    dialect: 'envelope',
    auth: 'session',
    input: { query: query(pages) },
    output: notificationShape,
    run: ({ core, actor }, { query: { page: number, per_page: perPage } }) =>
      core.notifications.list(actor, { page: number, perPage, unreadOnly: true }),
    reply: page<Notification, NotificationPage>({ message: LISTED, view: notificationView }),
    deprecated: true,
    example: { given: 'notified', reply: listedExample },
  }),
  route({
    name: 'notifications.unread-count',
    area,
    summary: 'Conta as notificações não lidas do usuário',
    methods: ['GET'],
    paths: [`${base}/unread-count`],
    dialect: 'bare',
    auth: 'session',
    input: {},
    output: t.type({ unread_count: out.count }),
    run: ({ core, actor }) => core.notifications.countUnread(actor),
    reply: json({ view: (unread: number) => ({ unread_count: unread }) }),
    deprecated: true,
    example: { given: 'notified', reply: { unread_count: 1 } },
  }),
  route({
    name: 'notifications.mark-all-read',
    area,
    summary: 'Marca todas as notificações do usuário como lidas',
    methods: ['PUT'],
    paths: [`${base}/mark-all-read`],
    dialect: 'bare',
    auth: 'session',
    input: {},
    output: t.type({ message: t.string, unread_count: out.count }),
    run: ({ core, actor }) => core.notifications.markAllRead(actor),
    reply: json({
      view: (unread: number) => ({
        message: 'Todas as notificações foram marcadas como lidas',
        unread_count: unread,
      }),
    }),
    deprecated: true,
    example: {
      given: 'notified',
      reply: { message: 'Todas as notificações foram marcadas como lidas', unread_count: 0 },
    },
  }),
  route({
    name: 'notifications.read',
    area,
    summary: 'Marca uma notificação como lida',
    methods: ['PUT'],
    paths: [`${base}/:id/read`],
    dialect: 'bare',
    auth: 'session',
    record: ({ core, actor, request }) => core.notifications.read(actor, request.params.id ?? ''),
    input: {},
    output: t.type({ message: t.string, notification: notificationShape }),
    run: ({ core, actor, record }) => core.notifications.markRead(actor, record.id),
    reply: json({
      view: (notification: Notification) => ({
        message: 'Notificação marcada como lida',
        notification: notificationView(notification),
      }),
    }),
    errors,
    deprecated: true,
    example: {
      given: 'notified',
      request: { params: { id: notificationExample.id } },
      reply: {
        message: 'Notificação marcada como lida',
        notification: { ...notificationExample, read_at: '2030-11-21T10:06:09-03:00' },
      },
    },
  }),
  route({
    name: 'notifications.remove',
    area,
    summary: 'Apaga uma notificação',
    methods: ['DELETE'],
    paths: [`${base}/:id`],
    dialect: 'bare',
    auth: 'session',
    record: ({ core, actor, request }) => core.notifications.read(actor, request.params.id ?? ''),
    input: {},
    output: t.null,
    run: ({ core, actor, record }) => core.notifications.remove(actor, record.id),
    reply: json({ message: 'Notificação deletada com sucesso' }),
    errors,
    deprecated: true,
    example: {
      given: 'notified',
      request: { params: { id: notificationExample.id } },
      reply: { message: 'Notificação deletada com sucesso' },
    },
  }),
  route({
    name: 'notifications.remove-read',
    area,
    summary: 'Apaga as notificações lidas do usuário',
    methods: ['DELETE'],
    paths: [`${base}/read/all`],
    dialect: 'bare',
    auth: 'session',
    input: {},
    output: t.type({ message: t.string, deleted_count: out.count }),
    run: ({ core, actor }) => core.notifications.removeRead(actor),
    reply: json({
      view: (deleted: number) => ({ message: 'Notificações lidas deletadas com sucesso', deleted_count: deleted }),
    }),
    deprecated: true,
    example: {
      given: 'notified',
      reply: { message: 'Notificações lidas deletadas com sucesso', deleted_count: 0 },
    },
  }),
]
