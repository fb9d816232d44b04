import { MAX_AMOUNT_CENTS, percentHalfUp, truncateRatio, WHOLE_PERCENT } from '../../kernel/values/money.ts'
import type { Fees } from '../accounts/account.ts'
import type { PaymentLink } from '../links/link/link.ts'
import type { LinkMethod } from '../links/link/link-fields.ts'

/** More than any charge may be. */
const TOO_MUCH = MAX_AMOUNT_CENTS + 1

/** What a payer is asked for, so that the account is left with an amount where they bear its fee. */
const WITH_FEE: Readonly<Record<LinkMethod, (cents: number, fees: Fees) => number>> = {
  PIX: (cents, { pixInCents }) => cents + pixInCents,
  BOLETO: (cents, { boletoCents, boletoInCents }) => cents + boletoCents + boletoInCents,
  CARD: (cents, { feeHundredths }) => grossOf(cents, feeHundredths),
}

/**
 * The least that leaves at least an amount once a card's percentage is taken of it; what no gross leaves is more than any
 * charge may be.
 */
const grossOf = (netCents: number, feeHundredths: number): number => {
  const left = WHOLE_PERCENT - feeHundredths
  if (left <= 0 || netCents / left > MAX_AMOUNT_CENTS / WHOLE_PERCENT) return TOO_MUCH
  // The net is rounded half up, so that half a cent less may do.
  let gross = Math.max(1, truncateRatio(BigInt(netCents - 1) * BigInt(WHOLE_PERCENT), left))
  while (percentHalfUp(gross, left) < netCents) gross += 1
  return gross
}

/** What a link asks of a payer by a method, in cents. Source: decisions.md §9, Links and Edges. */
export const payableCents = (
  { passTransactionFeeToCustomer }: Pick<PaymentLink, 'passTransactionFeeToCustomer'>,
  method: LinkMethod,
  amountCents: number,
  fees: Fees,
): number => (passTransactionFeeToCustomer ? WITH_FEE[method](amountCents, fees) : amountCents)
