import type { Side } from '../../kernel/input/field.ts'
import { instant, oneOf } from '../../kernel/input/scalars.ts'
import { output, view } from '../../kernel/input/view.ts'
import type { Instant } from '../../kernel/values/day.ts'
import { type ChargeDetail, chargeView } from '../charges/detail.ts'
import { type Credit, receivedPixView } from '../charges/payment.ts'
import { type Refund, refundView } from '../charges/refund-records.ts'
import { CHARGE_EVENTS, type ChargeEventType } from '../charges/write.ts'

interface ChargeEvent {
  readonly type: ChargeEventType
  readonly timestamp: Instant
  readonly data: ChargeDetail
}

interface RefundEvent {
  readonly type: 'charge.refunded'
  readonly timestamp: Instant
  readonly data: { readonly charge: ChargeDetail; readonly refund: Refund }
}

interface ReceivedPixEvent {
  readonly type: 'pix.received'
  readonly timestamp: Instant
  readonly data: Credit
}

const happenedAt = instant({
  about: 'Quando aconteceu; de uma mesma cobrança, nunca igual e sempre depois da anterior',
})

/** The body of a webhook about a Pix without a charge. */
const receivedPixEventView = view(
  'ReceivedPixEvent',
  {
    type: oneOf(['pix.received'], { about: 'O que aconteceu' }),
    timestamp: happenedAt,
    data: output.view(receivedPixView, { about: 'O pagamento' }),
  },
  (event: ReceivedPixEvent) => event,
)

/** The body of a webhook about a charge. */
export const chargeEventView = view(
  'ChargeEvent',
  {
    type: oneOf(CHARGE_EVENTS, { about: 'O que aconteceu' }),
    timestamp: happenedAt,
    data: output.view(chargeView, { about: 'A cobrança, como a API a mostrava então' }),
  },
  (event: ChargeEvent) => event,
)

const refundedView = view(
  'RefundedCharge',
  {
    charge: output.view(chargeView, { about: 'A cobrança, como a API a mostrava então' }),
    refund: output.view(refundView, { about: 'A devolução' }),
  },
  (refunded: RefundEvent['data']) => refunded,
)

/** The body of a webhook about a refund. */
export const refundEventView = view(
  'RefundEvent',
  {
    type: oneOf(['charge.refunded'], { about: 'O que aconteceu' }),
    timestamp: happenedAt,
    data: output.view(refundedView, { about: 'A cobrança e o que dela foi devolvido' }),
  },
  (event: RefundEvent) => event,
)

/** The body of a webhook about a payment: of a charge that accepted no payment any more, or of none. */
export const moneyEventView = {
  on: (side: Side) => ({
    schema: { anyOf: [chargeEventView, receivedPixEventView].map((each) => each.on(side).schema) },
  }),
}
