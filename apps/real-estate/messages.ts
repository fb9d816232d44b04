import type { DevIssuer } from '../../adapters/identity/dev-issuer.ts'
import type { CodesOf, IssueCodesOf } from '../../core/failure.ts'
import type { RealEstate } from '../../core/real-estate/real-estate.ts'
import { type FullWording, messagesOf, type ServerCode, type ServerIssue } from '../http/replies/messages.ts'
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

const taken = (code: keyof typeof TAKEN) => ({ status: 409, message: TAKEN[code] })

const failures = {
  'token.invalid': {
    status: 401,
    message: 'Token ausente ou inválido.',
    hint: 'Envie Authorization: Bearer TOKEN, com um ID token do provedor de identidade que ainda vale.',
  },
  'identity.unavailable': {
    status: 503,
    message: 'O provedor de identidade não responde. Tente novamente em instantes.',
  },
  'permission.lacking': { status: 403, message: 'Seu papel não permite esta operação.' },
  'user.unregistered': {
    status: 403,
    message: 'Usuário não cadastrado.',
    hint: 'Cadastre-se com POST /api/auth/register.',
  },
  'broker.barred': {
    status: 403,
    message: 'Seu cadastro de corretor está inativo ou foi excluído. Fale com um administrador da imobiliária.',
  },
  'user.unknown': { status: 404, message: 'Usuário não cadastrado.' },
  'registration.forbidden': {
    status: 403,
    message: 'Este cadastro só pode ser feito por um administrador da imobiliária.',
  },
  'invitation.unknown': { status: 404, message: 'Convite não encontrado, já usado ou vencido.' },
  'invitation.accepted': { status: 422, message: 'Este convite já foi aceito.' },
  'invitation.other-email': { status: 403, message: 'Este convite é para outro e-mail. Entre com a conta dele.' },
  'invitation.email-unverified': { status: 403, message: 'Confirme seu e-mail para aceitar o convite.' },
  'invitation.too-many': {
    status: 429,
    message: 'A imobiliária já enviou muitos convites nas últimas 24 horas. Tente mais tarde.',
  },
  'invitation.unmailable': { status: 422, message: 'Não há por onde enviar o e-mail do convite.' },
  'user.uid.taken': taken('user.uid.taken'),
  'user.email.taken': taken('user.email.taken'),
  'client.email.linked': {
    status: 403,
    message: 'Só um administrador muda o e-mail de um cliente quando o atual ou o novo é de um usuário da imobiliária.',
  },
  'client.in-use': {
    status: 400,
    message: 'O cliente não pode ser excluído: tem contratos ativos ou é proprietário de imóveis.',
  },
  'commission.closed': { status: 422, message: 'A comissão já foi paga.' },
  'commission.move.refused': { status: 422, message: 'A comissão não pode passar a esta situação.' },
  'commission.paid': { status: 400, message: 'A comissão não pode ser excluída: já foi paga.' },
  'contract.unknown': { status: 404, message: 'Contrato não encontrado.' },
  'contract.in-use': { status: 400, message: 'O contrato não pode ser excluído: tem pagamentos vinculados.' },
  'contract.move': { status: 422, message: 'O contrato não pode passar da situação atual para a informada.' },
  'contract.ended': { status: 422, message: 'O contrato não está ativo.' },
  'contract.bound': {
    status: 422,
    message: 'O imóvel, o cliente, o tipo e a proposta de um contrato não podem ser alterados.',
  },
  'contract.payments': {
    status: 422,
    message: 'O contrato tem pagamentos futuros demais para serem cancelados de uma vez.',
  },
  'contract.period-closed': { status: 422, message: 'Os dias dos períodos anteriores estão encerrados.' },
  'contract.adjustments': { status: 422, message: 'O contrato já foi reajustado vezes demais.' },
  'contract.periods': { status: 422, message: 'O contrato já foi renovado vezes demais.' },
  'adjustment.early': { status: 422, message: 'O valor só pode ser reajustado a partir de {reason}.' },
  'adjustment.missing': { status: 422, message: 'Faltam variações na tabela de índices: {reason}.' },
  'adjustment.no-percentage': { status: 422, message: 'O contrato tem reajuste fixo sem percentual.' },
  'adjustment.unpayable': { status: 422, message: 'O valor reajustado não é um valor possível.' },
  'contract.no-termination-fine': { status: 422, message: 'O contrato não prevê multa por rescisão antecipada.' },
  'proposal.unconvertible': {
    status: 422,
    message: 'A proposta não está aprovada, expirou, já foi convertida, ou é de outro imóvel, cliente ou tipo.',
  },
  'proposal.unknown': { status: 404, message: 'Proposta não encontrada.' },
  'proposal.broker': { status: 403, message: 'Um corretor só registra propostas em seu próprio nome.' },
  'proposal.closed': { status: 422, message: 'A proposta não está mais em análise nem em negociação.' },
  'proposal.move': { status: 422, message: 'A proposta não pode passar da situação atual para a informada.' },
  'proposal.expired': { status: 422, message: 'A proposta expirou.' },
  'proposal.not-approved': { status: 422, message: 'A proposta não está aprovada.' },
  'proposal.converted': { status: 422, message: 'A proposta já foi convertida em contrato.' },
  'proposal.in-use': { status: 400, message: 'A proposta não pode ser excluída: foi convertida em contrato.' },
  'issuer.email-exists': { status: 400, message: 'EMAIL_EXISTS' },
  'issuer.credentials-wrong': { status: 400, message: 'INVALID_LOGIN_CREDENTIALS' },
  'issuer.token-invalid': { status: 400, message: 'INVALID_ID_TOKEN' },
  'issuer.user-missing': { status: 400, message: 'USER_NOT_FOUND' },
  'issuer.refresh-invalid': { status: 400, message: 'INVALID_REFRESH_TOKEN' },
  'issuer.email-missing': { status: 400, message: 'EMAIL_NOT_FOUND' },
  'issuer.code-invalid': { status: 400, message: 'INVALID_OOB_CODE' },
  'issuer.code-expired': { status: 400, message: 'EXPIRED_OOB_CODE' },
  'issuer.token-expired': { status: 400, message: 'TOKEN_EXPIRED' },
  'login.throttled': {
    status: 429,
    message:
      'TOO_MANY_ATTEMPTS_TRY_LATER : Access to this account has been temporarily disabled due to many failed login attempts.',
  },
  'payment.closed': { status: 422, message: 'O pagamento já foi pago ou cancelado.' },
  'payment.charged': {
    status: 422,
    message: 'O pagamento tem uma cobrança em aberto. Registre que foi pago, ou exclua-o, para cancelá-la.',
  },
  'payment.part-paid': {
    status: 422,
    message:
      'O pagamento não pode ser excluído: {reason} já chegaram por uma cobrança. Devolva essa parte, ou registre o resto como pago.',
  },
  'payment.no-account': {
    status: 422,
    message: 'A imobiliária não tem conta de pagamentos (PUT /api/company/payment-account).',
  },
  'payment.no-tax-id': { status: 422, message: 'O cliente do contrato não tem CPF ou CNPJ (taxId).' },
  'payment.nothing-due': {
    status: 422,
    message: 'O desconto do contrato, ou o que já foi recebido, não deixa nada a cobrar.',
  },
  'charge.refused': { status: 422, message: 'A cobrança foi recusada: {reason}' },
  'charge.uncancelled': { status: 422, message: 'A cobrança em aberto não pôde ser cancelada: {reason}' },
  'charge.ended': { status: 422, message: 'A cobrança foi encerrada entretanto. Tente novamente.' },
  'charge.unknown': { status: 404, message: 'Cobrança não encontrada.' },
  'charging.unavailable': {
    status: 503,
    message: 'O banco ainda não respondeu. Tente novamente em instantes.',
  },
  'payment-account.unknown': { status: 404, message: 'A imobiliária não tem conta de pagamentos.' },
  'payment.paid': { status: 400, message: 'O pagamento não pode ser excluído: já foi pago.' },
  'owner.unknown': { status: 404, message: 'Proprietário não encontrado.' },
  'visit.unknown': { status: 404, message: 'Visita não encontrada.' },
  'visit.closed': { status: 422, message: 'A visita já foi feita ou cancelada.' },
  'visit.move': { status: 422, message: 'A visita não pode passar para esta situação.' },
  'visit.checkin-missing': {
    status: 422,
    message: 'A visita só pode ser concluída com a chegada do corretor registrada (checkinDone).',
  },
  'calendar.unknown': { status: 404, message: 'Agenda não encontrada.' },
  'calendar.brokerless': { status: 422, message: 'Não há um corretor com o seu e-mail.' },
  'calendar.not-own': { status: 403, message: 'Cada corretor só abre a própria agenda.' },
  'file.not-own': { status: 403, message: 'Só quem enviou o arquivo ou um administrador pode excluí-lo.' },
  'import.malformed': {
    status: 400,
    message: 'O CSV não pode ser lido a partir da linha {reason}: há aspas fora de lugar, ou a linha é grande demais.',
  },
  'import.too-long': { status: 400, message: 'O CSV tem linhas demais: são no máximo 10.000.' },
  'import.atomic.too-long': { status: 400, message: 'O CSV tem linhas demais: com atomic=true são no máximo 500.' },
  'import.atomic.too-wide': {
    status: 400,
    message: 'As linhas do CSV apontam para registros diferentes demais para serem cadastradas de uma só vez.',
  },
  'notification.unknown': { status: 404, message: 'Notificação não encontrada.' },
  'stream.too-many': { status: 429, message: 'Há conexões demais deste usuário. Feche alguma antes de abrir outra.' },
  'stream.full': { status: 503, message: 'Há conexões demais abertas. Tente novamente em instantes.' },
  'property.in-use': {
    status: 400,
    message: 'O imóvel não pode ser excluído: tem contratos ativos, propostas em aberto ou visitas por vir.',
  },
  'property.move': { status: 422, message: 'O imóvel não pode passar da situação em que está para esta.' },
  'property.purpose': { status: 422, message: 'A finalidade do imóvel não permite esta situação.' },
  'property.other-purpose': {
    status: 422,
    message: 'O imóvel tem outra finalidade: não aceita este tipo de proposta ou contrato.',
  },
  'property.occupied': { status: 422, message: 'O imóvel já está alugado ou vendido.' },
  'property.owner.let': {
    status: 403,
    message: 'Só um administrador muda o proprietário de um imóvel com contrato ativo ou locação em curso.',
  },
  'property.leased': { status: 422, message: 'O imóvel tem uma locação ativa.' },
  'condominium.in-use': {
    status: 400,
    message: 'O condomínio não pode ser excluído: há imóveis que são suas unidades.',
  },
  'condominium.not-leased': { status: 422, message: 'Nenhuma unidade do condomínio tem locação ativa.' },
  'condominium.share-too-small': {
    status: 422,
    message: 'O valor é pequeno demais: caberia a uma unidade menos de um centavo.',
  },
  'condominium.too-many-units': {
    status: 422,
    message: 'O condomínio tem unidades locadas demais para um só rateio: são no máximo 490.',
  },
  'broker.in-use': {
    status: 400,
    message: 'O corretor não pode ser excluído: tem contratos ativos ou propostas em aberto.',
  },
  'feed.unknown': { status: 404, message: 'Feed não encontrado.' },
} as const satisfies { readonly [C in Exclude<RealEstateCode, Usual>]: FullWording } & {
  readonly [C in RealEstateCode & Usual]?: FullWording
}

const issues = {
  'not-own': 'Não é o que diz o token de quem se cadastra.',
  'user.uid.taken': TAKEN['user.uid.taken'],
  'user.email.taken': TAKEN['user.email.taken'],
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
