import { type Either, failure, isLeft, left, right } from '../../failure.ts'
import { output, pick, view } from '../../kernel/input/mod.ts'
import { useCaseOf } from '../../kernel/running/use-case.ts'
import type { Instant } from '../../kernel/values/day.ts'
import { MAX_AMOUNT_CENTS, percentHalfUp, truncateRatio, WHOLE_PERCENT } from '../../kernel/values/money.ts'
import type { Cipher } from '../../ports/runtime.ts'
import { byId, type Store } from '../../ports/store.ts'
import { type Account, acceptsWrites, accounts, type Fees, isExisting } from '../accounts/account.ts'
import { type PayeeWithLogo, payeeOf, payeeWithLogoView } from '../accounts/views.ts'
import {
  isUsedUp,
  type LinkMethod,
  type LinkStatus,
  linkFields,
  linkStatusAt,
  linkStatusView,
  links,
  matchesToken,
  type PaymentLink,
  processingQuery,
  usesByLink,
  usesQueries,
} from '../links/link.ts'
import { findLink, NO_LINK, type UsedLink } from '../links/read-link.ts'
import type { Origin, PaymentsPorts } from '../payments-ports.ts'

/** The credentials of a payer: the public id of a link, and its token. */
export interface LinkKey {
  readonly id: string
  /** Null if none was sent. */
  readonly token: string | null
  /** The caller's address, for the limits per address; callers without one share a limit. */
  readonly origin?: Origin | null
}

/** A link with its uses and its account, read at the same instant. */
export interface OpenLink extends UsedLink {
  readonly account: Account
  /** The number of undecided card payments. */
  readonly processing: number
}

/** Finds a link by its public id alone; null if the link or its account was removed. */
export const findOpenLink = async (store: Store, id: string): Promise<OpenLink | null> => {
  const known = await findLink(store, id)
  if (!known) return null
  const { accountId } = known
  const { link, account, paid, received, processing } = await store.read({
    link: byId(links, id),
    account: byId(accounts, accountId),
    ...usesQueries(accountId, [id]),
    processing: processingQuery(accountId, id),
  })
  if (link?.removedAt !== null || !isExisting(account)) return null
  return { link, account, uses: usesByLink({ paid, received })(id), processing: processing[0]?.count ?? 0 }
}

const WRONG_TOKEN = failure('unauthorized', 'link.token')
const EXPIRED = failure('gone', 'link.over')
const PAUSED = failure('forbidden', 'link.paused')
const PAID = failure('gone', 'link.paid')
const USED_UP = failure('gone', 'link.used-up')

type LinkCipher = Pick<Cipher, 'open' | 'digest'>
type TokenOnly = Pick<LinkKey, 'token'>

/** Checks the token of a link in any status. Fails: `link.unknown`, `link.token`. */
const authenticateLink = (
  cipher: LinkCipher,
  found: OpenLink | null,
  { token }: TokenOnly,
): Either<typeof NO_LINK | typeof WRONG_TOKEN, OpenLink> => {
  if (!found) return left(NO_LINK)
  return token !== null && matchesToken(cipher, found.link, token) ? right(found) : left(WRONG_TOKEN)
}

type LinkFailure = typeof NO_LINK | typeof WRONG_TOKEN | typeof EXPIRED | typeof PAUSED | typeof PAID | typeof USED_UP

/**
 * Checks the token of a link, and that it still accepts payments. Fails: `link.unknown`, `link.token`, `link.over`
 * (expired), `link.paused`, `link.paid` (a link of one use), `link.used-up`.
 */
export const requireOpenLink = (
  cipher: LinkCipher,
  found: OpenLink | null,
  by: TokenOnly,
  now: Instant,
): Either<LinkFailure, OpenLink> => {
  const named = authenticateLink(cipher, found, by)
  if (isLeft(named)) return named
  const { link, uses } = named.right
  // A used-up link is reported as such even if it has expired since.
  if (isUsedUp(link, uses)) return left(link.maxUses === 1 ? PAID : USED_UP)
  const status = linkStatusAt(link, now)
  if (status === 'paused') return left(PAUSED)
  return status === 'expired' ? left(EXPIRED) : named
}

/** The fields of a link that its payer sees. */
const OFFERED = [
  ...(['id', 'title', 'description', 'amountCents', 'currency', 'isVariableAmount', 'minAmountCents'] as const),
  ...(['maxAmountCents', 'paymentMethods', 'installments', 'successUrl', 'cancelUrl'] as const),
] as const

export type OfferedLink = Pick<PaymentLink, (typeof OFFERED)[number]>

/** A link and its payee, for a payer. */
export interface Checkout extends PayeeWithLogo {
  readonly link: OfferedLink
  readonly status: LinkStatus
  /** The amount by method, the account's fee included if the payer bears it; null if the payer chooses the amount. */
  readonly payableCents: Readonly<Record<LinkMethod, number>> | null
  /** True if the payer bears the fee. */
  readonly addsFee: boolean
  /** False if the account is suspended or closed. */
  readonly takesPayments: boolean
}

export const openLink = (ports: PaymentsPorts) => (by: LinkKey) =>
  useCaseOf<Checkout>()(async () => {
    const steady = ports.clock.steady()
    const opened = requireOpenLink(ports.cipher, await findOpenLink(ports.store, by.id), by, steady)
    if (isLeft(opened)) return opened
    const { link, account } = opened.right
    return right({
      link: pick(link, ...OFFERED),
      status: linkStatusAt(link, steady),
      ...payeeOf(ports.settings, account),
      payableCents: payableBy(link, account.taxes),
      addsFee: link.passTransactionFeeToCustomer,
      takesPayments: acceptsWrites(account),
    })
  })

/** The payee and the title of a link. */
export interface LinkPayee extends PayeeWithLogo {
  readonly title: string
}

export const linkPayee = (ports: PaymentsPorts) => (by: LinkKey) =>
  useCaseOf<LinkPayee>()(async () => {
    const named = authenticateLink(ports.cipher, await findOpenLink(ports.store, by.id), by)
    if (isLeft(named)) return named
    const { link, account } = named.right
    return right({ title: link.title, ...payeeOf(ports.settings, account) })
  })

const payableBy = (link: PaymentLink, fees: Fees): Checkout['payableCents'] => {
  const { isVariableAmount, amountCents } = link
  if (isVariableAmount || amountCents === null) return null
  const by = (method: LinkMethod): number => payableCents(link, method, amountCents, fees)
  return { PIX: by('PIX'), BOLETO: by('BOLETO'), CARD: by('CARD') }
}

const offeredView = view(
  'OfferedPaymentLink',
  {
    ...pick(linkFields, 'title', 'description', 'amountCents', 'currency', 'isVariableAmount', 'minAmountCents'),
    ...pick(linkFields, 'maxAmountCents', 'paymentMethods', 'installments'),
    status: output.view(linkStatusView, { about: 'Situação' }),
  },
  ({ link, status }: Checkout) => ({ ...link, status }),
)

export const checkoutView = view(
  'Checkout',
  {
    paymentLink: output.view(offeredView, { about: 'O link' }),
    account: output.view(payeeWithLogoView, { about: 'Quem recebe' }),
  },
  (checkout: Checkout) => ({ paymentLink: checkout, account: checkout }),
)

/** A value that no charge may have. */
const ABOVE_MAX_CENTS = MAX_AMOUNT_CENTS + 1

/** Adds the fee to an amount, by method, so that the account nets the amount. */
const WITH_FEE: Readonly<Record<LinkMethod, (cents: number, fees: Fees) => number>> = {
  PIX: (cents, { pixInCents }) => cents + pixInCents,
  BOLETO: (cents, { boletoCents, boletoInCents }) => cents + boletoCents + boletoInCents,
  CARD: (cents, { feeHundredths }) => grossOf(cents, feeHundredths),
}

/** Returns the least gross value that nets an amount after a card's percentage; `ABOVE_MAX_CENTS` if none does. */
const grossOf = (netCents: number, feeHundredths: number): number => {
  const left = WHOLE_PERCENT - feeHundredths
  if (left <= 0 || netCents / left > MAX_AMOUNT_CENTS / WHOLE_PERCENT) return ABOVE_MAX_CENTS
  // The net is rounded half up, so the search starts half a cent lower.
  let gross = Math.max(1, truncateRatio(BigInt(netCents - 1) * BigInt(WHOLE_PERCENT), left))
  while (percentHalfUp(gross, left) < netCents) gross += 1
  return gross
}

/** Returns the value that a payer pays by a method, in cents. */
export const payableCents = (
  { passTransactionFeeToCustomer }: Pick<PaymentLink, 'passTransactionFeeToCustomer'>,
  method: LinkMethod,
  amountCents: number,
  fees: Fees,
): number => (passTransactionFeeToCustomer ? WITH_FEE[method](amountCents, fees) : amountCents)
