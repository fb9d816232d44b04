import type { Part } from './codes.ts'

/** What is told of commissions. Source: 03-real-estate.md, Commissions; decisions.md §6 and §10. */
export const commissionMessages = {
  failures: {
    'commission.unknown': { status: 404, message: 'Comissão não encontrada.' },
    'commission.closed': { status: 422, message: 'A comissão já foi paga.' },
    'commission.move.refused': { status: 422, message: 'A comissão não pode passar a esta situação.' },
    'commission.paid': { status: 400, message: 'A comissão não pode ser excluída: já foi paga.' },
  },
  issues: { 'commission.worthless': 'Deve corresponder a pelo menos um centavo do valor do contrato.' },
} satisfies Part
