import { isLeft, right } from '../../fp.ts'
import { pick } from '../../kernel/input/table.ts'
import { output, view } from '../../kernel/input/view.ts'
import { useCaseOf } from '../../kernel/running/use-case.ts'
import { type Fees, takesWrites } from '../accounts/account.ts'
import { type PayeeWithLogo, payeeOf, payeeWithLogoView } from '../accounts/payee.ts'
import { linkStatusAt, type PaymentLink } from '../links/link/link.ts'
import { type LinkMethod, linkFields } from '../links/link/link-fields.ts'
import { type LinkStatus, linkStatusView } from '../links/link/link-status.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { payableCents } from './link-amount.ts'
import { findOpenLink, type LinkKey, namedLink, openedLink } from './link-state.ts'

/** What a payer is told of a link. */
export type OfferedLink = Pick<
  PaymentLink,
  | 'id'
  | 'title'
  | 'description'
  | 'amountCents'
  | 'currency'
  | 'isVariableAmount'
  | 'minAmountCents'
  | 'maxAmountCents'
  | 'paymentMethods'
  | 'installments'
  | 'successUrl'
  | 'cancelUrl'
>

/** A link as its payer sees it, and whom it pays. */
export interface Checkout extends PayeeWithLogo {
  readonly link: OfferedLink
  readonly status: LinkStatus
  /** What a payer is asked by each method, the account's fee included where they bear it; null where they choose the amount. */
  readonly payableCents: Readonly<Record<LinkMethod, number>> | null
  /** Whether a payer bears the fee. */
  readonly addsFee: boolean
  /** Whether its account takes payments: one that is suspended or closed does not. */
  readonly takesPayments: boolean
}

/** Fails: `link.unknown`, `link.token`, `link.over`, `link.paid`, `link.used-up`. Source: 02-billing.md, Public payer routes. */
export const openLink = (ports: PaymentsPorts) => (by: LinkKey) =>
  useCaseOf<Checkout>()(async () => {
    const steady = ports.clock.steady()
    const opened = openedLink(ports.cipher, await findOpenLink(ports.store, by.id), by, steady)
    if (isLeft(opened)) return opened
    const { link, account } = opened.right
    return right({
      link: offeredOf(link),
      status: linkStatusAt(link, steady),
      ...payeeOf(ports.settings, account),
      payableCents: payableBy(link, account.taxes),
      addsFee: link.passTransactionFeeToCustomer,
      takesPayments: takesWrites(account),
    })
  })

/** Whom a link pays, and for what. */
export interface LinkPayee extends PayeeWithLogo {
  readonly title: string
}

/** Fails: `link.unknown`, `link.token`. Source: decisions.md §3, Payment link. */
export const linkPayee = (ports: PaymentsPorts) => (by: LinkKey) =>
  useCaseOf<LinkPayee>()(async () => {
    const named = namedLink(ports.cipher, await findOpenLink(ports.store, by.id), by)
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

const offeredOf = (link: PaymentLink): OfferedLink => ({
  id: link.id,
  title: link.title,
  description: link.description,
  amountCents: link.amountCents,
  currency: link.currency,
  isVariableAmount: link.isVariableAmount,
  minAmountCents: link.minAmountCents,
  maxAmountCents: link.maxAmountCents,
  paymentMethods: link.paymentMethods,
  installments: link.installments,
  successUrl: link.successUrl,
  cancelUrl: link.cancelUrl,
})

const offeredView = view(
  'OfferedPaymentLink',
  {
    ...pick(linkFields, 'title', 'description', 'amountCents', 'currency', 'isVariableAmount', 'minAmountCents'),
    ...pick(linkFields, 'maxAmountCents', 'paymentMethods', 'installments'),
    status: output.view(linkStatusView, { about: 'Situação' }),
  },
  ({ link, status }: Checkout) => ({ ...link, status }),
)

/** Source: 02-billing.md, Public payer routes. */
export const checkoutView = view(
  'Checkout',
  {
    paymentLink: output.view(offeredView, { about: 'O link' }),
    account: output.view(payeeWithLogoView, { about: 'Quem recebe' }),
  },
  (checkout: Checkout) => ({ paymentLink: checkout, account: checkout }),
)
