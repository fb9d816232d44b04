import type { CodesOf, Failure } from '../../../core/failure.ts'
import { isLeft, left, right } from '../../../core/fp.ts'
import { input } from '../../../core/kernel/input/input.ts'
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
import { linkExample } from '../links.ts'
import { linkMessages } from '../messages.ts'
import { linkKeyOf, linkTokenQuery } from './checkout.ts'
import { CHECKOUT_STYLE, ownAddress, payeeHtml } from './page-parts.ts'
import { mayBeSent, openForm, payBy, payForm, type Sent, type ShownForm, typedIn } from './pay-form.ts'
import { PAY_PAGE_HEADERS, payPage } from './pay-page.ts'

const kind = pageTemplate({
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
  const logo = logoUrl && ownAddress(publicUrl, relativeRoot(path), logoUrl)
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

const location = (code: string, path: string): string => `${relativeRoot(path)}pay/charge/${code}`

/** What a link's page shows: its form, or why there is none. */
type Shown = ShownForm | EndedLink

const statusOf = (shown: Shown) => (isEnded(shown) ? endedStatus(shown) : shown.status)
const headersOf = (shown: Shown) => {
  if (isEnded(shown)) return endedHeaders(shown)
  const { fault, retryAfterSeconds: seconds } = shown
  return {
    ...PAY_PAGE_HEADERS,
    ...(fault !== null && { [ERROR_CODE]: fault }),
    ...(seconds !== undefined && { 'Retry-After': `${seconds}` }),
  }
}
const pageOf = (shown: Shown, path: string) =>
  isEnded(shown) ? endedPage(shown, path) : payPage(shown, shown.publicUrl, path)

const shownReply = text<Shown>({
  status: statusOf,
  others: [403, 410],
  codes: END_CODES,
  type: PAGE_TYPE,
  headers: headersOf,
  view: (answer, { path }) => pageOf(answer, path),
})

const sentReply = text<Sent | EndedLink>({
  status: (answer) => ('code' in answer ? 303 : statusOf(answer)),
  others: [400, 403, 410, 422, 429],
  codes: END_CODES,
  type: PAGE_TYPE,
  headers: (answer, { path }) =>
    'code' in answer ? { ...PAY_PAGE_HEADERS, Location: location(answer.code, path) } : headersOf(answer),
  view: (answer, { path }) =>
    'code' in answer
      ? html`<p><a href="${location(answer.code, path)}">Continuar</a></p>`.markup
      : pageOf(answer, path),
})

const page = {
  area: 'Páginas',
  paths: ['/pay/:id'],
  parameters: { id: 'Identificador público do link' },
  dialect: 'page',
  auth: 'public',
} as const

const tokenQuery = input(null, linkTokenQuery)

// A link that takes no payments is shown as a page of its own.
const { 'organization.inactive': _, ...issueErrors } = ISSUE_ERRORS

const LINK_ERRORS = {
  'link.unknown': {},
  'link.token': { message: 'O endereço deste pagamento está incompleto.' },
} as const

// The form shows these with what was typed, as 400.
const ALERTED = {
  'bank.unsupported': { status: 400 },
  'key.running': { status: 400 },
  'key.reused': { status: 400 },
  'key.malformed': {},
} as const

const params = { id: linkExample.id }
const query = { token: 'Rk9vQmFyQmF6UXV4Q29ycmVjdEhvcnNlQmF0dGVyeQ' }

/** What `public_url` of a link opens. Source: decisions.md §3, Payment link; §9, Edges. */
export const payPageRows: readonly AnyRow[] = [
  route({
    ...page,
    name: 'checkout.pay-page',
    summary: 'Página em que se paga por um link',
    methods: ['GET'],
    record: ({ core, request }) => unlessEnded(core, request, openForm(core, request)),
    input: { query: tokenQuery },
    run: ({ record }) => succeedWith(record),
    reply: shownReply,
    errors: LINK_ERRORS,
    example: { given: 'publicLink', request: { params, query }, reply: null },
  }),
  route({
    ...page,
    name: 'checkout.pay-by-page',
    summary: 'Paga o que foi preenchido na página',
    methods: ['POST'],
    // Another site may post here, too, and gains nothing: no cookie is read, and the link's token counts.
    body: { kinds: ['form'] },
    record: ({ core, request }) => unlessEnded(core, request, mayBeSent(core, request)),
    input: { query: tokenQuery, body: payForm },
    run: ({ core, request, record }, { body }) =>
      record ? succeedWith(record) : unlessEnded(core, request, payBy(core, request, typedIn(body))),
    reply: { ...sentReply, doc: { ...sentReply.doc, status: 303 } },
    errors: { 'link.processing': {}, 'link.throttled': {}, ...issueErrors, ...ALERTED, ...LINK_ERRORS },
    example: {
      given: 'publicLink',
      request: {
        params,
        query,
        body: { payment_method: 'PIX', name: 'Maria da Silva', email: 'maria@example.com', document: '123.456.789-09' },
      },
      reply: null,
    },
  }),
]
