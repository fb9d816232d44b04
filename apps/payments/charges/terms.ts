import { issuedTermsView } from '../../../core/payments/charges/queries/quote.ts'
import { json } from '../../http/replies/json-reply.ts'
import { route } from '../api.ts'
import { v1Charge } from './charges.ts'

export const termsRow = route({
  ...v1Charge,
  name: 'charges.terms',
  summary: 'Mostra os juros, a multa e o desconto de uma cobrança, e quanto se paga hoje',
  paths: ['/v1/charges/:id/terms'],
  run: ({ core, actor, record }) => core.charges.terms(actor, record.charge.id),
  reply: json({ key: 'terms', view: issuedTermsView, message: 'Condições obtidas com sucesso.' }),
  example: {
    given: 'pendingCharge',
    request: { params: { id: '1' } },
    data: {
      amount_rate: null,
      type_rate: null,
      fine: null,
      type_fine: null,
      discount: null,
      type_discount: null,
      days_discount: null,
      accept_partial: false,
      today: {
        value: 150.5,
        due_date: '2030-11-30',
        day: '2030-11-21',
        fine: 0,
        interest: 0,
        discount: 0,
        amount_due: 150.5,
        discount_until: null,
        payable_until: '2030-12-02',
        is_payable: true,
      },
    },
  },
})
