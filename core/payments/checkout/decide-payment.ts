import { type Failure, failure, type Issue, invalid } from '../../failure.ts'
import { isLeft, left, right } from '../../fp.ts'
import { type Change, patch } from '../../kernel/records/change.ts'
import { all, eq, has } from '../../kernel/records/where.ts'
import type { Fresh } from '../../kernel/running/fresh/fresh.ts'
import { addDays } from '../../kernel/values/day.ts'
import { takesWrites } from '../accounts/account.ts'
import { cardOf } from '../cards/card.ts'
import { type Asked, type ChargeFacts, decideCharge } from '../charges/issue/decide-charge.ts'
import { links, type PaymentLink, USED } from '../links/link/link.ts'
import { isUsedUp } from '../links/link/link-uses.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { payableCents } from './link-amount.ts'
import { amountOf, type CheckedPayment, linkIssues } from './link-payment.ts'
import { type LinkKey, type OpenLink, openedLink } from './link-state.ts'

/** What a payment is decided on. */
export interface PaymentFacts {
  readonly open: OpenLink | null
  readonly charge: ChargeFacts
}

type DecidingPorts = Parameters<typeof decideCharge>[0] & Pick<PaymentsPorts, 'cipher'>

export const METHODS = { PIX: 'PIX', BOLETO: 'BOLETO', CARD: 'CREDIT_CARD' } as const
/** How long a payer has for a boleto. Source: decisions.md §9, Links. */
const BOLETO_DAYS = 3

const PROCESSING = failure('refused', 'link.processing')
const INACTIVE = failure('forbidden', 'organization.inactive')

/**
 * A charge of the link's account, as its creator would issue it, where the link lets its payer pay so. Of limited uses a payment
 * by card holds one while it is not decided, so that the last is not sold twice.
 */
export const decidePayment = (
  ports: DecidingPorts,
  { open, charge: facts }: PaymentFacts,
  by: LinkKey,
  asked: CheckedPayment,
  fresh: Fresh,
) => {
  const opened = openedLink(ports.cipher, open, by, fresh.steady)
  if (isLeft(opened)) return opened
  const { link, account } = opened.right
  if (!takesWrites(account)) return left(INACTIVE)
  const issues = linkIssues(link, asked)
  if (issues.length > 0) return left(invalid(issues))
  const held = heldUses(opened.right, asked)
  if (held === null) return left(PROCESSING)
  const issuer = { userId: link.createdBy, accountId: link.accountId }
  const made = decideCharge(ports, facts, issuer, chargeAsked(opened.right, asked, fresh), fresh)
  if (isLeft(made)) return left(asSent(made.left))
  const { changes, value } = made.right
  return right({ value, changes: [...changes, ...firstUse(link, asked), ...held] })
}

/** What is asked of the account: the discount that it gives by default is none of a price that is its own. */
export const chargeAsked = (
  { link, account }: OpenLink,
  asked: CheckedPayment,
  { today }: Pick<Fresh, 'today'>,
): Asked => {
  const { paymentMethod, payer, address, card, installments } = asked
  const isCard = paymentMethod === 'CARD'
  return {
    valueCents: payableCents(link, paymentMethod, amountOf(link, asked), account.taxes),
    paymentMethod: METHODS[paymentMethod],
    dueDate: paymentMethod === 'BOLETO' ? addDays(today, BOLETO_DAYS) : today,
    payer,
    address,
    card: isCard && card ? cardOf(card) : null,
    installments: isCard ? (installments ?? 1) : null,
    linkId: link.id,
    webhook: link.webhookUrl,
    description: link.title,
    discountHundredths: 0,
    ...NOT_SAID,
  }
}

const NOT_SAID = {
  details: null,
  instructions: null,
  amountRateHundredths: null,
  typeRate: null,
  typeDiscount: null,
  daysDiscount: null,
  chargeGroupId: null,
  paymentPlanId: null,
}

/**
 * What keeps a use for a payment by card; null where cards that are not decided yet hold all that are left. Nothing else keeps
 * one: what is paid by Pix or boleto is taken whenever it comes.
 */
const heldUses = (
  { link, uses, processing }: OpenLink,
  { paymentMethod }: CheckedPayment,
): readonly Change[] | null => {
  const { id, maxUses, cardPayments } = link
  if (isUsedUp(link, { ...uses, usesCount: uses.usesCount + processing })) return null
  if (paymentMethod !== 'CARD' || maxUses === null) return []
  const when = all<Field>(eq('cardPayments', cardPayments), eq('maxUses', maxUses), eq('removedAt', null))
  return [patch(links, id, { add: { cardPayments: 1 }, when })]
}

type Field = keyof PaymentLink & string

/** The first payment by a method keeps it on the link. */
const firstUse = (link: PaymentLink, { paymentMethod }: CheckedPayment): readonly Change[] => {
  const used = USED[paymentMethod]
  if (link[used]) return []
  const when = all<Field>(has('paymentMethods', paymentMethod), eq('removedAt', null))
  return [patch(links, link.id, { set: { [used]: true }, when })]
}

/**
 * What is wrong with the charge by the names of what the payer sent. That the account cannot pay what issuing costs is nobody's
 * business but its own: to a payer this method is not there.
 */
const asSent = <C extends string, I extends string>(wrong: Failure<C, I>): Failure<C | 'bank.unsupported', I> => {
  if (wrong.tag !== 'invalid') return wrong
  const isShort = wrong.issues.some(({ code }) => code === 'balance.fee')
  return isShort ? UNSUPPORTED : { ...wrong, issues: wrong.issues.map(named) }
}

const UNSUPPORTED = failure('refused', 'bank.unsupported')

const named = <I extends string>(found: Issue<I>): Issue<I> =>
  found.path === 'valueCents' ? { ...found, path: 'amountCents' } : found
