import { type Field, field, nullIfAbsent, wrong } from '../../../core/kernel/input/codec.ts'
import { taxId } from '../../../core/kernel/input/fields/texts.ts'
import { either, input } from '../../../core/kernel/input/input.ts'
import { pick } from '../../../core/kernel/input/table.ts'
import { chargeFields } from '../../../core/payments/charges/charge-fields.ts'
import { newChargeFields } from '../../../core/payments/charges/issue-charge.ts'
import { payerFields } from '../../../core/payments/customers/client.ts'
import { chargeRules } from '../../../core/payments/terms/charge-rules.ts'

/** A reference to something that no account has: whatever is named does not exist. */
const noSuch = (about: string): Field<never, never, 'required' | 'unknown'> =>
  field<never, never, 'unknown'>(
    {
      name: 'reference',
      schema: { type: 'integer', minimum: 1 },
      is: (_value): _value is never => false,
      read: () => wrong('unknown'),
    },
    { about },
  )

/** What this generation asks of a new charge: a checked CPF or CNPJ of who pays. Source: 02-billing.md, Charge creation body. */
export const chargeBody = input(
  'NewCharge',
  {
    ...newChargeFields,
    payer: either(pick(chargeFields, 'clientId'), {
      ...payerFields,
      document: taxId({ about: 'CPF ou CNPJ de quem paga, sem pontuação' }),
    }),
    tag: nullIfAbsent(noSuch('Etiqueta')),
    tagId: nullIfAbsent(noSuch('Etiqueta')),
    establishmentId: nullIfAbsent(noSuch('Estabelecimento')),
    chargeGroupId: nullIfAbsent(noSuch('Grupo de cobranças')),
    paymentPlanId: nullIfAbsent(noSuch('Plano de pagamento')),
  },
  ...chargeRules,
)
