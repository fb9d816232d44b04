import { input } from '../../../core/kernel/input/input.ts'
import { inQuery } from '../../../core/kernel/input/query.ts'
import { secret } from '../../../core/kernel/input/texts.ts'
import { checkoutView, type LinkKey } from '../../../core/payments/checkout/open-link.ts'
import { linkPayment } from '../../../core/payments/checkout/pay-link.ts'
import { paymentStatusView, paymentView } from '../../../core/payments/checkout/read-payment.ts'
import { json } from '../../http/replies/json-reply.ts'
import type { HttpRequest } from '../../http/request.ts'
import type { AnyRow } from '../../http/rows/row.ts'
import { originOf, publicPaths, route, succeedWith } from '../api.ts'
import { chargeExample, ISSUE_ERRORS } from '../charges/charges.ts'
import { linkExample } from '../links.ts'

/** The header that may carry the token of a link in the place of the query. Source: decisions.md §3, Payment link. */
const TOKEN_HEADER = 'X-Link-Token'

/** For the documentation: a wrong one is refused before anything else of the query is read. */
export const linkTokenQuery = {
  token: inQuery.of(secret({ about: `O token do link; pode vir no cabeçalho \`${TOKEN_HEADER}\`` })),
}

/** Reads the key of a link from a request, with the address of its caller. */
export const linkKeyOf = (request: HttpRequest): LinkKey => {
  const { params, query, header } = request
  const token = query.token ?? header(TOKEN_HEADER)
  return { id: params.id ?? '', token: typeof token === 'string' ? token : null, origin: originOf(request) }
}

const area = 'Pagador'
const PATHS = publicPaths('/paymentLink/:id')
const parameters = { id: 'Identificador público do link' }
const tokenQuery = input(null, linkTokenQuery)
const PAID = 'Solicitação de pagamento processada com sucesso.'
const LINK_ERRORS = { 'link.unknown': {}, 'link.token': {}, 'link.over': {}, 'link.paid': {}, 'link.used-up': {} }
const request = { params: { id: linkExample.id }, query: { token: 'Rk9vQmFyQmF6UXV4Q29ycmVjdEhvcnNlQmF0dGVyeQ' } }

const { title, description, amount, currency, is_variable_amount, min_amount, max_amount } = linkExample
const { payment_methods, installments, status } = linkExample

/** Source: 02-billing.md, Public payer routes; decisions.md §9, Exposure and Links. */
export const paymentLinkRows: readonly AnyRow[] = [
  route({
    name: 'checkout.open',
    area,
    summary: 'Mostra um link de pagamento a quem vai pagá-lo',
    methods: ['GET'],
    paths: PATHS,
    parameters,
    dialect: 'bare',
    auth: 'public',
    record: ({ core, request }) => core.checkout.open(linkKeyOf(request)),
    input: { query: tokenQuery },
    run: ({ record }) => succeedWith(record),
    reply: json({ view: checkoutView }),
    errors: LINK_ERRORS,
    example: {
      given: 'publicLink',
      request,
      reply: {
        payment_link: {
          title,
          description,
          amount,
          currency,
          is_variable_amount,
          min_amount,
          max_amount,
          payment_methods,
          installments,
          status,
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
    name: 'checkout.pay',
    area,
    summary: 'Paga por um link de pagamento',
    methods: ['POST'],
    paths: PATHS.map((path) => `${path}/pay`),
    parameters,
    dialect: 'envelope',
    auth: 'public',
    record: ({ core, request }) => core.checkout.open(linkKeyOf(request)),
    input: { query: tokenQuery, body: linkPayment },
    run: ({ core, request }, { body }) => core.checkout.pay(linkKeyOf(request), body),
    reply: json({ view: paymentView, message: PAID }),
    errors: {
      ...LINK_ERRORS,
      'link.processing': {},
      'link.throttled': {},
      ...ISSUE_ERRORS,
    },
    example: {
      given: 'freeAmountLink',
      request: {
        ...request,
        body: {
          payment_method: 'PIX',
          name: 'Maria da Silva',
          email: 'maria@example.com',
          document: '123.456.789-09',
          amount,
        },
      },
      reply: {
        code: 200,
        success: true,
        data: {
          charge_id: chargeExample.code,
          pix: { ...chargeExample.pix, value: amount },
          success_url: 'https://loja.example/obrigado?client_id=1',
        },
        message: PAID,
      },
    },
  }),
]

const MESSAGE = 'Status da cobrança recuperado.'

const { client: _, pix, boleto, ...charge } = chargeExample

/** Source: 02-billing.md, Public payer routes; decisions.md §9, Exposure. */
export const paymentStatusRow: AnyRow = route({
  name: 'checkout.status',
  area: 'Pagador',
  summary: 'Mostra o que foi feito de uma cobrança',
  methods: ['GET'],
  paths: publicPaths('/payment-status/:chargeId/charge'),
  parameters: { chargeId: 'Código da cobrança' },
  dialect: 'envelope',
  auth: 'public',
  input: {},
  run: ({ core, request }) => core.checkout.status(request.params.chargeId ?? ''),
  reply: json({ view: paymentStatusView, message: MESSAGE }),
  errors: { 'charge.unknown': {} },
  example: {
    given: 'payingPayer',
    request: { params: { chargeId: chargeExample.code } },
    reply: {
      code: 200,
      success: true,
      data: {
        charge,
        pix,
        boleto,
        account: { name: 'Escola Aurora', document: '11222333000181', path_logo: null },
      },
      message: MESSAGE,
    },
  },
})
