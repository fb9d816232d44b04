import { instant, oneOf } from '../../kernel/input/scalars.ts'
import { output, view } from '../../kernel/input/view.ts'
import type { Instant } from '../../kernel/values/day.ts'
import { chargeView } from '../charges/charge-view.ts'
import type { ChargeDetail } from '../charges/find-charge.ts'
import { type LinkDetail, linkView } from './link-view.ts'

// Its address carries the token: a receiver's logs are no place for it.
const { publicUrl: _, ...told } = linkView.table

/** What a receiver is told of a link that was paid, but for the charge. */
export const toldLinkView = view('ToldPaymentLink', told, (detail: Omit<LinkDetail, 'publicUrl'>) =>
  linkView.of({ ...detail, publicUrl: '' }),
)

interface PaidLink extends LinkDetail {
  readonly charge: ChargeDetail
}

const paidLinkView = view(
  'PaidPaymentLink',
  { ...told, charge: output.view(chargeView, { about: 'A cobrança que foi paga, como a API a mostrava então' }) },
  ({ charge, ...detail }: PaidLink) => ({ ...linkView.of(detail), charge }),
)

interface LinkEvent {
  readonly type: 'payment_link.paid'
  readonly timestamp: Instant
  readonly data: PaidLink
}

/** The body of a webhook that tells of a link that was paid. Source: decisions.md §3, Events. */
export const linkEventView = view(
  'PaymentLinkEvent',
  {
    type: oneOf(['payment_link.paid'], { about: 'O que aconteceu' }),
    timestamp: instant({ about: 'Quando aconteceu' }),
    data: output.view(paidLinkView, { about: 'O link, e a cobrança que foi paga' }),
  },
  (event: LinkEvent) => event,
)
