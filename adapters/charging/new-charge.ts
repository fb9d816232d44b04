import type { NewCharge } from '../../core/mod.ts'
import type { ChargeOrder } from '../../core/ports/charging.ts'

const METHODS = { Pix: 'PIX', Boleto: 'BOLETO' } as const
/** Steps of a number of percent, which has at most 4 decimals, and of them in a hundredth. */
const STEPS = 10_000
const STEPS_IN_HUNDREDTH = 100

/** Hundredths of a percent, as the payments core knows them: never more than was agreed. */
const truncatedHundredths = (percent: number): number => Math.floor(Math.round(percent * STEPS) / STEPS_IN_HUNDREDTH)

/** What is asked of the payments core; 0 asks for no interest and no discount, where nothing would mean the account's own. */
export const newChargeOf = (order: ChargeOrder): NewCharge => ({
  valueCents: order.valueCents,
  paymentMethod: METHODS[order.method],
  dueDate: order.dueDate,
  description: order.description,
  amountRateHundredths: truncatedHundredths(order.interestPercentage ?? 0),
  typeRate: 'PERCENTAGE',
  discountHundredths: order.discountCents ?? 0,
  typeDiscount: 'ABSOLUTE',
  payer: { name: order.payer.name, email: order.payer.email, document: order.payer.taxId },
})
