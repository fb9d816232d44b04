import type { Part } from './codes.ts'

/** What is told of contracts. Source: 03-real-estate.md, Contracts; decisions.md §6 and §10. */
export const contractMessages = {
  failures: {
    'contract.unknown': { status: 404, message: 'Contrato não encontrado.' },
    'contract.in-use': { status: 400, message: 'O contrato não pode ser excluído: tem pagamentos vinculados.' },
    'contract.move': { status: 422, message: 'O contrato não pode passar da situação atual para a informada.' },
    'contract.ended': { status: 422, message: 'O contrato não está ativo.' },
    'contract.bound': {
      status: 422,
      message: 'O imóvel, o cliente, o tipo e a proposta de um contrato não podem ser alterados.',
    },
    'contract.payments': {
      status: 422,
      message: 'O contrato tem pagamentos futuros demais para serem cancelados de uma vez.',
    },
    'contract.period-closed': { status: 422, message: 'Os dias dos períodos anteriores estão encerrados.' },
    'contract.adjustments': { status: 422, message: 'O contrato já foi reajustado vezes demais.' },
    'contract.periods': { status: 422, message: 'O contrato já foi renovado vezes demais.' },
    'adjustment.early': { status: 422, message: 'O valor só pode ser reajustado a partir de {reason}.' },
    'adjustment.missing': { status: 422, message: 'Faltam variações na tabela de índices: {reason}.' },
    'adjustment.no-percentage': { status: 422, message: 'O contrato tem reajuste fixo sem percentual.' },
    'adjustment.unpayable': { status: 422, message: 'O valor reajustado não é um valor possível.' },
    'contract.no-termination-fine': { status: 422, message: 'O contrato não prevê multa por rescisão antecipada.' },
    'property.purpose': { status: 422, message: 'A finalidade do imóvel não permite este tipo de negócio.' },
    'property.occupied': { status: 422, message: 'O imóvel já está alugado ou vendido.' },
    'proposal.unconvertible': {
      status: 422,
      message: 'A proposta não está aprovada, expirou, já foi convertida, ou é de outro imóvel, cliente ou tipo.',
    },
  },
  issues: {
    after: 'Deve ser posterior a {other}.',
    'not-after': 'Não pode ser posterior a {other}.',
    'contract.period-closed': 'Deve ser posterior ao último dia do período anterior.',
  },
} satisfies Part
