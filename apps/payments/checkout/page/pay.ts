import { input } from '../../../../core/kernel/input/input.ts'
import { ERROR_CODE } from '../../../http/headers.ts'
import { html, PAGE_TYPE, upFrom } from '../../../http/pages/page.ts'
import { text } from '../../../http/replies/raw-reply.ts'
import type { AnyRow } from '../../../http/rows/row.ts'
import { route, shown } from '../../api.ts'
import { ISSUE_ERRORS } from '../../charges/issue-errors.ts'
import { linkExample } from '../../links/link-example.ts'
import { linkTokenQuery } from '../link-key.ts'
import { END_CODES, type EndedLink, endedHeaders, endedPage, endedStatus, isEnded, unlessEnded } from './ended-page.ts'
import { mayBeSent, openForm, payBy, type Sent, type ShownForm } from './pay-by-form.ts'
import { payForm, typedIn } from './pay-form.ts'
import { PAY_PAGE_HEADERS, payPage } from './pay-page.ts'

const location = (code: string, path: string): string => `${upFrom(path)}pay/charge/${code}`

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
    run: ({ record }) => shown(record),
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
      record ? shown(record) : unlessEnded(core, request, payBy(core, request, typedIn(body))),
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
