import { type Failure, failure, type Issue, invalid } from '../../failure.ts'
import { isLeft, left } from '../../fp.ts'
import { type Change, patch } from '../../kernel/records/change.ts'
import { all, eq, has } from '../../kernel/records/where.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'
import { accept } from '../../kernel/running/use-case.ts'
import { addDays } from '../../kernel/values/day.ts'
import { takesWrites } from '../accounts/account.ts'
import { cardOf } from '../cards/card.ts'
import { type Charge, charges } from '../charges/charge.ts'
import {
  type Asked,
  type BegunCharge,
  type ChargeFacts,
  countedTry,
  makeCharge,
} from '../charges/issue/decide-charge.ts'
import { type LinkPlaces, takeLinkPlaces } from '../charges/link-places.ts'
import { links, type PaymentLink, USED } from '../links/link/link.ts'
import { isUsedUp } from '../links/link/link-uses.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { payableCents } from './link-amount.ts'
import { addOpen, mayOpenMore, type PayerFacts, sameCharge } from './link-payer.ts'
import { amountOf, type CheckedPayment, linkIssues } from './link-payment.ts'
import { type LinkKey, type OpenLink, openedLink } from './link-state.ts'

/** What a payment is decided on. */
export interface PaymentFacts {
  readonly open: OpenLink | null
  readonly charge: ChargeFacts
  readonly payer: PayerFacts
  readonly places: LinkPlaces
}

/** A payment that begins a charge, or gets the open one that its payer has. */
export type BegunPayment = BegunCharge | { readonly intent: string; readonly isOpen: true }

type DecidingPorts = Parameters<typeof makeCharge>[0] & Pick<PaymentsPorts, 'cipher' | 'settings'>

export const METHODS = { PIX: 'PIX', BOLETO: 'BOLETO', CARD: 'CREDIT_CARD' } as const
/** How long a payer has for a boleto. Source: decisions.md §9, Links. */
const BOLETO_DAYS = 3

const PROCESSING = failure('refused', 'link.processing')
const INACTIVE = failure('forbidden', 'organization.inactive')

/**
 * Decides on a charge of the link's account, as its creator would issue it, if the link accepts the payment. A payer whose open
 * charge has the same method and amount gets that one. Of limited uses a payment by card holds one while it is not decided, so that
 * the last is not sold twice.
 */
export const decidePayment = (
  ports: DecidingPorts,
  { open, charge: facts, payer, places }: PaymentFacts,
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
  const wanted = chargeAsked(opened.right, asked, fresh)
  const same = sameCharge(payer, wanted, fresh.steady)
  if (same) return accept<BegunPayment>({ intent: `${same.id}`, isOpen: true }, ...veiled(same))
  const held = heldUses(opened.right, asked)
  if (held === null) return left(PROCESSING)
  const issuer = { userId: link.createdBy, accountId: link.accountId }
  const more = mayOpenMore(payer, fresh.steady)
  if (isLeft(more)) return more
  const placed = takeLinkPlaces(ports, places, { accountId: link.accountId, linkId: link.id }, fresh)
  if (isLeft(placed)) return placed
  const tried = countedTry(facts, fresh)
  if (isLeft(tried)) return tried
  const made = makeCharge(ports, facts, issuer, { ...wanted, linkPlace: placed.right.place }, fresh, tried.right)
  if (isLeft(made)) return left(asSent(made.left))
  const { begun, charge, changes } = made.right
  const guards = [...placed.right.changes, ...addOpen(payer, more.right, charge, fresh)]
  return accept<BegunPayment>(begun, ...changes, ...firstUse(link, asked), ...held, ...guards)
}

/** A payer who is named again is a known one: their data is shown no more. */
const veiled = ({ id, status, isVeiled }: Charge): readonly Change[] =>
  isVeiled ? [] : [patch(charges, id, { set: { isVeiled: true }, when: eq('status', status) })]

/** The request of a link's charge: the default discount of the account does not apply to the price of a link. */
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

/** Names the wrong fields of a charge as the payer sent them. */
const asSent = <C extends string, I extends string>(wrong: Failure<C, I>): Failure<C, I> =>
  wrong.tag === 'invalid' ? { ...wrong, issues: wrong.issues.map(named) } : wrong

const named = <I extends string>(found: Issue<I>): Issue<I> =>
  found.path === 'valueCents' ? { ...found, path: 'amountCents' } : found
