import type { Catalogue } from '../../http/messages.ts'

/** What users, organizations and clients are told. Source: 01-access.md; decisions.md §1 and §12. */
export const accessMessages: Catalogue = {
  failures: {
    'token.invalid': 'Não autenticado.',
    'credentials.wrong': 'Credenciais inválidas.',
    'key.wrong': 'E-mail, chave ou vínculo inválido.',
    'password.wrong': 'Senha atual incorreta.',
    'account.none': 'Usuário sem conta vinculada.',
    'session.unknown': 'Sessão não encontrada.',
    'login.throttled': 'Muitas tentativas de login. Tente novamente mais tarde.',
    'organization.none': 'Nenhuma organização encontrada.',
    'organization.unknown': 'Organização não encontrada.',
    'account.foreign': 'Conta não pertence ao usuário.',
    'code.invalid': 'Código de verificação inválido ou expirado.',
    'code.soon': 'Um código foi enviado há menos de 2 minutos. Aguarde para pedir outro.',
    'user.unknown': 'Usuário não encontrado.',
    'user.shared': 'Este usuário também pertence a outra conta: só ele mesmo altera seu e-mail e sua senha.',
    'user.self': 'Você não pode remover a si mesmo.',
    'user.last-admin': 'A conta precisa de pelo menos um administrador.',
    'client.unknown': 'Cliente não encontrado.',
    'notification.unknown': 'Notificação não encontrada.',
    'opening.unknown': 'Abertura de conta não encontrada.',
    'client.document.taken': 'Já existe um cliente com este documento nesta organização.',
  },
  issues: {
    'document.other': 'O documento não é deste usuário.',
    'email.other': 'O e-mail não é o do usuário autenticado.',
    'email.unknown': 'Este e-mail não está cadastrado.',
    'code.invalid': 'Código inválido ou expirado.',
    'user.self': 'Você não pode remover a si mesmo.',
    'user.last-admin': 'A conta precisa de pelo menos um administrador.',
    'email.taken': 'Este e-mail já está em uso.',
    'document.taken': 'Este documento já está em uso.',
    'client.document.taken': 'Já existe um cliente com este documento nesta organização.',
  },
}
