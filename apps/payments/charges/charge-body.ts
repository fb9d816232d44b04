import { type Field, field, nullIfAbsent, optional, reject } from '../../../core/kernel/input/field.ts'
import { either, input } from '../../../core/kernel/input/input.ts'
import { pick } from '../../../core/kernel/input/table.ts'
import { taxId } from '../../../core/kernel/input/texts.ts'
import { chargeChangeFields, chargeChangeRules } from '../../../core/payments/charges/change.ts'
import { chargeFields } from '../../../core/payments/charges/charge.ts'
import { newChargeFields, newChargeRules } from '../../../core/payments/charges/new-charge.ts'
import { planChargesFields, planChargesRules } from '../../../core/payments/charges/plan.ts'
import { payerFields } from '../../../core/payments/customers/client.ts'

/** A reference to something that no account has: whatever is named does not exist. */
const noSuch = (about: string): Field<never, never, 'required' | 'unknown'> =>
  field<never, never, 'unknown'>(
    {
      name: 'reference',
      schema: { type: 'integer', minimum: 1 },
      is: (_value): _value is never => false,
      read: () => reject('unknown'),
    },
    { about },
  )

/** What this generation may change of one. Source: 02-billing.md, PUT/PATCH charge. */
export const changeBody = input(
  'ChargeChange',
  { ...chargeChangeFields, tagId: optional(nullIfAbsent(noSuch('Etiqueta'))) },
  ...chargeChangeRules,
)

/** What this generation asks of who pays, a checked CPF or CNPJ, and what it has a place for that nobody has yet. */
const legacyFields = {
  payer: either(pick(chargeFields, 'clientId'), {
    ...payerFields,
    document: taxId({ about: 'CPF ou CNPJ de quem paga, guardado sem pontuação' }),
  }),
  tag: nullIfAbsent(noSuch('Etiqueta')),
  tagId: nullIfAbsent(noSuch('Etiqueta')),
  establishmentId: nullIfAbsent(noSuch('Estabelecimento')),
}

/** Source: 02-billing.md, Charge creation body. */
export const chargeBody = input('NewCharge', { ...newChargeFields, ...legacyFields }, ...newChargeRules)

/** Source: 02-billing.md, Charges: with-plan. */
export const planChargesBody = input('NewPlanCharges', { ...planChargesFields, ...legacyFields }, ...planChargesRules)
