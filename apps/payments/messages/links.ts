import type { Part } from './codes.ts'

/** What payment links and who pays by them are told. Source: 02-billing.md; decisions.md §9, Links. */
export const linkMessages = {
  failures: {
    'link.unknown': { status: 404, message: 'Link de pagamento não encontrado.' },
    'link.expired': { status: 422, message: 'Um link de pagamento expirado não pode ser alterado.' },
    'link.token': { status: 401, message: 'Token do link ausente ou inválido.' },
    'link.over': { status: 410, message: 'Este link de pagamento expirou.' },
    'link.paid': { status: 410, message: 'Este link de pagamento já foi pago.' },
    'link.used-up': { status: 410, message: 'Este link de pagamento atingiu o limite de pagamentos.' },
    'link.processing': { status: 400, message: 'Já há um pagamento em processamento neste link. Aguarde a resposta.' },
    'link.throttled': { status: 429, message: 'Muitas cobranças por este link. Tente novamente mais tarde.' },
  },
  issues: {
    'day.future': 'Deve ser posterior a hoje.',
    'link.max-amount': 'Deve ser maior que o valor mínimo.',
    'link.method-used': 'Um meio de pagamento já usado não pode ser retirado.',
  },
} satisfies Part
