import type { Part } from './codes.ts'

/** What is told of proposals. Source: 03-real-estate.md, Proposals; decisions.md §6 and §10. */
export const proposalMessages = {
  failures: {
    'proposal.unknown': { status: 404, message: 'Proposta não encontrada.' },
    'proposal.broker': { status: 403, message: 'Um corretor só registra propostas em seu próprio nome.' },
    'proposal.closed': { status: 422, message: 'A proposta não está mais em análise nem em negociação.' },
    'proposal.move': { status: 422, message: 'A proposta não pode passar da situação atual para a informada.' },
    'proposal.expired': { status: 422, message: 'A proposta expirou.' },
    'proposal.not-approved': { status: 422, message: 'A proposta não está aprovada.' },
    'proposal.converted': { status: 422, message: 'A proposta já foi convertida em contrato.' },
    'proposal.in-use': { status: 400, message: 'A proposta não pode ser excluída: foi convertida em contrato.' },
  },
  issues: { past: 'Deve estar no futuro.' },
} satisfies Part
