import { input } from '../../../core/kernel/input/input.ts'
import { checkoutView } from '../../../core/payments/checkout/open-link.ts'
import { linkPayment } from '../../../core/payments/checkout/pay-link.ts'
import { paymentView } from '../../../core/payments/checkout/read-payment.ts'
import { json } from '../../http/replies/json-reply.ts'
import type { AnyRow } from '../../http/rows/row.ts'
import { publicPaths, route, shown } from '../api.ts'
import { chargeExample } from '../charges/charge-example.ts'
import { ISSUE_ERRORS } from '../charges/issue-errors.ts'
import { linkExample } from '../links/link-example.ts'
import { linkKeyOf, linkTokenQuery } from './link-key.ts'

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
    run: ({ record }) => shown(record),
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
