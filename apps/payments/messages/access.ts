import type { Catalogue } from '../../http/messages.ts'

/** What users, organizations and clients are told. Source: 01-access.md; decisions.md §1 and §12. */
export const accessMessages: Catalogue = {
  failures: {
    'token.invalid': 'Não autenticado.',
    'credentials.wrong': 'Credenciais inválidas.',
    'login.throttled': 'Muitas tentativas de login. Tente novamente mais tarde.',
    'organization.none': 'Nenhuma organização encontrada.',
    'organization.unknown': 'Organização não encontrada.',
    'account.foreign': 'Conta não pertence ao usuário.',
    'opening.unknown': 'Abertura de conta não encontrada.',
    'client.document.taken': 'Já existe um cliente com este documento nesta organização.',
  },
  issues: {
    'email.taken': 'Este e-mail já está em uso.',
    'document.taken': 'Este documento já está em uso.',
    'client.document.taken': 'Já existe um cliente com este documento nesta organização.',
  },
}
