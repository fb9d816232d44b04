import type { Part } from './codes.ts'

/** What is told of payments. Source: 03-real-estate.md, Payments; decisions.md §6 and §10. */
export const rentMessages = {
  failures: {
    'payment.unknown': { status: 404, message: 'Pagamento não encontrado.' },
    'payment.closed': { status: 422, message: 'O pagamento já foi pago ou cancelado.' },
    'payment.charged': {
      status: 422,
      message: 'O pagamento tem uma cobrança em aberto. Registre que foi pago, ou exclua-o, para cancelá-la.',
    },
    'payment.no-account': {
      status: 422,
      message: 'A imobiliária não tem conta de pagamentos (PUT /api/company/payment-account).',
    },
    'payment.no-tax-id': { status: 422, message: 'O cliente do contrato não tem CPF ou CNPJ (taxId).' },
    'payment.nothing-due': { status: 422, message: 'O desconto do contrato não deixa nada a cobrar.' },
    'charge.refused': { status: 422, message: 'A cobrança foi recusada: {reason}' },
    'charge.uncancelled': { status: 422, message: 'A cobrança em aberto não pôde ser cancelada: {reason}' },
    'charge.ended': { status: 422, message: 'A cobrança foi encerrada entretanto. Tente novamente.' },
    'charge.unknown': { status: 404, message: 'Cobrança não encontrada.' },
    'charging.unavailable': {
      status: 503,
      message: 'O banco ainda não respondeu. Tente novamente em instantes.',
    },
    'payment-account.unknown': { status: 404, message: 'A imobiliária não tem conta de pagamentos.' },
    'payment.paid': { status: 400, message: 'O pagamento não pode ser excluído: já foi pago.' },
  },
  issues: {
    future: 'Não pode estar no futuro.',
    'period.long': 'Deve abranger no máximo {max} meses.',
    'quote.far': 'Informe um dia até 31/12/2199.',
  },
} satisfies Part

/** What is told of owners. */
export const ownerMessages = {
  failures: { 'owner.unknown': { status: 404, message: 'Proprietário não encontrado.' } },
  issues: {},
} satisfies Part
