import { paymentPlan, paymentPlanView } from '../../../core/payments/charges/references.ts'
import { crud } from '../api.ts'

const sent = { description: 'Doze vezes', interval: 1, interval_type: 'months', installments_count: 12 }

/** Source: 02-billing.md, Payment plans. */
export const paymentPlanRows = crud({
  module: 'plans',
  resource: paymentPlan,
  view: paymentPlanView,
  area: 'Planos de pagamento',
  paths: ['/payment-plans'],
  dialect: 'envelope',
  auth: 'account',
  permissions: { read: 'charges:read', write: 'charges:write' },
  put: 'replaces',
  patch: true,
  unpaged: true,
  filtered: false,
  keys: { one: 'data', many: 'data' },
  words: {
    list: { summary: 'Lista os planos de pagamento da conta', message: 'Planos de Pagamento listados com sucesso!' },
    create: {
      summary: 'Cria um plano de pagamento',
      message: 'Plano de Pagamento criado com sucesso!',
      status: 201,
    },
    show: { summary: 'Mostra um plano de pagamento', message: 'Detalhes do Plano de Pagamento' },
    update: { summary: 'Altera um plano de pagamento', message: 'Plano de Pagamento atualizado com sucesso!' },
    remove: { summary: 'Remove um plano de pagamento', message: 'Plano de Pagamento removido com sucesso!' },
    missing: 'Plano de Pagamento não encontrado.',
  },
  example: {
    begin: 'organization',
    given: 'paymentPlan',
    sent,
    change: { ...sent, description: 'Dez vezes', installments_count: 10 },
    shown: {
      id: 1,
      ...sent,
      created_at: '2030-11-21T10:05:09-03:00',
      updated_at: '2030-11-21T10:05:09-03:00',
    },
  },
})
