import type { Part } from './codes.ts'

const CRECI_TAKEN = 'Já existe um corretor com este CRECI.'
const EMAIL_TAKEN = 'Já existe um corretor com este e-mail.'

/** What is told of brokers. Source: 03-real-estate.md, Brokers; decisions.md §10. */
export const brokerMessages = {
  failures: {
    'broker.unknown': { status: 404, message: 'Corretor não encontrado.' },
    'broker.creci.taken': { status: 409, message: CRECI_TAKEN },
    'broker.email.taken': { status: 409, message: EMAIL_TAKEN },
    'broker.in-use': {
      status: 400,
      message: 'O corretor não pode ser excluído: tem contratos ativos ou propostas em aberto.',
    },
  },
  issues: { 'broker.creci.taken': CRECI_TAKEN, 'broker.email.taken': EMAIL_TAKEN },
} satisfies Part
