import type { Part } from './codes.ts'

/** What is said of internal transfers. Source: 02-billing.md, Internal transfer; decisions.md §11. */
export const transferMessages = {
  failures: {
    'transfer.unknown': { status: 404, message: 'Transferência não encontrada.' },
    'transfer.source-bank': {
      status: 403,
      message: 'A conta de origem não está no banco que faz transferências internas.',
    },
    'transfer.self': { status: 400, message: 'A conta de destino é a própria conta de origem.' },
    'transfer.destination-inactive': { status: 403, message: 'A conta de destino não está ativa.' },
    'transfer.destination-bank': {
      status: 400,
      message: 'A conta de destino não está no banco que faz transferências internas.',
    },
    'transfer.no-key': { status: 400, message: 'A conta de destino não tem chave Pix.' },
    'transfer.repeated': {
      status: 400,
      message: 'Uma transferência deste valor para esta conta já foi feita nos últimos 30 minutos.',
    },
    'transfer.balance': { status: 400, message: 'Saldo insuficiente.' },
  },
  issues: {},
} satisfies Part
