import type { Part } from './codes.ts'

/** What is told of notifications. Source: 03-real-estate.md, Notifications; decisions.md §10. */
export const notificationMessages = {
  failures: {
    'notification.unknown': { status: 404, message: 'Notificação não encontrada.' },
    'stream.too-many': { status: 429, message: 'Há conexões demais deste usuário. Feche alguma antes de abrir outra.' },
    'stream.full': { status: 503, message: 'Há conexões demais abertas. Tente novamente em instantes.' },
  },
  issues: {},
} satisfies Part
