import { SERVER_FAILURES } from '../../http/replies/messages.ts'
import type { Part } from './codes.ts'

const SLUG_TAKEN = 'Já existe um grupo de cobrança com este slug.'
const CODE_TAKEN = 'Já existe um grupo de cobrança com este código.'

/** What is told of charge groups and payment plans; what is taken is told at its field. Source: 02-billing.md; decisions.md §2, §9. */
export const resourceMessages = {
  failures: {
    'charge-group.unknown': { status: 404, message: 'Grupo de cobrança não encontrado.' },
    'charge-group.slug.taken': SERVER_FAILURES.fields,
    'charge-group.code.taken': SERVER_FAILURES.fields,
    'payment-plan.unknown': { status: 404, message: 'Plano de Pagamento não encontrado.' },
  },
  issues: {
    'charge-group.slug.taken': SLUG_TAKEN,
    'charge-group.code.taken': CODE_TAKEN,
  },
} satisfies Part
