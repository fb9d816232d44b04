import type { Part } from './codes.ts'

const SLUG_TAKEN = 'Já existe um grupo de cobrança com este slug.'
const CODE_TAKEN = 'Já existe um grupo de cobrança com este código.'

/** What is told of charge groups and payment plans. Source: 02-billing.md; decisions.md §9. */
export const resourceMessages = {
  failures: {
    'charge-group.unknown': { status: 404, message: 'Grupo de cobrança não encontrado.' },
    'charge-group.slug.taken': { status: 422, message: SLUG_TAKEN },
    'charge-group.code.taken': { status: 422, message: CODE_TAKEN },
    'payment-plan.unknown': { status: 404, message: 'Plano de Pagamento não encontrado.' },
  },
  issues: {
    'charge-group.slug.taken': SLUG_TAKEN,
    'charge-group.code.taken': CODE_TAKEN,
  },
} satisfies Part
