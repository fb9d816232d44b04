import { paging } from '../../core/kernel/input/mod.ts'
import type { Json } from '../../core/kernel/records/record.ts'
import { chargeView } from '../../core/payments/charges/detail.ts'
import {
  createdLinkView,
  fullLinkView,
  type LinkDetail,
  linkFilter,
  linkView,
  type PageOfLinks,
  summaryBeside,
} from '../../core/payments/links/read-link.ts'
import { linkChange, newLink } from '../../core/payments/links/write-link.ts'
import { json, page } from '../http/replies/json-reply.ts'
import type { AnyRow } from '../http/rows/row.ts'
import { type AccountCall, route, succeedWith } from './api.ts'
import { chargeExample, paidExample } from './charges/charges.ts'

/** A link, for the documentation. */
export const linkExample = {
  id: 'kVh2aQ0mZr8TgW5xYc3LdP',
  title: 'Curso de violão',
  description: 'Quatro aulas em grupo',
  amount: 150.5,
  currency: 'BRL',
  is_variable_amount: false,
  min_amount: null,
  max_amount: null,
  status: { value: 1, label: 'Ativo' },
  payment_methods: ['PIX', 'BOLETO', 'CARD'],
  expires_at: '2030-12-31',
  max_uses: 10,
  uses_count: 0,
  success_url: 'https://loja.example/obrigado',
  cancel_url: 'https://loja.example/carrinho',
  webhook_url: 'https://loja.example/webhooks',
  reference_code: 'VIOLAO-2030',
  installments: 3,
  pass_transaction_fee_to_customer: false,
  send_client_id: true,
  public_url: 'https://pay.example.com/pay/kVh2aQ0mZr8TgW5xYc3LdP?token=Rk9vQmFyQmF6UXV4Q29ycmVjdEhvcnNlQmF0dGVyeQ',
  created_at: '2030-11-21T10:05:09-03:00',
  updated_at: '2030-11-21T10:05:09-03:00',
}

const {
  id: _,
  status,
  uses_count,
  public_url,
  created_at,
  updated_at,
  currency,
  min_amount,
  max_amount,
  ...sent
} = linkExample

/** The body that creates the example link. */
export const linkSent = sent

const BASE = '/billing/payment-links'
const ONE = [`${BASE}/:id`]

const ownLinks = { area: 'Links de pagamento', dialect: 'envelope', auth: 'account' } as const
const ownLink = {
  ...ownLinks,
  parameters: { id: 'Identificador público do link' },
  record: ({ core, actor, request }: AccountCall) => core.links.read(actor, request.params.id ?? ''),
} as const

const totalsExample = (value: number | null, label: string, count: number) => ({ value, label, count, amount: 0 })
const summaryExample = {
  all: totalsExample(null, 'Todos', 1),
  active: totalsExample(1, 'Ativo', 1),
  paused: totalsExample(2, 'Pausado', 0),
  expired: totalsExample(3, 'Expirado', 0),
}

/** A list of the charges of a link: all, or the paid ones. */
const paymentsRow = (
  which: 'payments' | 'paid-payments',
  { given, example }: { readonly given: string; readonly example: Json },
  summary: string,
  message: string,
) =>
  route({
    ...ownLink,
    name: `links.${which}`,
    summary,
    paths: [`${BASE}/:id/${which}`],
    permission: 'links:read',
    input: { query: paging },
    run: ({ core, actor, record }, { query }) =>
      core.links.payments(actor, record.link.id, { ...query, paidOnly: which === 'paid-payments' }),
    reply: page({ view: chargeView, message }),
    errors: { 'link.unknown': {} },
    example: { given, request: { params: { id: linkExample.id } }, data: example },
  })

const pauseRow = (which: 'pause' | 'resume', summary: string, message: string, status: typeof linkExample.status) =>
  route({
    ...ownLink,
    name: `links.${which}`,
    summary,
    methods: ['POST'],
    paths: [`/v1/payment-links/:id/${which}`],
    dialect: 'v1',
    auth: 'organization',
    permission: 'links:write',
    run: ({ core, actor, record }) => core.links[which](actor, record.link.id),
    reply: json({ key: 'payment_link', view: linkView, message }),
    errors: { 'link.unknown': {}, 'link.expired': {} },
    example: {
      given: which === 'pause' ? 'link' : 'pausedLink',
      request: { params: { id: linkExample.id } },
      data: { ...linkExample, status },
    },
  })

export const linkRows: readonly AnyRow[] = [
  route({
    ...ownLinks,
    name: 'links.list',
    summary: 'Lista os links de pagamento da conta',
    paths: [BASE],
    permission: 'links:read',
    input: { query: linkFilter },
    run: ({ core, actor }, { query }) => core.links.list(actor, query),
    reply: page<LinkDetail, PageOfLinks>({
      view: linkView,
      message: 'Links de pagamento listados com sucesso.',
      more: summaryBeside,
    }),
    example: { given: 'link', data: linkExample, more: { summary: summaryExample } },
  }),
  route({
    ...ownLinks,
    name: 'links.create',
    summary: 'Cria um link de pagamento',
    methods: ['POST'],
    paths: [BASE],
    permission: 'links:write',
    input: { body: newLink },
    run: ({ core, actor }, { body }) => core.links.create(actor, body),
    reply: json({ view: createdLinkView, message: 'Link de pagamento criado com sucesso.' }),
    errors: { 'bank.unsupported': {}, 'second-factor.required': {} },
    example: { given: 'account', request: { body: linkSent }, data: linkExample },
  }),
  route({
    ...ownLink,
    name: 'links.show',
    summary: 'Mostra um link de pagamento',
    paths: ONE,
    permission: 'links:read',
    run: ({ record }) => succeedWith(record),
    reply: json({ view: fullLinkView, message: 'Link de pagamento recuperado com sucesso.' }),
    errors: { 'link.unknown': {} },
    example: {
      given: 'link',
      request: { params: { id: linkExample.id } },
      data: { ...linkExample, creator: { id: 1, name: 'Ana Souza' }, updater: null, customer: null },
    },
  }),
  route({
    ...ownLink,
    name: 'links.update',
    summary: 'Altera um link de pagamento',
    methods: ['PUT', 'PATCH'],
    paths: ONE,
    permission: 'links:write',
    input: { body: linkChange },
    run: ({ core, actor, record }, { body }) => core.links.update(actor, record.link.id, body),
    reply: json({ view: linkView, message: 'Link de pagamento atualizado com sucesso.' }),
    errors: { 'link.unknown': {}, 'link.expired': {}, 'bank.unsupported': {} },
    example: {
      given: 'link',
      request: { params: { id: linkExample.id }, body: { max_uses: 20 } },
      data: { ...linkExample, max_uses: 20 },
    },
  }),
  route({
    ...ownLink,
    name: 'links.remove',
    summary: 'Remove um link de pagamento',
    methods: ['DELETE'],
    paths: ONE,
    permission: 'links:write',
    run: ({ core, actor, record }) => core.links.remove(actor, record.link.id),
    reply: json({ message: 'Link de pagamento removido com sucesso.' }),
    errors: { 'link.unknown': {} },
    example: { given: 'link', request: { params: { id: linkExample.id } } },
  }),
  pauseRow(
    'pause',
    'Pausa um link de pagamento: a página dele deixa de aceitar pagamentos até que se retome',
    'Link de pagamento pausado com sucesso.',
    { value: 2, label: 'Pausado' },
  ),
  pauseRow(
    'resume',
    'Retoma um link de pagamento pausado',
    'Link de pagamento retomado com sucesso.',
    linkExample.status,
  ),
  paymentsRow(
    'payments',
    { given: 'linkInUse', example: chargeExample },
    'Lista as cobranças de um link',
    'Pagamentos do link listados com sucesso.',
  ),
  paymentsRow(
    'paid-payments',
    { given: 'paidLink', example: paidExample },
    'Lista as cobranças pagas de um link',
    'Pagamentos pagos do link listados com sucesso.',
  ),
]
