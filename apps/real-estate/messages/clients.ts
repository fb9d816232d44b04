import type { Part } from './codes.ts'

const TAX_ID_TAKEN = 'Já existe um cliente com este CPF/CNPJ.'

/** What is told of clients. Source: 03-real-estate.md, Clients; decisions.md §10. */
export const clientMessages = {
  failures: {
    'client.unknown': { status: 404, message: 'Cliente não encontrado.' },
    'client.taxId.taken': { status: 409, message: TAX_ID_TAKEN },
    'client.email.linked': {
      status: 403,
      message:
        'Só um administrador muda o e-mail de um cliente quando o atual ou o novo é de um usuário da imobiliária.',
    },
    'client.in-use': {
      status: 400,
      message: 'O cliente não pode ser excluído: tem contratos ativos ou é proprietário de imóveis.',
    },
  },
  issues: {
    'client.taxId.taken': TAX_ID_TAKEN,
    'document.kind': 'Deve ser um CPF para pessoa física e um CNPJ para pessoa jurídica.',
  },
} satisfies Part
