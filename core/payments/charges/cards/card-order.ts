import type { Fresh } from '../../../kernel/running/fresh.ts'
import { addSeconds, type Instant } from '../../../kernel/values/day.ts'
import type { CardNumber, CardOrder } from '../../../ports/acquirer.ts'
import type { Cipher } from '../../../ports/runtime.ts'
import type { Account } from '../../accounts/account.ts'
import { CALL_SECONDS, newOperation, type Operation, subjectOf } from '../../bank/operation.ts'
import type { Card } from '../../cards/card.ts'
import { type Charge, charges } from '../charge.ts'

/** The kind of the operations that charge a card; each is known at the acquirer by its charge's code. */
export const CHARGE_CARD = 'charge-card'
/** How long the acquirer may take: longer than one call's time-out. */
export const CARD_LEASE_SECONDS = 60

/** What is kept of an order: neither the card's number nor its code. */
export interface KeptCardOrder extends CardOrder {
  /** From when on what the acquirer does not know will not arrive there any more. */
  readonly lostAt: Instant
}

/** Whether what is sent now arrives before it counts as lost: whoever begins may have been held up for long. */
export const maySend = ({ lostAt }: Pick<KeptCardOrder, 'lostAt'>, now: Instant): boolean =>
  now < addSeconds(lostAt, -CALL_SECONDS)

/** A charge with what was asked of its card. */
export type CardCharge = Charge & { readonly card: NonNullable<Charge['card']> }

export const isOfCard = (charge: Charge): charge is CardCharge => charge.card !== null

/** What the acquirer is asked for a charge, and the operation by which it is. */
export const newCardOperation = (
  cipher: Pick<Cipher, 'seal'>,
  { id, accountId, code, card }: CardCharge,
  { name: payeeName }: Pick<Account, 'name'>,
  fresh: Fresh,
): { readonly order: KeptCardOrder; readonly operation: Operation } => {
  const { brand, last4, installments, valueCents } = card
  const lostAt = addSeconds(fresh.now, CARD_LEASE_SECONDS)
  const order = { id: code, valueCents, installments, brand, last4, payeeName, lostAt }
  const given = { id: code, accountId, kind: CHARGE_CARD, subject: subjectOf(charges, id) }
  return { order, operation: newOperation<KeptCardOrder>(cipher, { ...given, order, dueAt: lostAt }, fresh) }
}

/** The card itself, as the acquirer is told of it. */
export const cardNumberOf = ({
  cardNumber,
  cvv,
  expiryMonth,
  expiryYear,
  cardholderName,
  document,
}: Card): CardNumber => ({
  number: cardNumber,
  cvv,
  expiryMonth,
  expiryYear,
  holder: cardholderName,
  document,
})
