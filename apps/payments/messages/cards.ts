import type { Part } from './codes.ts'

/** What is wrong with a card. Source: 02-billing.md, Public payer routes; decisions.md §9. */
export const cardMessages = {
  failures: {
    'card.unsupported': { status: 422, message: 'Bandeira não suportada' },
    'card-balance.insufficient': { status: 400, message: 'Saldo insuficiente.' },
    'card.declined': { status: 400, message: 'O cartão não foi aprovado: {reason}' },
    'card.throttled': { status: 429, message: 'Muitos cartões recusados. Tente novamente mais tarde.' },
    'card.waiting': { status: 429, message: 'Outros cartões aguardam resposta. Tente novamente em instantes.' },
  },
  issues: {
    'card.number': 'Deve ser um número de cartão válido.',
    'card.cvv': 'Deve ter os 3 dígitos do verso do cartão.',
    'card.digits': 'Não pode conter o número do cartão.',
    'card.holder': 'Deve ser o nome impresso no cartão, e não o número.',
    'card.month': 'Deve ser um mês de 1 a 12.',
    'card.year': 'Deve ser um ano de 2 ou 4 dígitos.',
    'card.expiry': 'Deve ser uma validade no formato MM/AA.',
    'card.expired': 'O cartão está vencido.',
    'card.brand': 'Não é a bandeira deste cartão.',
    'card.unsupported': 'Bandeira não suportada',
  },
} satisfies Part
