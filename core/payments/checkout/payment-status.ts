import { output, view } from '../../kernel/input/view.ts'
import { readUseCase } from '../../kernel/running/use-case.ts'
import { payeeOfChargeView } from '../accounts/payee.ts'
import { chargeView } from '../charges/charge-view.ts'
import { findPayable, type PayableDetail } from '../charges/read-charge.ts'
import type { PaymentsPorts } from '../payments-ports.ts'

/**
 * What has become of a charge, for who pays it, by its code: asked often, so that nothing is drawn.
 * Fails: `charge.unknown` (a deleted one too). Source: 02-billing.md, Public payer routes; decisions.md §9, Exposure.
 */
export const paymentStatus = (ports: PaymentsPorts) => (code: string) =>
  readUseCase('charge.unknown', () => findPayable(ports, { code }))

// Of who pays nothing is told: whoever pays by a link may name any client of its account.
const { client: _, pix, boleto, ...chargeTable } = chargeView.table

const chargeAloneView = view('ChargeAlone', chargeTable, (found: PayableDetail) => chargeView.of(found))

/** A charge with its Pix, its boleto and whom it pays, each by itself. Source: 02-billing.md, Public payer routes. */
export const paymentStatusView = view(
  'PaymentStatus',
  {
    charge: output.view(chargeAloneView, { about: 'A cobrança' }),
    pix,
    boleto,
    account: output.view(payeeOfChargeView, { about: 'Quem recebe' }),
  },
  (found: PayableDetail) => {
    const { pix: ofPix, boleto: ofBoleto } = chargeView.of(found)
    return { charge: found, pix: ofPix, boleto: ofBoleto, account: found }
  },
)
