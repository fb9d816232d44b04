import { isLeft, right } from '../../../../core/fp.ts'
import { input } from '../../../../core/kernel/input/input.ts'
import { mapped, useCaseOf } from '../../../../core/kernel/running/use-case.ts'
import { dayOf } from '../../../../core/kernel/values/day.ts'
import type { Checkout } from '../../../../core/payments/checkout/open-link.ts'
import type { Payments } from '../../../../core/payments/payments.ts'
import { html } from '../../../http/pages/html.ts'
import { PAGE_TYPE } from '../../../http/pages/page.ts'
import { upFrom } from '../../../http/pages/up-from.ts'
import { text } from '../../../http/replies/raw-reply.ts'
import type { HttpRequest } from '../../../http/request/http-request.ts'
import type { AnyRow } from '../../../http/rows/row.ts'
import { route } from '../../api.ts'
import { ISSUE_ERRORS } from '../../charges/issue-errors.ts'
import { linkExample } from '../../links/link-example.ts'
import { linkKeyOf, linkTokenQuery } from '../link-key.ts'
import type { Typed } from './pay-fields.ts'
import { alertFor, payForm, paymentIn, typedIn, wrongFields } from './pay-form.ts'
import { PAY_PAGE_HEADERS, type PayForm, payPage } from './pay-page.ts'

/** The form, as it is first seen or with what is wrong; or the charge that came of it. */
type Answer = (PayForm & { readonly publicUrl: string; readonly status: number }) | { readonly code: string }

/** What was typed is a payment by the same use case as that of the API, answered by pages. */
const payBy = (core: Payments, request: HttpRequest, checkout: Checkout, typed: Typed) =>
  useCaseOf<Answer>()(async (hooks) => {
    const { clock, settings } = core.ports
    const form = { checkout, typed, wrong: {}, alert: null, publicUrl: settings.publicUrl }
    const asked = paymentIn(typed, dayOf(clock.steady()))
    if (isLeft(asked)) return right({ ...form, wrong: wrongFields(asked.left), status: 422 })
    const paid = mapped(core.checkout.pay(linkKeyOf(request), asked.right), ({ charge }): Answer => charge)
    const done = await paid(hooks)
    if (!isLeft(done)) return done
    if (done.left.tag === 'invalid') return right({ ...form, wrong: wrongFields(done.left.issues), status: 422 })
    const alert = alertFor(done.left)
    return alert === null ? done : right({ ...form, alert, status: 400 })
  })

const location = (code: string, path: string): string => `${upFrom(path)}pay/charge/${code}`

const reply = text<Answer>({
  status: (answer) => ('code' in answer ? 303 : answer.status),
  others: [400, 422],
  type: PAGE_TYPE,
  headers: (answer, { path }) =>
    'code' in answer ? { ...PAY_PAGE_HEADERS, Location: location(answer.code, path) } : PAY_PAGE_HEADERS,
  view: (answer, { path }) =>
    'code' in answer
      ? html`<p><a href="${location(answer.code, path)}">Continuar</a></p>`.markup
      : payPage(answer, answer.publicUrl, path),
})

const page = {
  area: 'Páginas',
  paths: ['/pay/:id'],
  parameters: { id: 'Identificador público do link' },
  dialect: 'page',
  auth: 'public',
} as const

const tokenQuery = input(null, linkTokenQuery)

const LINK_ERRORS = {
  'link.unknown': {},
  'link.token': { message: 'O endereço deste pagamento está incompleto.' },
  'link.over': {},
  'link.paid': {},
  'link.used-up': {},
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
    record: ({ core, request }) => core.checkout.open(linkKeyOf(request)),
    input: { query: tokenQuery },
    run:
      ({ core, record: checkout }) =>
      async () =>
        right({ checkout, typed: {}, wrong: {}, alert: null, publicUrl: core.ports.settings.publicUrl }),
    reply: text<PayForm & { readonly publicUrl: string }>({
      type: PAGE_TYPE,
      headers: PAY_PAGE_HEADERS,
      view: (form, { path }) => payPage(form, form.publicUrl, path),
    }),
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
    record: ({ core, request }) => core.checkout.open(linkKeyOf(request)),
    input: { query: tokenQuery, body: payForm },
    run: ({ core, request, record }, { body }) => payBy(core, request, record, typedIn(body)),
    reply: { ...reply, doc: { ...reply.doc, status: 303 } },
    errors: {
      ...LINK_ERRORS,
      'link.processing': {},
      ...ISSUE_ERRORS,
      'organization.inactive': { message: 'Esta conta não está recebendo pagamentos.' },
    },
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
