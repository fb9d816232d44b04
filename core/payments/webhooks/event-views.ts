import { output, type Side, view } from '../../kernel/input/mod.ts'
import { chargeView } from '../charges/detail.ts'
import { receivedPixView } from '../charges/received-pix.ts'
import { refundView } from '../charges/refund-records.ts'
import { CHARGE_EVENTS } from '../charges/write.ts'
import { eventView } from '../events.ts'
import { receivedShareView } from '../splits/share.ts'

const OF_CHARGE = 'Quando aconteceu; de uma mesma cobrança, nunca igual e sempre depois da anterior'
const CHARGE = 'A cobrança, como a API a mostrava então'

const receivedPixEventView = eventView('ReceivedPixEvent', ['pix.received'], receivedPixView, 'O pagamento', OF_CHARGE)

export const chargeEventView = eventView('ChargeEvent', CHARGE_EVENTS, chargeView, CHARGE, OF_CHARGE)

const refundedView = view('RefundedCharge', {
  charge: output.view(chargeView, { about: CHARGE }),
  refund: output.view(refundView, { about: 'A devolução' }),
})

export const refundEventView = eventView(
  'RefundEvent',
  ['charge.refunded'],
  refundedView,
  'A cobrança e o que dela foi devolvido',
  OF_CHARGE,
)

export const splitEventView = eventView('SplitEvent', ['split.received'], receivedShareView, 'A parte recebida')

/** The body of a webhook about a payment: of a charge that accepted no payment any more, or of none. */
export const moneyEventView = {
  on: (side: Side) => ({
    schema: { anyOf: [chargeEventView, receivedPixEventView].map((each) => each.on(side).schema) },
  }),
}
