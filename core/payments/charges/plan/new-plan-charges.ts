import { issue } from '../../../failure.ts'
import { type DecodedOf, type InputOf, input } from '../../../kernel/input/input.ts'
import { type Rule, rule } from '../../../kernel/input/rules.ts'
import { id } from '../../../kernel/input/scalars.ts'
import { pick } from '../../../kernel/input/table.ts'
import { noCardDigits } from '../../cards/card.ts'
import { chargeRules } from '../../terms/charge-rules.ts'
import { chargeFields, type PaymentMethod } from '../charge-fields.ts'
import { newChargeFields } from '../issue/new-charge.ts'

/** What the charges of a plan are asked for with: `valueCents` is all of them together, the first is due on `dueDate`. */
export const planChargesFields = {
  ...pick(newChargeFields, 'valueCents', 'paymentMethod', 'dueDate', 'payer'),
  ...pick(chargeFields, 'webhook', 'description', 'details', 'instructions', 'amountRateHundredths', 'typeRate'),
  ...pick(chargeFields, 'discountHundredths', 'typeDiscount', 'daysDiscount', 'installments', 'address'),
  ...pick(chargeFields, 'chargeGroupId'),
  paymentPlanId: id({ about: 'Plano de pagamento' }),
}

/** A card is charged once, and by nobody but who has it. Fails: `charge.method`. Source: decisions.md §9, Edges. */
const noCards: Rule<{ readonly paymentMethod: PaymentMethod }, 'charge.method'> = rule(
  ['paymentMethod'],
  ({ paymentMethod }) => (paymentMethod === 'CREDIT_CARD' ? [issue('paymentMethod', 'charge.method')] : []),
)

export const planChargesRules = [...chargeRules, noCards, noCardDigits]

/** Source: 02-billing.md, Charges: with-plan. */
export const newPlanCharges = input('NewPlanCharges', planChargesFields, ...planChargesRules)

export type NewPlanCharges = InputOf<typeof newPlanCharges>
export type AskedPlan = DecodedOf<typeof newPlanCharges>
