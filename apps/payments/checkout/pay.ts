import { type CodesOf, type Failure, isLeft, left, right } from '../../../core/failure.ts'
import type { UseCase } from '../../../core/kernel/running/use-case.ts'
import { endOfSentence } from '../../../core/payments/accounts/views.ts'
import type { LinkPayee } from '../../../core/payments/checkout/open-link.ts'
import type { Payments } from '../../../core/payments/payments.ts'
import { ERROR_CODE } from '../../http/headers.ts'
import { html } from '../../http/pages/html.ts'
import { PAGE_TYPE, pageTemplate, relativeRoot } from '../../http/pages/page.ts'
import { text } from '../../http/replies/raw-reply.ts'
import type { HttpRequest } from '../../http/request.ts'
import type { AnyRow } from '../../http/rows/row.ts'
import { route, succeedWith } from '../api.ts'
import { ISSUE_ERRORS } from '../charges/charges.ts'
import { texts } from '../messages.ts'
import { linkKeyOf, linkQuery, linkRequestExample } from './checkout.ts'
import { CHECKOUT_STYLE, ownAddress, payeeHtml } from './page-parts.ts'
import {
  checkSendable,
  type FormResult,
  openForm,
  payByForm,
  payForm,
  type ShownForm,
  typedFieldsOf,
} from './pay-form.ts'
import { PAY_PAGE_HEADERS, payPage } from './pay-page.ts'

const template = pageTemplate({
  style: `${CHECKOUT_STYLE}.sum .label { margin-bottom: .25rem }\n.sum h2 { font-size: 1.25rem }\n`,
  allows: ["img-src 'self' data:"],
})

const { failures } = texts

const askForAnotherLink = (name: string): string =>
  `Se você já pagou, não é preciso fazer mais nada. Se ainda precisa pagar, peça outro link a ${endOfSentence(name)}`

/** The failures of a link that takes no payments, with the advice to its payer. */
const ENDS = {
  'link.over': { ...failures['link.over'], help: askForAnotherLink },
  'link.paused': {
    ...failures['link.paused'],
    help: (name: string) => `Nada foi cobrado agora. Tente de novo mais tarde, ou fale com ${endOfSentence(name)}`,
  },
  'link.paid': {
    ...failures['link.paid'],
    help: (name: string) =>
      `Se foi você quem pagou, não é preciso fazer mais nada. Se não foi, fale com ${endOfSentence(name)}`,
  },
  'link.used-up': { ...failures['link.used-up'], help: askForAnotherLink },
  'organization.inactive': {
    status: 403,
    message: 'Esta conta não está recebendo pagamentos.',
    help: (name: string) =>
      `Nada foi cobrado agora. Para pagar de outro modo, ou se você já pagou, fale com ${endOfSentence(name)}`,
  },
} as const

type End = keyof typeof ENDS

const END_CODES = Object.keys(ENDS)

/** A link that takes no payments, for a payer who has its token. */
interface EndedLink extends LinkPayee {
  readonly end: End
  readonly publicUrl: string
}

const isEnded = (shown: object): shown is EndedLink => 'end' in shown

const isOtherFailure = <C extends string, I extends string>(
  fault: Failure<C, I>,
): fault is Failure<Exclude<C, End>, I> => !(fault.code in ENDS)

/** Turns the failure of a link that takes no payments into the value `EndedLink`, with the payee. */
const catchEndedLink =
  <V, C extends string, I extends string>(
    core: Payments,
    request: HttpRequest,
    useCase: UseCase<V, C, I>,
  ): UseCase<V | EndedLink, Exclude<C, End> | CodesOf<Payments['checkout']['payee']>, I> =>
  async () => {
    const result = await useCase()
    if (!isLeft(result)) return result
    const fault = result.left
    if (isOtherFailure(fault)) return left(fault)
    const found = await core.checkout.payee(linkKeyOf(request))()
    const { publicUrl } = core.ports.settings
    return isLeft(found) ? found : right({ ...found.right, end: fault.code as End, publicUrl })
  }

const endedPage = ({ end, account, logoUrl, title, publicUrl }: EndedLink, path: string): Uint8Array => {
  const { message, help } = ENDS[end]
  const heading = message.replace(/\.$/, '')
  const logo = logoUrl && ownAddress(publicUrl, relativeRoot(path), logoUrl)
  return template.page({
    title: `${heading}: pagamento para ${account.name}`,
    body: html`${payeeHtml({ account, logo, what: 'Pagamento para' })}
<div class="card sum">
<p class="label">${title}</p>
<h2>${heading}</h2>
<p>${help(account.name)}</p>
</div>`,
  })
}

const chargePageUrl = (code: string, path: string): string => `${relativeRoot(path)}pay/charge/${code}`

/** The page of a link: its form, or the reason why it takes no payments. */
type LinkPage = ShownForm | EndedLink

const statusOf = (shown: LinkPage) => (isEnded(shown) ? ENDS[shown.end].status : shown.status)
const headersOf = (shown: LinkPage) => {
  if (isEnded(shown)) return { ...template.headers, [ERROR_CODE]: shown.end }
  const { fault, retryAfterSeconds: seconds } = shown
  return {
    ...PAY_PAGE_HEADERS,
    ...(fault !== null && { [ERROR_CODE]: fault }),
    ...(seconds !== undefined && { 'Retry-After': `${seconds}` }),
  }
}
const pageOf = (shown: LinkPage, path: string) =>
  isEnded(shown) ? endedPage(shown, path) : payPage(shown, shown.publicUrl, path)

const shownReply = text<LinkPage>({
  status: statusOf,
  others: [403, 410],
  codes: END_CODES,
  type: PAGE_TYPE,
  headers: headersOf,
  view: (answer, { path }) => pageOf(answer, path),
})

const sentReply = text<FormResult | EndedLink>({
  status: (answer) => ('code' in answer ? 303 : statusOf(answer)),
  others: [400, 403, 410, 422, 429],
  codes: END_CODES,
  type: PAGE_TYPE,
  headers: (answer, { path }) =>
    'code' in answer ? { ...PAY_PAGE_HEADERS, Location: chargePageUrl(answer.code, path) } : headersOf(answer),
  view: (answer, { path }) =>
    'code' in answer
      ? html`<p><a href="${chargePageUrl(answer.code, path)}">Continuar</a></p>`.markup
      : pageOf(answer, path),
})

const payRow = {
  area: 'Páginas',
  paths: ['/pay/:id'],
  parameters: { id: 'Identificador público do link' },
  dialect: 'page',
  auth: 'public',
} as const

// An inactive organization has a page of its own.
const { 'organization.inactive': _, ...issueErrors } = ISSUE_ERRORS

const LINK_ERRORS = {
  'link.unknown': {},
  'link.token': { message: 'O endereço deste pagamento está incompleto.' },
} as const

// The form shows these failures above the typed fields, with status 400.
const ALERT_ERRORS = {
  'bank.unsupported': { status: 400 },
  'key.running': { status: 400 },
  'key.reused': { status: 400 },
  'key.malformed': {},
} as const

/** The page at the `public_url` of a link. */
export const payPageRows: readonly AnyRow[] = [
  route({
    ...payRow,
    name: 'checkout.pay-page',
    summary: 'Página em que se paga por um link',
    record: ({ core, request }) => catchEndedLink(core, request, openForm(core, request)),
    input: { query: linkQuery },
    run: ({ record }) => succeedWith(record),
    reply: shownReply,
    errors: LINK_ERRORS,
    example: { given: 'publicLink', request: linkRequestExample },
  }),
  route({
    ...payRow,
    name: 'checkout.pay-by-page',
    summary: 'Paga o que foi preenchido na página',
    methods: ['POST'],
    // A post from another site is harmless: no cookie is read, and the link's token is required.
    body: { kinds: ['form'] },
    record: ({ core, request }) => catchEndedLink(core, request, checkSendable(core, request)),
    input: { query: linkQuery, body: payForm },
    run: ({ core, request, record }, { body }) =>
      record ? succeedWith(record) : catchEndedLink(core, request, payByForm(core, request, typedFieldsOf(body))),
    reply: { ...sentReply, doc: { ...sentReply.doc, status: 303 } },
    errors: { 'link.processing': {}, 'link.throttled': {}, ...issueErrors, ...ALERT_ERRORS, ...LINK_ERRORS },
    example: {
      given: 'publicLink',
      request: {
        ...linkRequestExample,
        body: { payment_method: 'PIX', name: 'Maria da Silva', email: 'maria@example.com', document: '123.456.789-09' },
      },
    },
  }),
]
