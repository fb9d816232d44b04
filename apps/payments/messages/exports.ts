import type { Part } from './codes.ts'

/** What whoever asks for a document is told. Source: 02-billing.md, Statements and reports; decisions.md §4 and §11. */
export const exportMessages = {
  failures: {
    'export.empty': { status: 404, message: 'Nenhuma transação encontrada.' },
    'export.unknown': { status: 404, message: 'Exportação não encontrada.' },
    'export.pending': { status: 404, message: 'A exportação ainda não está pronta.' },
    'export.type': { status: 400, message: 'Esta notificação não é de uma exportação.' },
  },
  issues: {
    'export.pdf-max': 'Um PDF tem no máximo {max} lançamentos: escolha um período menor, ou exporte em csv ou xlsx.',
  },
} satisfies Part
