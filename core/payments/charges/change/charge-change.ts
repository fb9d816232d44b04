import { allOptional, type DecodedOf, type InputOf, input } from '../../../kernel/input/input.ts'
import { pick } from '../../../kernel/input/table.ts'
import { noCardDigits } from '../../cards/card.ts'
import { dueDateRule } from '../../terms/charge-rules.ts'
import { chargeFields } from '../charge-fields.ts'

/** What of a pending charge may change; what is left out stays, null clears. */
export const chargeChangeFields = allOptional({
  ...pick(chargeFields, 'valueCents', 'paymentMethod', 'dueDate', 'webhook', 'description', 'details', 'instructions'),
  ...pick(chargeFields, 'amountRateHundredths', 'typeRate', 'discountHundredths'),
})

export const chargeChangeRules = [dueDateRule, noCardDigits]

/** Source: 02-billing.md, PUT/PATCH charge. */
export const chargeChange = input('ChargeChange', chargeChangeFields, ...chargeChangeRules)

export type ChargeChange = InputOf<typeof chargeChange>
export type AskedChange = DecodedOf<typeof chargeChange>
