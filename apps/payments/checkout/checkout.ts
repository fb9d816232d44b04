import { input, inQuery, pick, secret } from '../../../core/kernel/input/mod.ts'
import { checkoutView, type LinkKey } from '../../../core/payments/checkout/open-link.ts'
import { linkPayment } from '../../../core/payments/checkout/pay-link.ts'
import { paymentStatusView, paymentView } from '../../../core/payments/checkout/read-payment.ts'
import type { Payments } from '../../../core/payments/payments.ts'
import { json } from '../../http/replies/json-reply.ts'
import type { HttpRequest } from '../../http/request.ts'
import type { AnyRow, Call } from '../../http/rows/row.ts'
import { originOf, publicPaths, route, succeedWith } from '../api.ts'
import { chargeExample, ISSUE_ERRORS } from '../charges/charges.ts'
import { linkExample } from '../links.ts'

/** The header for the token of a link, instead of the query. */
const TOKEN_HEADER = 'X-Link-Token'

/** The query of a link, for the documentation: the token is checked before the query is decoded. */
export const linkQuery = input(null, {
  token: inQuery.of(secret({ about: `O token do link; pode vir no cabeçalho \`${TOKEN_HEADER}\`` })),
})

/** Reads the id and token of a link from a request, with the caller's address. */
export const linkKeyOf = (request: HttpRequest): LinkKey => {
  const { params, query } = request
  const token = query.token ?? request.header(TOKEN_HEADER)
  return { id: params.id ?? '', token: typeof token === 'string' ? token : null, origin: originOf(request) }
}

const PATHS = publicPaths('/paymentLink/:id')
const linkRow = {
  area: 'Pagador',
  parameters: { id: 'Identificador público do link' },
  auth: 'public',
  record: ({ core, request }: Call<Payments, null, null>) => core.checkout.open(linkKeyOf(request)),
} as const
const LINK_ERRORS = {
  'link.unknown': {},
  'link.token': {},
  'link.over': {},
  'link.paused': {},
  'link.paid': {},
  'link.used-up': {},
}
/** The path and query of the example link. */
export const linkRequestExample = {
  params: { id: linkExample.id },
  query: { token: 'Rk9vQmFyQmF6UXV4Q29ycmVjdEhvcnNlQmF0dGVyeQ' },
}

const { amount } = linkExample

export const paymentLinkRows: readonly AnyRow[] = [
  route({
    ...linkRow,
    name: 'checkout.open',
    summary: 'Mostra um link de pagamento a quem vai pagá-lo',
    paths: PATHS,
    dialect: 'bare',
    input: { query: linkQuery },
    run: ({ record }) => succeedWith(record),
    reply: json({ view: checkoutView }),
    errors: LINK_ERRORS,
    example: {
      given: 'publicLink',
      request: linkRequestExample,
      data: {
        payment_link: {
          ...pick(linkExample, 'title', 'description', 'amount', 'currency', 'is_variable_amount', 'min_amount'),
          ...pick(linkExample, 'max_amount', 'payment_methods', 'installments', 'status'),
        },
        account: {
          name: 'Escola Aurora',
          email: 'financeiro@aurora.example',
          document: '11222333000181',
          path_logo: null,
        },
      },
    },
  }),
  route({
    ...linkRow,
    name: 'checkout.pay',
    summary: 'Paga por um link de pagamento',
    methods: ['POST'],
    paths: PATHS.map((path) => `${path}/pay`),
    dialect: 'envelope',
    input: { query: linkQuery, body: linkPayment },
    run: ({ core, request }, { body }) => core.checkout.pay(linkKeyOf(request), body),
    reply: json({ view: paymentView, message: 'Solicitação de pagamento processada com sucesso.' }),
    errors: { ...LINK_ERRORS, 'link.processing': {}, 'link.throttled': {}, ...ISSUE_ERRORS },
    example: {
      given: 'freeAmountLink',
      request: {
        ...linkRequestExample,
        body: {
          payment_method: 'PIX',
          name: 'Maria da Silva',
          email: 'maria@example.com',
          document: '123.456.789-09',
          amount,
        },
      },
      data: {
        charge_id: chargeExample.code,
        pix: { ...chargeExample.pix, value: amount },
        success_url: 'https://loja.example/obrigado?client_id=1',
      },
    },
  }),
]

const { client: _, pix, boleto, ...charge } = chargeExample

export const paymentStatusRow: AnyRow = route({
  name: 'checkout.status',
  area: 'Pagador',
  summary: 'Mostra o que foi feito de uma cobrança',
  paths: publicPaths('/payment-status/:chargeId/charge'),
  parameters: { chargeId: 'Código da cobrança' },
  dialect: 'envelope',
  auth: 'public',
  run: ({ core, request }) => core.checkout.status(request.params.chargeId ?? ''),
  reply: json({ view: paymentStatusView, message: 'Status da cobrança recuperado.' }),
  errors: { 'charge.unknown': {} },
  example: {
    given: 'payingPayer',
    request: { params: { chargeId: chargeExample.code } },
    data: { charge, pix, boleto, account: { name: 'Escola Aurora', document: '11222333000181', path_logo: null } },
  },
})
