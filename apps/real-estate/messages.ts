import type { DevIssuer } from '../../adapters/identity/dev-issuer.ts'
import type { CodesOf, IssueCodesOf } from '../../core/failure.ts'
import type { RealEstate } from '../../core/real-estate/real-estate.ts'
import {
  type FullWording,
  messagesOf,
  type ServerCode,
  type ServerIssue,
  withStatus,
} from '../http/replies/messages.ts'
import type { ResourceCode } from '../http/rows/crud.ts'

/** The failure codes of the core and of the development issuer, without those whose message all servers share. */
export type RealEstateCode = Exclude<CodesOf<RealEstate> | CodesOf<DevIssuer> | 'permission.lacking', ServerCode>

/** The codes of plain resources, which have a text here only if it differs from that of their noun. */
type Usual = ResourceCode<RealEstate>

type RealEstateIssue = Exclude<IssueCodesOf<RealEstate>, ServerIssue>

/** The messages of unique values that are taken. Each is the failure of a request and the issue of its field. */
const TAKEN = {
  'user.uid.taken': 'Este usuário do provedor de identidade já está cadastrado.',
  'user.email.taken': 'Este e-mail já está cadastrado.',
} as const

const failures = {
  'token.invalid': {
    status: 401,
    message: 'Token ausente ou inválido.',
    hint: 'Envie Authorization: Bearer TOKEN, com um ID token do provedor de identidade que ainda vale.',
  },
  'user.unregistered': {
    status: 403,
    message: 'Usuário não cadastrado.',
    hint: 'Cadastre-se com POST /api/auth/register.',
  },
  ...withStatus(400, {
    'client.in-use': 'O cliente não pode ser excluído: tem contratos ativos ou é proprietário de imóveis.',
    'commission.paid': 'A comissão não pode ser excluída: já foi paga.',
    'contract.in-use': 'O contrato não pode ser excluído: tem pagamentos vinculados.',
    'proposal.in-use': 'A proposta não pode ser excluída: foi convertida em contrato.',
    'payment.paid': 'O pagamento não pode ser excluído: já foi pago.',
    'import.malformed':
      'O CSV não pode ser lido a partir da linha {reason}: há aspas fora de lugar, ou a linha é grande demais.',
    'import.too-long': 'O CSV tem linhas demais: são no máximo 10.000.',
    'import.atomic.too-long': 'O CSV tem linhas demais: com atomic=true são no máximo 500.',
    'import.atomic.too-wide':
      'As linhas do CSV apontam para registros diferentes demais para serem cadastradas de uma só vez.',
    'property.in-use': 'O imóvel não pode ser excluído: tem contratos ativos, propostas em aberto ou visitas por vir.',
    'condominium.in-use': 'O condomínio não pode ser excluído: há imóveis que são suas unidades.',
    'broker.in-use': 'O corretor não pode ser excluído: tem contratos ativos ou propostas em aberto.',
  }),
  ...withStatus(403, {
    'permission.lacking': 'Seu papel não permite esta operação.',
    'broker.barred': 'Seu cadastro de corretor está inativo ou foi excluído. Fale com um administrador da imobiliária.',
    'registration.forbidden': 'Este cadastro só pode ser feito por um administrador da imobiliária.',
    'invitation.other-email': 'Este convite é para outro e-mail. Entre com a conta dele.',
    'invitation.email-unverified': 'Confirme seu e-mail para aceitar o convite.',
    'client.email.linked':
      'Só um administrador muda o e-mail de um cliente quando o atual ou o novo é de um usuário da imobiliária.',
    'proposal.broker': 'Um corretor só registra propostas em seu próprio nome.',
    'calendar.not-own': 'Cada corretor só abre a própria agenda.',
    'file.not-own': 'Só quem enviou o arquivo ou um administrador pode excluí-lo.',
    'property.owner.let':
      'Só um administrador muda o proprietário de um imóvel com contrato ativo ou locação em curso.',
  }),
  ...withStatus(404, {
    'user.unknown': 'Usuário não cadastrado.',
    'invitation.unknown': 'Convite não encontrado, já usado ou vencido.',
    'contract.unknown': 'Contrato não encontrado.',
    'proposal.unknown': 'Proposta não encontrada.',
    'charge.unknown': 'Cobrança não encontrada.',
    'payment-account.unknown': 'A imobiliária não tem conta de pagamentos.',
    'owner.unknown': 'Proprietário não encontrado.',
    'visit.unknown': 'Visita não encontrada.',
    'calendar.unknown': 'Agenda não encontrada.',
    'notification.unknown': 'Notificação não encontrada.',
    'feed.unknown': 'Feed não encontrado.',
  }),
  ...withStatus(422, {
    'invitation.accepted': 'Este convite já foi aceito.',
    'invitation.unmailable': 'Não há por onde enviar o e-mail do convite.',
    'commission.closed': 'A comissão já foi paga.',
    'commission.move.refused': 'A comissão não pode passar a esta situação.',
    'contract.move': 'O contrato não pode passar da situação atual para a informada.',
    'contract.ended': 'O contrato não está ativo.',
    'contract.bound': 'O imóvel, o cliente, o tipo e a proposta de um contrato não podem ser alterados.',
    'contract.payments': 'O contrato tem pagamentos futuros demais para serem cancelados de uma vez.',
    'contract.period-closed': 'Os dias dos períodos anteriores estão encerrados.',
    'contract.adjustments': 'O contrato já foi reajustado vezes demais.',
    'contract.periods': 'O contrato já foi renovado vezes demais.',
    'adjustment.early': 'O valor só pode ser reajustado a partir de {reason}.',
    'adjustment.missing': 'Faltam variações na tabela de índices: {reason}.',
    'adjustment.no-percentage': 'O contrato tem reajuste fixo sem percentual.',
    'adjustment.unpayable': 'O valor reajustado não é um valor possível.',
    'contract.no-termination-fine': 'O contrato não prevê multa por rescisão antecipada.',
    'proposal.unconvertible':
      'A proposta não está aprovada, expirou, já foi convertida, ou é de outro imóvel, cliente ou tipo.',
    'proposal.closed': 'A proposta não está mais em análise nem em negociação.',
    'proposal.move': 'A proposta não pode passar da situação atual para a informada.',
    'proposal.expired': 'A proposta expirou.',
    'proposal.not-approved': 'A proposta não está aprovada.',
    'proposal.converted': 'A proposta já foi convertida em contrato.',
    'payment.closed': 'O pagamento já foi pago ou cancelado.',
    'payment.charged': 'O pagamento tem uma cobrança em aberto. Registre que foi pago, ou exclua-o, para cancelá-la.',
    'payment.part-paid':
      'O pagamento não pode ser excluído: {reason} já chegaram por uma cobrança. Devolva essa parte, ou registre o resto como pago.',
    'payment.no-account': 'A imobiliária não tem conta de pagamentos (PUT /api/company/payment-account).',
    'payment.no-tax-id': 'O cliente do contrato não tem CPF ou CNPJ (taxId).',
    'payment.nothing-due': 'O desconto do contrato, ou o que já foi recebido, não deixa nada a cobrar.',
    'charge.refused': 'A cobrança foi recusada: {reason}',
    'charge.uncancelled': 'A cobrança em aberto não pôde ser cancelada: {reason}',
    'charge.ended': 'A cobrança foi encerrada entretanto. Tente novamente.',
    'visit.closed': 'A visita já foi feita ou cancelada.',
    'visit.move': 'A visita não pode passar para esta situação.',
    'visit.checkin-missing': 'A visita só pode ser concluída com a chegada do corretor registrada (checkinDone).',
    'calendar.brokerless': 'Não há um corretor com o seu e-mail.',
    'property.move': 'O imóvel não pode passar da situação em que está para esta.',
    'property.purpose': 'A finalidade do imóvel não permite esta situação.',
    'property.other-purpose': 'O imóvel tem outra finalidade: não aceita este tipo de proposta ou contrato.',
    'property.occupied': 'O imóvel já está alugado ou vendido.',
    'property.leased': 'O imóvel tem uma locação ativa.',
    'condominium.not-leased': 'Nenhuma unidade do condomínio tem locação ativa.',
    'condominium.share-too-small': 'O valor é pequeno demais: caberia a uma unidade menos de um centavo.',
    'condominium.too-many-units': 'O condomínio tem unidades locadas demais para um só rateio: são no máximo 490.',
  }),
  ...withStatus(429, {
    'invitation.too-many': 'A imobiliária já enviou muitos convites nas últimas 24 horas. Tente mais tarde.',
    'login.throttled':
      'TOO_MANY_ATTEMPTS_TRY_LATER : Access to this account has been temporarily disabled due to many failed login attempts.',
    'stream.too-many': 'Há conexões demais deste usuário. Feche alguma antes de abrir outra.',
  }),
  ...withStatus(503, {
    'identity.unavailable': 'O provedor de identidade não responde. Tente novamente em instantes.',
    'charging.unavailable': 'O banco ainda não respondeu. Tente novamente em instantes.',
    'stream.full': 'Há conexões demais abertas. Tente novamente em instantes.',
  }),
  ...withStatus(409, TAKEN),
  // The error codes of Firebase.
  ...withStatus(400, {
    'issuer.email-exists': 'EMAIL_EXISTS',
    'issuer.credentials-wrong': 'INVALID_LOGIN_CREDENTIALS',
    'issuer.token-invalid': 'INVALID_ID_TOKEN',
    'issuer.user-missing': 'USER_NOT_FOUND',
    'issuer.refresh-invalid': 'INVALID_REFRESH_TOKEN',
    'issuer.email-missing': 'EMAIL_NOT_FOUND',
    'issuer.code-invalid': 'INVALID_OOB_CODE',
    'issuer.code-expired': 'EXPIRED_OOB_CODE',
    'issuer.token-expired': 'TOKEN_EXPIRED',
  }),
} as const satisfies { readonly [C in Exclude<RealEstateCode, Usual>]: FullWording } & {
  readonly [C in RealEstateCode & Usual]?: FullWording
}

const issues = {
  'not-own': 'Não é o que diz o token de quem se cadastra.',
  ...TAKEN,
  'document.kind': 'Deve ser um CPF para pessoa física e um CNPJ para pessoa jurídica.',
  'commission.worthless': 'Deve corresponder a pelo menos um centavo do valor do contrato.',
  after: 'Deve ser posterior a {other}.',
  'not-after': 'Não pode ser posterior a {other}.',
  'contract.period-closed': 'Deve ser posterior ao último dia do período anterior.',
  past: 'Deve estar no futuro.',
  future: 'Não pode estar no futuro.',
  'period.long': 'Deve abranger no máximo {max} meses.',
  'quote.far': 'Informe um dia até 31/12/2199.',
  'reference.document': 'Deve ser o identificador, o CPF ou o CNPJ de um cliente.',
  'reference.unknown': 'Não há um cliente da imobiliária com este CPF ou CNPJ.',
} as const satisfies { readonly [C in Exclude<RealEstateIssue, Usual>]: string } & {
  readonly [C in RealEstateIssue & Usual]?: string
}

/** The Portuguese messages of the real-estate API, by code. A code without a message does not compile. */
export const messages = messagesOf({
  failures: {
    // Overrides of the messages of every server.
    fields: { status: 400, message: 'Os dados fornecidos são inválidos.' },
    'key.malformed': {
      status: 400,
      message: 'A chave de idempotência deve ter de 1 a 255 caracteres e não pode conter o número de um cartão.',
    },
    ...failures,
  },
  issues,
  takenStatus: 409,
})
