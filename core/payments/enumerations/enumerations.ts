import { CLIENT_STATUSES } from '../customers/client.ts'
import { EVENT_TYPES, type EventType } from '../events.ts'
import { DELIVERY_STATUSES } from '../webhooks/deliveries.ts'
import { WITHDRAWAL_STATUSES } from '../withdrawals/views.ts'

const WEBHOOK_TITLES: Readonly<Record<EventType, string>> = {
  'charge.created': 'Cobrança criada',
  'charge.updated': 'Cobrança alterada',
  'charge.paid': 'Cobrança paga',
  'charge.expired': 'Cobrança expirada',
  'charge.cancelled': 'Cobrança cancelada',
  'charge.deleted': 'Cobrança apagada',
  'charge.failed': 'Cobrança com falha',
  'charge.refunded': 'Cobrança devolvida',
  'payment_link.paid': 'Link de pagamento pago',
  'withdraw.completed': 'Saque concluído',
  'withdraw.failed': 'Saque com falha',
  'pix.received': 'Pix recebido',
  'export.ready': 'Exportação pronta',
  'charge.partially_paid': 'Cobrança paga em parte',
  'charge.overpaid': 'Cobrança paga a mais',
  'split.received': 'Split recebido',
  'charge.rest_refused': 'Resto de cobrança recusado',
}

const DELIVERY_TITLES: Readonly<Record<(typeof DELIVERY_STATUSES)[number], string>> = {
  pending: 'Pendente',
  delivered: 'Entregue',
  failed: 'Falhou',
}

/** The codes of the API with their Portuguese titles. */
export const enumerations = {
  paymentMethods: [
    { value: 'pix', name: 'Pix' },
    { value: 'credit_card', name: 'Cartão de crédito' },
    { value: 'boleto', name: 'Boleto' },
    { value: 'bolepix', name: 'Bolepix' },
  ],
  userStatuses: [
    { value: 1, name: 'Ativo' },
    { value: 2, name: 'Inativo' },
    { value: 3, name: 'Bloqueado' },
  ],
  boletoStatuses: [
    { value: 1, name: 'Emitido' },
    { value: 2, name: 'Pago' },
    { value: 3, name: 'Cancelado' },
    { value: 4, name: 'Recusado' },
    { value: 5, name: 'Rejeitado' },
  ],
  pixStatuses: [
    { value: 1, name: 'Pendente' },
    { value: 2, name: 'Pago' },
    { value: 3, name: 'Cancelado' },
  ],
  webhookTypes: EVENT_TYPES.map((value) => ({ value, title: WEBHOOK_TITLES[value] })),
  webhookStatuses: DELIVERY_STATUSES.map((value) => ({ value, title: DELIVERY_TITLES[value] })),
  clientStatuses: CLIENT_STATUSES.map((title, place) => ({ id: place + 1, title })),
  /** A completed withdrawal stores `concluido` as its own value. */
  withdrawStatuses: WITHDRAWAL_STATUSES,
} as const
