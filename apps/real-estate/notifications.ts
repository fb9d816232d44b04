import { output, view } from '../../core/kernel/input/mod.ts'
import type { PageOfNotifications } from '../../core/office/inbox.ts'
import type { NotificationFeed } from '../../core/real-estate/notifications/feed.ts'
import {
  alertsView,
  allReadView,
  notificationFilter,
  notificationView,
  readView,
} from '../../core/real-estate/notifications/notification-views.ts'
import type { Notification } from '../../core/real-estate/office.ts'
import { json, page } from '../http/replies/json-reply.ts'
import { events } from '../http/replies/raw-reply.ts'
import type { AnyRow } from '../http/rows/row.ts'
import { route } from './api.ts'
import { EXAMPLE_MOMENT, exampleId } from './examples.ts'

const BASE = '/api/notifications'
const common = { area: 'Notificações', dialect: 'estate', auth: 'member', permission: 'notifications:read' } as const

const unreadCount = view(
  null,
  { unreadCount: output.count({ about: 'Quantas ao todo não foram lidas' }) },
  ({ unread }: PageOfNotifications<Notification>) => ({ unreadCount: unread }),
)

const notification = {
  id: exampleId(90),
  type: 'VisitConfirmed',
  title: 'Visita confirmada',
  message: 'A visita de Maria da Silva ao imóvel AP-101 em 25/11/2030 às 14:00 foi confirmada.',
  isRead: false,
  readAt: null,
  resourceType: 'Visit',
  resourceId: exampleId(70),
  createdAt: EXAMPLE_MOMENT,
}
const params = { id: notification.id }

export const notificationRows: readonly AnyRow[] = [
  route({
    ...common,
    name: 'notifications.list',
    summary: 'Lista as notificações do usuário, da mais nova à mais antiga',
    paths: [BASE],
    input: { query: notificationFilter },
    run: ({ core, actor }, { query }) => core.notifications.list(actor, query),
    reply: page<Notification, PageOfNotifications<Notification>>({ view: notificationView, more: unreadCount }),
    example: {
      given: 'notified',
      data: notification,
      more: { unreadCount: 1 },
    },
  }),
  route({
    ...common,
    name: 'notifications.stream',
    summary:
      'Envia as notificações do usuário assim que acontecem: eventos `notification` (server-sent events), com o JSON da notificação; os primeiros bytes trazem um `id`, `Last-Event-ID` retoma de onde parou, e a conexão termina com o token, ou quando a pessoa perde o acesso',
    paths: [`${BASE}/stream`],
    run: ({ core, actor, request }) => core.notifications.stream(actor, request.header('last-event-id')),
    reply: events<Notification, NotificationFeed>({
      event: 'notification',
      id: ({ id }) => id,
      startId: (feed) => feed.startId,
      view: notificationView,
    }),
    errors: { 'stream.too-many': {}, 'stream.full': {} },
    example: {
      given: 'notified',
      reply: `event: notification\nid: ${notification.id}\ndata: ${JSON.stringify(notification)}\n\n`,
    },
  }),
  route({
    ...common,
    name: 'notifications.read',
    summary: 'Marca uma notificação como lida',
    methods: ['PATCH'],
    paths: [`${BASE}/:id/read`],
    record: ({ core, actor, request }) => core.notifications.read(actor, request.params.id ?? ''),
    run: ({ core, actor, record }) => core.notifications.markRead(actor, record.id),
    reply: json({ view: readView }),
    errors: { 'notification.unknown': {} },
    example: {
      given: 'notified',
      request: { params },
      reply: { id: notification.id, isRead: true, readAt: EXAMPLE_MOMENT },
    },
  }),
  route({
    ...common,
    name: 'notifications.read-all',
    summary: 'Marca todas as notificações do usuário como lidas',
    methods: ['PATCH'],
    paths: [`${BASE}/read-all`],
    run: ({ core, actor }) => core.notifications.markAllRead(actor),
    reply: json({ view: allReadView }),
    example: { given: 'notified', reply: { markedAsRead: 1 } },
  }),
  route({
    ...common,
    name: 'notifications.check-alerts',
    summary: 'Verifica agora contratos que terminam e pagamentos em atraso, como faz a rotina diária',
    methods: ['POST'],
    paths: [`${BASE}/check-alerts`],
    permission: 'notifications:check',
    run: ({ core, actor }) => core.notifications.checkAlerts(actor),
    reply: json({ view: alertsView }),
    example: {
      given: 'alarming',
      reply: { contractsExpiring: 1, paymentsDefaulted: 1, notificationsCreated: 2 },
    },
  }),
]
