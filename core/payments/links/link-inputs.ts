import { issue } from '../../failure.ts'
import { nullIfAbsent } from '../../kernel/input/field.ts'
import { allOptional, type DecodedOf, type InputOf, input } from '../../kernel/input/input.ts'
import { type Rule, rule } from '../../kernel/input/rules.ts'
import { id } from '../../kernel/input/scalars.ts'
import { pick } from '../../kernel/input/table.ts'
import { type Expiry, lastDayOf } from './link/expiry.ts'
import { linkFields } from './link/link-fields.ts'

interface Ending {
  readonly expiresAt?: Expiry | null
}

/** Who decodes without a day asks for no such rule. */
const endsLater: Rule<Ending, 'day.future'> = rule(['expiresAt'], ({ expiresAt = null }, today) =>
  expiresAt !== null && today !== null && lastDayOf(expiresAt) <= today ? [issue('expiresAt', 'day.future')] : [],
)

interface Amounts {
  readonly isVariableAmount: boolean
  readonly amountCents: number | null
  readonly minAmountCents: number | null
  readonly maxAmountCents: number | null
}

const amountRules: readonly Rule<Amounts, 'required' | 'link.max-amount'>[] = [
  rule(['isVariableAmount', 'amountCents'], ({ isVariableAmount, amountCents }) =>
    !isVariableAmount && amountCents === null ? [issue('amountCents', 'required')] : [],
  ),
  rule(['isVariableAmount', 'minAmountCents'], ({ isVariableAmount, minAmountCents }) =>
    isVariableAmount && minAmountCents === null ? [issue('minAmountCents', 'required')] : [],
  ),
  rule(['minAmountCents', 'maxAmountCents'], ({ minAmountCents, maxAmountCents }) =>
    minAmountCents !== null && maxAmountCents !== null && maxAmountCents <= minAmountCents
      ? [issue('maxAmountCents', 'link.max-amount')]
      : [],
  ),
]

/** Source: 02-billing.md, Payment links; decisions.md §9, Links. */
export const newLink = input(
  'NewPaymentLink',
  { ...linkFields, clientId: nullIfAbsent(id({ about: 'Cliente existente' })) },
  ...amountRules,
  endsLater,
)

export type NewLink = InputOf<typeof newLink>
export type CheckedLink = DecodedOf<typeof newLink>

/** What may be changed of a link; what is left out stays. Source: 02-billing.md, Payment links. */
export const linkChange = input(
  'PaymentLinkChange',
  allOptional(
    pick(
      linkFields,
      'paymentMethods',
      'passTransactionFeeToCustomer',
      'sendClientId',
      'expiresAt',
      'maxUses',
      'successUrl',
      'cancelUrl',
      'installments',
    ),
  ),
  endsLater,
)

export type LinkChange = InputOf<typeof linkChange>
export type CheckedLinkChange = DecodedOf<typeof linkChange>
