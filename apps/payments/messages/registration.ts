import type { Part } from './codes.ts'

/** What whoever asks for an account is told. Source: 01-access.md, Legacy onboarding; decisions.md §1 and §12. */
export const registrationMessages = {
  failures: {
    'document.kind': { status: 400, message: 'Documento inválido. Informe um CPF ou CNPJ.' },
    'registration.unknown': { status: 404, message: 'Cadastro não encontrado.' },
  },
  issues: {
    'account-type': 'Não corresponde ao documento.',
    'bank.other': 'Não é possível abrir uma conta neste banco.',
    letters: 'Deve ter exatamente 4 letras.',
    'registration.confirmed': 'O e-mail deste cadastro já foi confirmado.',
    'registration.unconfirmed': 'Confirme o e-mail do cadastro antes de enviar as imagens.',
    'registration.over': 'Este cadastro já foi analisado.',
  },
} satisfies Part
