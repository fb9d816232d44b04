import type { Part } from './codes.ts'

/** What is said of money that leaves. Source: 02-billing.md, Withdrawals; decisions.md §5 and §11. */
export const withdrawalMessages = {
  failures: {
    'key.unknown': { status: 404, message: 'A chave Pix pesquisada não existe.' },
    'key.throttled': { status: 429, message: 'Muitas consultas de chaves Pix. Tente novamente mais tarde.' },
    'withdrawal.unknown': { status: 404, message: 'Saque não encontrado.' },
    'withdrawal.used': { status: 409, message: 'Este saque já foi confirmado.' },
    'withdrawals.waiting': {
      status: 503,
      message: 'Há saques demais aguardando o banco. Tente novamente em instantes.',
    },
    'recipient.unknown': { status: 404, message: 'Destinatário não encontrado.' },
  },
  issues: {
    'balance.insufficient': 'Saldo insuficiente.',
    'withdrawal.limit': 'O valor passa do limite por transação da conta, de {max}.',
    'withdrawal.limit-left': 'O valor passa do que resta do limite da conta neste período: {max}.',
    'withdrawal.repeated': 'Uma transferência deste valor para este destino já foi feita na última hora.',
    'withdrawal.started': 'Uma transferência deste valor para este destino já foi iniciada na última hora.',
    'withdrawal.other-key': 'Não é a chave que foi consultada.',
    'withdrawal.other-value': 'Não é o valor que foi consultado.',
    'withdrawal.other-document': 'Não é o documento de quem recebe.',
    'withdrawal.date': 'O pagamento só pode ser feito hoje.',
    'bank-branch': 'Deve ter de 1 a 4 dígitos.',
    'bank-account': 'Deve ter só dígitos, com o verificador; o hífen é opcional.',
  },
} satisfies Part
