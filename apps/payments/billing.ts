import { input, line, nullIfAbsent, pick } from '../../core/kernel/input/mod.ts'
import { chargeGroup, paymentPlan } from '../../core/payments/charges/new-charge.ts'
import { crud } from './api.ts'

export const paymentPlanRows = crud({
  module: 'plans',
  resource: paymentPlan,
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
  noun: { one: 'Plano de Pagamento', many: 'Planos de Pagamento', gender: 'm' },
  words: {
    list: { summary: 'Lista os planos de pagamento da conta', message: '{Many} listad{os} com sucesso!' },
    create: { summary: 'Cria um plano de pagamento', message: '{One} criad{o} com sucesso!' },
    show: { summary: 'Mostra um plano de pagamento', message: 'Detalhes {do} {one}' },
    update: { summary: 'Altera um plano de pagamento', message: '{One} atualizad{o} com sucesso!' },
    remove: { summary: 'Remove um plano de pagamento', message: '{One} removid{o} com sucesso!' },
  },
  example: {
    sample: { description: 'Doze vezes', interval: 1, intervalType: 'months', installmentsCount: 12 },
    change: { description: 'Dez vezes', installmentsCount: 10 },
  },
})

const { input: given } = chargeGroup.spec

const newChargeGroup = input('NewChargeGroup', {
  ...pick(given, 'name', 'description', 'json'),
  slug: nullIfAbsent(line({ max: 100, about: 'Nome curto, único entre os grupos da conta' })),
})

const groupSpec = {
  module: 'groups',
  resource: { ...chargeGroup, createInput: newChargeGroup },
  area: 'Grupos de cobrança',
  paths: ['/invoices_groups', '/billing/charge-groups'],
  auth: 'account',
  permissions: { read: 'charges:read', write: 'charges:write' },
  put: 'merges',
  unpaged: false,
  filtered: true,
  keys: { one: 'data', many: 'data' },
  noun: { one: 'grupo de cobrança', many: 'grupos de cobrança', gender: 'm' },
  words: {
    list: { summary: 'Lista os grupos de cobrança da conta' },
    create: { message: '{One} criad{o} com sucesso!' },
    show: { message: 'Detalhes do Grupo de cobrança' },
    update: { message: '{One} atualizad{o} com sucesso!' },
    remove: { summary: 'Remove {um} {one}; as cobranças dele ficam', message: '{One} removid{o} com sucesso!' },
  },
  example: {
    sample: {
      ...{ name: 'Mensalidades 2030', slug: 'mensalidades-2030', description: 'Turmas da manhã' },
      json: '{"turma":"A"}',
    },
    change: { name: 'Mensalidades 2031' },
    more: { code: null },
  },
} as const

/** The reply to a removal has only a message, as in the dialect `bare`. */
export const chargeGroupRows = [
  ...crud({ ...groupSpec, dialect: 'envelope', only: ['list', 'create', 'show', 'update'] }),
  ...crud({ ...groupSpec, dialect: 'bare', only: ['remove'] }),
]
