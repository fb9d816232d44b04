import { nullIfAbsent } from '../../../kernel/input/field.ts'
import { type DecodedOf, either, type InputOf, input } from '../../../kernel/input/input.ts'
import { requiredWhen } from '../../../kernel/input/rules.ts'
import { type Decoded, pick } from '../../../kernel/input/table.ts'
import { MAX_AMOUNT_CENTS } from '../../../kernel/values/money.ts'
import { MAX_BOLETO_CENTS } from '../../boleto/barcode.ts'
import { card, noCardDigits, notExpired } from '../../cards/card.ts'
import { payerFields } from '../../customers/client.ts'
import { chargeRules } from '../../terms/charge-rules.ts'
import { chargeFields, type PaymentMethod } from '../charge-fields.ts'

/** What a charge is asked for with; the payer is an existing client, or who is to become one. */
export const newChargeFields = {
  ...pick(chargeFields, 'valueCents', 'paymentMethod', 'dueDate'),
  payer: either(pick(chargeFields, 'clientId'), payerFields),
  ...pick(chargeFields, 'webhook', 'description', 'details', 'instructions', 'amountRateHundredths', 'typeRate'),
  ...pick(chargeFields, 'discountHundredths', 'typeDiscount', 'daysDiscount', 'installments', 'address'),
  card: nullIfAbsent(card({ about: 'Cartão; obrigatório com CREDIT_CARD' })),
  ...pick(chargeFields, 'chargeGroupId', 'paymentPlanId'),
}

/** The most that is asked by each method. Source: decisions.md §9. */
export const MOST_CENTS: Readonly<Record<PaymentMethod, number>> = {
  PIX: MAX_AMOUNT_CENTS,
  BOLETO: MAX_BOLETO_CENTS,
  BOLEPIX: MAX_BOLETO_CENTS,
  CREDIT_CARD: MAX_AMOUNT_CENTS,
}

type OfCard = Pick<Decoded<typeof newChargeFields>, 'paymentMethod' | 'card' | 'address'>

/** What whoever reads a new charge asks of it: a card is charged with the address of who pays. */
export const newChargeRules = [
  ...chargeRules,
  requiredWhen<OfCard, 'paymentMethod'>(['card', 'address'], 'paymentMethod', 'CREDIT_CARD'),
  notExpired,
  noCardDigits,
]

/** Source: 02-billing.md, Charge creation body. */
export const newCharge = input('NewCharge', newChargeFields, ...newChargeRules)

export type NewCharge = InputOf<typeof newCharge>

export type AskedCharge = DecodedOf<typeof newCharge>
