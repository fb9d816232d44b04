import { integer, oneOf } from '../../../kernel/input/scalars.ts'
import { view } from '../../../kernel/input/view.ts'

/** The link statuses, in the order of their values from 1; paused is reserved. Source: decisions.md §3 and §9, Links. */
export const LINK_STATUSES = ['active', 'paused', 'expired'] as const
export type LinkStatus = (typeof LINK_STATUSES)[number]

export const LINK_STATUS_LABELS = {
  active: 'Ativo',
  paused: 'Pausado',
  expired: 'Expirado',
} as const satisfies Readonly<Record<LinkStatus, string>>

/** Its value on the wire. */
export const linkStatusValue = (status: LinkStatus): number => LINK_STATUSES.indexOf(status) + 1

export const linkStatusView = view(
  'PaymentLinkStatus',
  {
    value: integer({ min: 1, max: LINK_STATUSES.length, about: 'Situação' }),
    label: oneOf(Object.values(LINK_STATUS_LABELS), { about: 'Situação, por extenso' }),
  },
  (status: LinkStatus) => ({ value: linkStatusValue(status), label: LINK_STATUS_LABELS[status] }),
)
