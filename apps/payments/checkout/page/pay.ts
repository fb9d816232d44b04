import { input } from '../../../../core/kernel/input/input.ts'
import { html } from '../../../http/pages/html.ts'
import { PAGE_TYPE } from '../../../http/pages/page.ts'
import { upFrom } from '../../../http/pages/up-from.ts'
import { text } from '../../../http/replies/raw-reply.ts'
import type { AnyRow } from '../../../http/rows/row.ts'
import { route } from '../../api.ts'
import { ISSUE_ERRORS } from '../../charges/issue-errors.ts'
import { linkExample } from '../../links/link-example.ts'
import { shown } from '../../shown.ts'
import { linkTokenQuery } from '../link-key.ts'
import { mayBeSent, openForm, payBy, type Sent, type ShownForm } from './pay-by-form.ts'
import { payForm, typedIn } from './pay-form.ts'
import { PAY_PAGE_HEADERS, payPage } from './pay-page.ts'

const location = (code: string, path: string): string => `${upFrom(path)}pay/charge/${code}`

const reply = text<Sent>({
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
  'organization.inactive': { message: 'Esta conta não está recebendo pagamentos.' },
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
    record: ({ core, request }) => openForm(core, request),
    input: { query: tokenQuery },
    run: ({ record }) => shown(record),
    reply: text<ShownForm>({
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
    record: ({ core, request }) => mayBeSent(core, request),
    input: { query: tokenQuery, body: payForm },
    run: ({ core, request }, { body }) => payBy(core, request, typedIn(body)),
    reply: { ...reply, doc: { ...reply.doc, status: 303 } },
    errors: { 'link.processing': {}, ...ISSUE_ERRORS, ...LINK_ERRORS },
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
