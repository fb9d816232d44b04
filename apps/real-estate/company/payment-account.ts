import { newPaymentAccount, paymentAccountView } from '../../../core/real-estate/charging/payment-account.ts'
import { json } from '../../http/replies/json-reply.ts'
import type { AnyRow } from '../../http/rows/row.ts'
import { route } from '../api.ts'

const about = {
  area: 'Imobiliária',
  dialect: 'estate',
  auth: 'member',
  paths: ['/api/company/payment-account'],
} as const

const shownAccount = { name: 'Padaria Central' }

/** The account that an agency's payers pay into. Source: issue 15. */
export const paymentAccountRows: readonly AnyRow[] = [
  route({
    ...about,
    name: 'company.read-payment-account',
    summary: 'Mostra o nome da conta em que os pagamentos da imobiliária são recebidos',
    methods: ['GET'],
    permission: 'company:read',
    input: {},
    run: ({ core, actor }) => core.charging.readAccount(actor),
    reply: json({ view: paymentAccountView }),
    errors: { 'payment-account.unknown': {} },
    example: { given: 'paymentAccount', reply: shownAccount },
  }),
  route({
    ...about,
    name: 'company.set-payment-account',
    summary: 'Diz em que conta os pagamentos da imobiliária são recebidos; a chave não é mostrada de novo',
    methods: ['PUT'],
    permission: 'company:write',
    input: { body: newPaymentAccount },
    run: ({ core, actor }, { body }) => core.charging.setAccount(actor, body),
    reply: json({ view: paymentAccountView }),
    errors: { 'charging.unavailable': {} },
    example: {
      given: 'payableAccount',
      request: { body: { apiKey: 'q3V8sKc0mZr8TgW5xYc3LdP1nBq42uJhE7aQ9oXt' } },
      reply: shownAccount,
    },
  }),
]
