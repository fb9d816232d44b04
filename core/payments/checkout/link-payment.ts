import { type Issue, issue } from '../../failure.ts'
import { nullIfAbsent } from '../../kernel/input/field.ts'
import { type DecodedOf, either, type InputOf, input } from '../../kernel/input/input.ts'
import { requiredWhen } from '../../kernel/input/rules.ts'
import { integer, money, oneOf } from '../../kernel/input/scalars.ts'
import { pick } from '../../kernel/input/table.ts'
import { reaisFromCents } from '../../kernel/values/money.ts'
import { noCardDigits, printedCard, printedNotExpired } from '../cards/card.ts'
import { chargeFields } from '../charges/charge-fields.ts'
import { payerFields } from '../customers/client.ts'
import type { PaymentLink } from '../links/link/link.ts'
import { LINK_METHODS, MAX_LINK_INSTALLMENTS } from '../links/link/link-fields.ts'

/** What a payer sends; the payer is a client of the account, or who is to become one. Source: 02-billing.md, Public payer routes. */
export const linkPayment = input(
  'PaymentLinkPayment',
  {
    paymentMethod: oneOf(LINK_METHODS, { about: 'Meio de pagamento' }),
    payer: either(pick(chargeFields, 'clientId'), payerFields),
    amountCents: nullIfAbsent(money({ wire: 'amount', about: 'Valor, onde quem paga o escolhe' })),
    installments: nullIfAbsent(integer({ min: 1, max: MAX_LINK_INSTALLMENTS, about: 'Parcelas, no cartão' })),
    address: chargeFields.address,
    card: nullIfAbsent(printedCard({ about: 'Cartão' })),
  },
  requiredWhen(['address', 'card'], 'paymentMethod', 'CARD'),
  printedNotExpired,
  noCardDigits,
)

export type LinkPayment = InputOf<typeof linkPayment>
export type CheckedPayment = DecodedOf<typeof linkPayment>

/** What somebody pays who chooses it; a fixed amount is the link's, whatever is sent. */
export const amountOf = (link: Pick<PaymentLink, 'isVariableAmount' | 'amountCents'>, sent: CheckedPayment): number =>
  (link.isVariableAmount ? sent.amountCents : link.amountCents) ?? 0

/** What the link does not let its payer do. */
export const linkIssues = (link: PaymentLink, asked: CheckedPayment) => {
  const { paymentMethods, installments } = link
  const methods = { values: paymentMethods.join(', ') }
  const isCard = asked.paymentMethod === 'CARD'
  const wrong = [
    [!paymentMethods.includes(asked.paymentMethod), issue('paymentMethod', 'one-of', methods)],
    [isCard && (asked.installments ?? 1) > installments, issue('installments', 'integer.max', { max: installments })],
  ] satisfies readonly (readonly [boolean, Issue])[]
  return [...wrong.flatMap(([isWrong, found]) => (isWrong ? [found] : [])), ...amountIssues(link, asked)]
}

/** Nobody pays less than a cent. */
const LEAST_CENTS = 1

const amountIssues = (
  { isVariableAmount, minAmountCents, maxAmountCents }: PaymentLink,
  { amountCents }: CheckedPayment,
) => {
  if (!isVariableAmount) return []
  if (amountCents === null) return [issue('amountCents', 'required')]
  const least = Math.max(LEAST_CENTS, minAmountCents ?? 0)
  if (amountCents < least) return [issue('amountCents', 'money.min', { min: reaisFromCents(least) })]
  const isOver = maxAmountCents !== null && amountCents > maxAmountCents
  return isOver ? [issue('amountCents', 'money.max', { max: reaisFromCents(maxAmountCents) })] : []
}
