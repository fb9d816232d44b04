import type { Part } from './codes.ts'

/** What charges and the bank are told of. Source: 02-billing.md; decisions.md §1 and §9. */
export const billingMessages = {
  failures: {
    'account.unknown': { status: 404, message: 'Conta não encontrada.' },
    'organization.inactive': { status: 403, message: 'Organização não está ativa.' },
    'permission.lacking': { status: 403, message: 'Permissão insuficiente.' },
    'charge.unknown': { status: 404, message: 'Cobrança não encontrada.' },
    'title.unknown': { status: 404, message: 'Título não encontrado.' },
    'payment.elsewhere': { status: 409, message: 'Este pagamento já foi lançado em outra cobrança.' },
    'payment.contradictory': { status: 409, message: 'Este pagamento já foi lançado com outro valor.' },
    'bank.refused': { status: 400, message: 'O banco recusou a operação: {reason}' },
    'bank.unavailable': { status: 400, message: 'Não foi possível falar com o banco. Tente novamente em instantes.' },
  },
  issues: {
    'charge.method': 'Este meio de pagamento ainda não está disponível.',
    'charge.discount': 'O desconto deve ser menor que o valor da cobrança.',
    'day.past': 'Não pode ser anterior a hoje.',
    'range.max': 'O período pode ter no máximo {max} dias.',
    'pix-key': 'Deve ser uma chave Pix válida.',
    'end-to-end-id': 'Deve ser um endToEndId válido.',
  },
} satisfies Part
