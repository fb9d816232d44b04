import type { CodesOf, Failure } from '../../../../core/failure.ts'
import { isLeft, left, right } from '../../../../core/fp.ts'
import type { UseCase } from '../../../../core/kernel/running/use-case.ts'
import { endOfSentence } from '../../../../core/payments/accounts/views.ts'
import type { LinkPayee } from '../../../../core/payments/checkout/open-link.ts'
import type { Payments } from '../../../../core/payments/payments.ts'
import { ERROR_CODE } from '../../../http/headers.ts'
import { html, pageKind, upFrom } from '../../../http/pages/page.ts'
import type { HttpRequest } from '../../../http/request.ts'
import { linkMessages } from '../../messages.ts'
import { linkKeyOf } from '../link-key.ts'
import { CHECKOUT_STYLE } from './checkout-style.ts'
import { ownAddress, payeeHtml } from './payee.ts'

const kind = pageKind({
  style: `${CHECKOUT_STYLE}.sum .label { margin-bottom: .25rem }\n.sum h2 { font-size: 1.25rem }\n`,
  allows: ["img-src 'self' data:"],
})

export const endedHeaders = ({ end }: EndedLink) => ({ ...kind.headers, [ERROR_CODE]: end })

const { failures } = linkMessages

const another = (name: string): string =>
  `Se você já pagou, não é preciso fazer mais nada. Se ainda precisa pagar, peça outro link a ${endOfSentence(name)}`

/** Why a link takes no payments, by the failure that says so, and what its payer may do. */
const ENDS = {
  'link.over': { ...failures['link.over'], help: another },
  'link.paid': {
    ...failures['link.paid'],
    help: (name: string) =>
      `Se foi você quem pagou, não é preciso fazer mais nada. Se não foi, fale com ${endOfSentence(name)}`,
  },
  'link.used-up': { ...failures['link.used-up'], help: another },
  'organization.inactive': {
    status: 403,
    message: 'Esta conta não está recebendo pagamentos.',
    help: (name: string) =>
      `Nada foi cobrado agora. Para pagar de outro modo, ou se você já pagou, fale com ${endOfSentence(name)}`,
  },
} as const

type End = keyof typeof ENDS

/** The codes of links that take no payments. */
export const END_CODES = Object.keys(ENDS)

/** A link that takes no payments, as it is shown to who has its token. */
export interface EndedLink extends LinkPayee {
  readonly end: End
  readonly publicUrl: string
}

export const isEnded = (shown: object): shown is EndedLink => 'end' in shown

const goesOn = <C extends string, I extends string>(fault: Failure<C, I>): fault is Failure<Exclude<C, End>, I> =>
  !(fault.code in ENDS)

/** What a request by a link comes to: where the link takes no payments, that is shown, with whom it would have paid. */
export const unlessEnded =
  <V, C extends string, I extends string>(
    core: Payments,
    request: HttpRequest,
    tried: UseCase<V, C, I>,
  ): UseCase<V | EndedLink, Exclude<C, End> | CodesOf<Payments['checkout']['payee']>, I> =>
  async () => {
    const given = await tried()
    if (!isLeft(given)) return given
    const fault = given.left
    if (goesOn(fault)) return left(fault)
    const found = await core.checkout.payee(linkKeyOf(request))()
    const { publicUrl } = core.ports.settings
    return isLeft(found) ? found : right({ ...found.right, end: fault.code as End, publicUrl })
  }

export const endedStatus = ({ end }: EndedLink): number => ENDS[end].status

export const endedPage = ({ end, account, logoUrl, title, publicUrl }: EndedLink, path: string): string => {
  const { message, help } = ENDS[end]
  const heading = message.replace(/\.$/, '')
  const logo = logoUrl && ownAddress(publicUrl, upFrom(path), logoUrl)
  return kind.page({
    title: `${heading}: pagamento para ${account.name}`,
    body: html`${payeeHtml({ account, logo, what: 'Pagamento para' })}
<div class="card sum">
<p class="label">${title}</p>
<h2>${heading}</h2>
<p>${help(account.name)}</p>
</div>`,
  })
}
