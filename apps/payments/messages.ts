import type { CodesOf, IssueCodesOf } from '../../core/failure.ts'
import type { Payments } from '../../core/payments/payments.ts'
import {
  type FullWording,
  messagesOf,
  SERVER_FAILURES,
  type ServerCode,
  type ServerIssue,
} from '../http/replies/messages.ts'
import type { ResourceCode } from '../http/rows/crud.ts'

/** The failure codes of the payments business, without those of every server. */
export type PaymentsCode = Exclude<CodesOf<Payments>, ServerCode>

/** Issues of fields that only rows have. */
type RowIssue = 'end-to-end-id' | 'withdrawal.date'

type PaymentsIssue = Exclude<IssueCodesOf<Payments> | RowIssue, ServerIssue>

/** The codes of plain resources, which have a text here only if it differs from that of their noun. */
type Usual = ResourceCode<Payments>

/** The texts of the payments app. A code without a text does not compile, nor does a text without a code. */
export interface PaymentsTexts {
  readonly failures: { readonly [C in Exclude<PaymentsCode, Usual>]: FullWording } & {
    readonly [C in PaymentsCode & Usual]?: FullWording
  }
  readonly issues: { readonly [C in Exclude<PaymentsIssue, Usual>]: string } & {
    readonly [C in PaymentsIssue & Usual]?: string
  }
}

/** The texts by code; `{params}` are filled in. */
export const texts = {
  failures: {
    // Access, accounts, clients, notifications and webhook deliveries
    'token.invalid': {
      status: 401,
      message: 'Não autenticado.',
      hint: 'Envie Authorization: Bearer TOKEN, com um token de POST /v1/auth/login que ainda vale.',
    },
    'credentials.wrong': { status: 401, message: 'Credenciais inválidas.' },
    'api-key.revoked': {
      status: 401,
      message: 'Esta chave de API foi revogada, ou quem a criou deixou a conta.',
      hint: 'Crie outra com POST /v1/api-keys.',
    },
    'api-key.expired': {
      status: 401,
      message: 'Esta chave de API expirou.',
      hint: 'Crie outra com POST /v1/api-keys.',
    },
    'api-key.address': { status: 401, message: 'Esta chave de API não pode ser usada deste endereço.' },
    'api-key.unknown': { status: 404, message: 'Chave de API não encontrada.' },
    'api-key.ended': { status: 409, message: 'Esta chave de API foi revogada, expirou ou já tem sucessora.' },
    'api-key.limit': { status: 409, message: 'A conta já tem 100 chaves de API em uso. Revogue uma para criar outra.' },
    'key.wrong': { status: 401, message: 'E-mail, chave ou vínculo inválido.' },
    'password.wrong': { status: 401, message: 'Senha atual incorreta.' },
    'password.stale': {
      status: 403,
      message: 'Confirme sua senha para continuar.',
      hint: 'Envie-a a POST /v1/auth/confirm-password.',
    },
    'account.none': { status: 401, message: 'Usuário sem conta vinculada.' },
    'second-factor.required': {
      status: 403,
      message: 'Segundo fator obrigatório.',
      hint: 'Peça um desafio com POST /v1/second-factor/challenges, responda-o e repita o pedido com ele no cabeçalho X-Second-Factor.',
    },
    'second-factor.none': {
      status: 403,
      message: 'Esta conta exige o segundo fator de todos os membros. Ative o seu para continuar.',
      hint: 'Comece com POST /v1/second-factor.',
    },
    'second-factor.set': { status: 409, message: 'Já há um aplicativo autenticador. Desative-o antes.' },
    'second-factor.no-set-up': { status: 409, message: 'A ativação expirou ou não foi iniciada. Comece de novo.' },
    'second-factor.own': {
      status: 409,
      message: 'O seu próprio segundo fator se desativa com a senha e um código.',
      hint: 'Use POST /v1/second-factor/remove.',
    },
    'second-factor.off': { status: 409, message: 'O segundo fator não está ativo.' },
    'second-factor.wrong': { status: 403, message: 'Código inválido ou já usado.' },
    'second-factor.locked': {
      status: 429,
      message: 'Segundo fator bloqueado por muitas tentativas. Tente novamente mais tarde.',
    },
    'trusted-device.unknown': { status: 404, message: 'Dispositivo confiável não encontrado.' },
    'challenge.ended': { status: 410, message: 'O desafio expirou ou já terminou. Comece de novo.' },
    'passkeys.off': { status: 422, message: 'Este servidor não aceita chaves de acesso.' },
    'passkey.unknown': { status: 404, message: 'Chave de acesso não encontrada.' },
    'passkey.none': { status: 422, message: 'Não há chave de acesso cadastrada.' },
    'passkey.wrong': { status: 401, message: 'Chave de acesso não reconhecida.' },
    'passkey.expired': { status: 410, message: 'O pedido ao autenticador expirou ou já foi usado. Comece de novo.' },
    'passkey.invalid': { status: 422, message: 'A resposta do autenticador não é válida para este pedido.' },
    'passkey.taken': { status: 409, message: 'Esta chave de acesso já está cadastrada.' },
    'passkey.limit': {
      status: 422,
      message: 'Limite de 20 chaves de acesso atingido. Remova uma para cadastrar outra.',
    },
    'pin.missing': { status: 403, message: 'PIN obrigatório.' },
    'pin.wrong': { status: 403, message: 'PIN inválido.' },
    'pin.none': { status: 403, message: 'PIN não configurado.', hint: 'Defina-o com POST /access/account/pin.' },
    'pin.locked': { status: 403, message: 'PIN bloqueado. Tente novamente mais tarde.' },
    'pin.set': { status: 409, message: 'PIN já definido.' },
    'session.unknown': { status: 404, message: 'Sessão não encontrada.' },
    'login.throttled': { status: 429, message: 'Muitas tentativas de login. Tente novamente mais tarde.' },
    'organization.none': {
      status: 404,
      message: 'Nenhuma organização encontrada.',
      hint: 'Crie uma com POST /v1/organizations.',
    },
    'organization.limit': { status: 429, message: 'Limite de 30 organizações por dia. Tente novamente mais tarde.' },
    'organization.unknown': { status: 404, message: 'Organização não encontrada.' },
    'organization.funds': {
      status: 409,
      message: 'A organização ainda tem saldo, disponível ou reservado. Saque ou transfira tudo antes de removê-la.',
    },
    'organization.pending': {
      status: 409,
      message: 'A organização ainda pode receber dinheiro: tem cobranças em aberto ou transferências a caminho.',
      hint: 'Apague as cobranças em `errors`, aguarde as transferências, e repita o pedido.',
    },
    'account.foreign': { status: 403, message: 'Conta não pertence ao usuário.' },
    'code.invalid': { status: 422, message: 'Código de verificação inválido ou expirado.' },
    'code.throttled': { status: 429, message: 'Muitas tentativas de código. Tente novamente mais tarde.' },
    'code.soon': { status: 429, message: 'Um código foi enviado há menos de 2 minutos. Aguarde para pedir outro.' },
    'user.unknown': { status: 404, message: 'Usuário não encontrado.' },
    'user.shared': {
      status: 403,
      message: 'Este usuário também pertence a outra conta: só ele mesmo altera seu e-mail e sua senha.',
    },
    'user.self': SERVER_FAILURES.fields,
    'user.member': {
      status: 409,
      message: 'Este usuário ainda pertence à organização.',
      hint: 'Remova o usuário da organização com DELETE /v1/users/{id}, e repita o pedido.',
    },
    'user.last-admin': SERVER_FAILURES.fields,
    'logo.unknown': { status: 404, message: 'Logotipo não encontrado.' },
    'notification.unknown': { status: 404, message: 'Notificação não encontrada.' },
    'delivery.unknown': { status: 404, message: 'Entrega de webhook não encontrada.' },
    'delivery.pending': { status: 409, message: 'Entrega ainda em andamento.' },
    'opening.unknown': { status: 404, message: 'Abertura de conta não encontrada.' },
    'client.document.taken': { status: 422, message: 'Já existe um cliente com este documento nesta organização.' },
    'client.charges-open': {
      status: 409,
      message: 'O cliente tem cobranças em aberto.',
      hint: 'Cancele as cobranças em `errors` ou aguarde o seu fim, e repita o pedido.',
    },
    // Registrations
    'document.kind': { status: 400, message: 'Documento inválido. Informe um CPF ou CNPJ.' },
    'registration.unknown': { status: 404, message: 'Cadastro não encontrado.' },
    // Charges, refunds and the bank
    'account.unknown': { status: 404, message: 'Conta não encontrada.' },
    'organization.inactive': { status: 403, message: 'Organização não está ativa.' },
    'permission.lacking': { status: 403, message: 'Permissão insuficiente.' },
    'charge.unknown': { status: 404, message: 'Cobrança não encontrada.' },
    'charge.not-pending': { status: 400, message: 'Somente cobranças pendentes podem ser alteradas.' },
    'charge.busy': {
      status: 409,
      message: 'O banco ainda não respondeu sobre esta cobrança. Tente novamente em instantes.',
    },
    'charge.none-given': { status: 400, message: 'Nenhuma cobrança informada.' },
    'simulation.forbidden': { status: 403, message: 'Somente contas de teste simulam pagamentos.' },
    'transaction.unknown': { status: 404, message: 'Transação não encontrada.' },
    'split-receiver.unknown': { status: 404, message: 'Chave para receber split não encontrada.' },
    'refund.not-pix': { status: 400, message: 'A cobrança não foi paga por Pix: não há o que devolver.' },
    'refund.late': { status: 400, message: 'Um Pix só pode ser devolvido até 90 dias depois de recebido.' },
    'instant-pix.unknown': { status: 404, message: 'Pix não encontrado para esta conta.' },
    'client.no-email': { status: 400, message: 'O cliente não tem e-mail.' },
    'boleto.unknown': { status: 404, message: 'Boleto não encontrado.' },
    'boleto.name': { status: 400, message: 'Nome de arquivo inválido.' },
    'boleto.search-code': { status: 403, message: 'Código de acesso inválido.' },
    'document.throttled': { status: 429, message: 'Muitas buscas de documentos. Tente novamente mais tarde.' },
    'title.unknown': { status: 404, message: 'Título não encontrado.' },
    'payment.elsewhere': { status: 409, message: 'Este pagamento já foi lançado em outra cobrança.' },
    'payment.contradictory': { status: 409, message: 'Este pagamento já foi lançado com outro valor.' },
    'bank.refused': { status: 400, message: 'O banco recusou a operação: {reason}' },
    'bank.unsupported': { status: 422, message: 'Operação não disponível neste banco.' },
    'bank.unavailable': { status: 400, message: 'Não foi possível falar com o banco. Tente novamente em instantes.' },
    // Payment links
    'link.unknown': { status: 404, message: 'Link de pagamento não encontrado.' },
    'link.expired': { status: 422, message: 'Um link de pagamento expirado não pode ser alterado.' },
    'link.token': { status: 401, message: 'Token do link ausente ou inválido.' },
    'link.over': { status: 410, message: 'Este link de pagamento expirou.' },
    'link.paused': { status: 403, message: 'Este link de pagamento está pausado.' },
    'link.paid': { status: 410, message: 'Este link de pagamento já foi pago.' },
    'link.used-up': { status: 410, message: 'Este link de pagamento atingiu o limite de pagamentos.' },
    'link.processing': { status: 400, message: 'Já há um pagamento em processamento neste link. Aguarde a resposta.' },
    'link.throttled': { status: 429, message: 'Muitas cobranças por este link. Tente novamente mais tarde.' },
    // Cards
    'card.unsupported': { status: 422, message: 'Bandeira não suportada' },
    'card-balance.insufficient': { status: 400, message: 'Saldo insuficiente.' },
    'card.declined': { status: 400, message: 'O cartão não foi aprovado: {reason}' },
    'card.throttled': { status: 429, message: 'Muitos cartões recusados. Tente novamente mais tarde.' },
    'card.waiting': { status: 429, message: 'Outros cartões aguardam resposta. Tente novamente em instantes.' },
    // Exports
    'export.empty': { status: 404, message: 'Nenhuma transação encontrada.' },
    'export.unknown': { status: 404, message: 'Exportação não encontrada.' },
    'export.pending': { status: 404, message: 'A exportação ainda não está pronta.' },
    'export.type': { status: 400, message: 'Esta notificação não é de uma exportação.' },
    // Withdrawals
    'key.unknown': { status: 404, message: 'A chave Pix pesquisada não existe.' },
    'key.throttled': { status: 429, message: 'Muitas consultas de chaves Pix. Tente novamente mais tarde.' },
    'withdrawal.unknown': { status: 404, message: 'Saque não encontrado.' },
    'withdrawal.used': { status: 409, message: 'Este saque já foi confirmado.' },
    'withdrawals.waiting': {
      status: 503,
      message: 'Há saques demais aguardando o banco. Tente novamente em instantes.',
    },
    'recipient.unknown': { status: 404, message: 'Destinatário não encontrado.' },
    // Internal transfers
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
  issues: {
    // Access, accounts, clients, notifications and webhook deliveries
    'pin.weak': 'O PIN não pode ser uma sequência nem um dígito repetido.',
    state: 'Deve ser a sigla de um estado, com 2 letras.',
    host: 'Deve ser um nome de servidor válido.',
    'document.other': 'O documento não é deste usuário.',
    'email.other': 'O e-mail não é o do usuário autenticado.',
    'email.unknown': 'Este e-mail não está cadastrado.',
    'code.invalid': 'Código inválido ou expirado.',
    'user.self': 'Você não pode remover a si mesmo.',
    'user.member': 'Este usuário ainda pertence à organização.',
    'user.last-admin': 'A conta precisa de pelo menos um administrador.',
    'email.taken': 'Este e-mail já está em uso.',
    'document.taken': 'Este documento já está em uso.',
    'client.document.taken': 'Já existe um cliente com este documento nesta organização.',
    'client.charges-open': 'Esta cobrança está em aberto.',
    'organization.charge': 'Esta cobrança está em aberto.',
    'organization.transfer': 'Esta transferência está a caminho.',
    'organization.funds': 'A organização ainda tem saldo, disponível ou reservado.',
    // Registrations
    'account-type': 'Não corresponde ao documento.',
    'bank.other': 'Não é possível abrir uma conta neste banco.',
    letters: 'Deve ter exatamente 4 letras.',
    'registration.confirmed': 'O e-mail deste cadastro já foi confirmado.',
    'registration.unconfirmed': 'Confirme o e-mail do cadastro antes de enviar as imagens.',
    'registration.over': 'Este cadastro já foi analisado.',
    // Charges, refunds and the bank
    'charge.method': 'Este meio de pagamento não pode ser usado aqui.',
    'charge.card-value': 'O valor e o vencimento de uma cobrança no cartão não podem ser alterados.',
    'balance.fee': 'Saldo insuficiente para a tarifa de emissão.',
    'split.self': 'Uma conta não divide uma cobrança consigo mesma.',
    'split.inactive': 'A conta que recebe está suspensa.',
    'split.repeated': 'A conta já recebe outra parte desta cobrança.',
    'split.cent': 'A parte deve ser de pelo menos um centavo.',
    'split.percent': 'Os percentuais somam mais de 100%.',
    'split.value': 'As partes somam mais que o valor da cobrança.',
    'split.fixed': 'Contas recebem um valor fixo desta cobrança: depois de paga em parte, o valor dela não muda.',
    'refund.left': 'Restam {max} do Pix para devolver.',
    'refund.several': 'De mais de um Pix resta algo a devolver: informe de qual.',
    'refund.balance': 'Saldo insuficiente para a devolução.',
    'boleto.reach': 'Um boleto pode vencer no máximo em {latest}.',
    'plan.reach': 'A última parcela venceria depois de {latest}.',
    'charge.discount': 'O desconto deve ser menor que o valor da cobrança.',
    'charge.nothing-left': 'O que já foi pago cobre esse valor: não restaria o que pagar.',
    'charge.consumer-fine':
      'A multa de uma relação de consumo é de no máximo 2% do valor da cobrança (Lei 8.078/90, art. 52, § 1º).',
    'charge.fine': 'A multa não pode passar do valor da cobrança.',
    'day.past': 'Não pode ser anterior a hoje.',
    'range.max': 'O período pode ter no máximo {max} dias.',
    'pix-key': 'Deve ser uma chave Pix válida.',
    'end-to-end-id': 'Deve ser um endToEndId válido.',
    // Charge groups
    'charge-group.slug.taken': 'Já existe um grupo de cobrança com este slug.',
    'charge-group.code.taken': 'Já existe um grupo de cobrança com este código.',
    // Payment links
    network: 'Deve ser um endereço IPv4 ou IPv6, ou uma rede em notação CIDR.',
    'api-key.permission': 'O seu perfil não tem esta permissão.',
    'api-key.expiry': 'Deve ser um instante futuro.',
    'day.future': 'Deve ser posterior a hoje.',
    'link.max-amount': 'Deve ser maior que o valor mínimo.',
    'link.method-used': 'Um meio de pagamento já usado não pode ser retirado.',
    // Cards
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
    // Exports
    'export.pdf-max': 'Um PDF tem no máximo {max} lançamentos: escolha um período menor, ou exporte em csv ou xlsx.',
    'export.pdf-charges-max': 'Um PDF tem no máximo {max} cobranças: filtre a lista, ou exporte em csv ou xlsx.',
    // Withdrawals
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
} satisfies PaymentsTexts

export const messages = messagesOf(texts)
