import { id, oneOf } from '../../kernel/input/scalars.ts'
import { output, view } from '../../kernel/input/view.ts'

/** The charge statuses, in the order of their ids from 1. Source: decisions.md §3. */
export const CHARGE_STATUSES = ['pending', 'paid', 'cancelled', 'expired', 'failed', 'DELETED', 'paidwithpix'] as const

const DESCRIPTIONS: Readonly<Record<(typeof CHARGE_STATUSES)[number], string>> = {
  pending: 'Pendente',
  paid: 'Pago',
  cancelled: 'Cancelado',
  expired: 'Expirado',
  failed: 'Falhou',
  DELETED: 'Apagado',
  paidwithpix: 'Pago com Pix',
}

export const chargeStatusView = view(
  'ChargeStatus',
  {
    id: id({ about: 'Identificador' }),
    title: oneOf(CHARGE_STATUSES, { about: 'Situação' }),
    description: output.text({ about: 'Situação, por extenso' }),
  },
  (status: (typeof CHARGE_STATUSES)[number]) => ({
    id: CHARGE_STATUSES.indexOf(status) + 1,
    title: status,
    description: DESCRIPTIONS[status],
  }),
)
