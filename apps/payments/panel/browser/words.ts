import { count, documentText, instantText, money } from '../../../panels/browser/format.ts'

/** The roles of users by their ids. */
export const ROLES = [
  ['1', 'Administração'],
  ['2', 'Gerência'],
  ['3', 'Operação'],
  ['4', 'Consulta'],
] as const

export const roleName = (role: number): string | null => ROLES.find(([id]) => id === `${role}`)?.[1] ?? null

/** The permissions of named API keys. */
export const KEY_PERMISSIONS = [
  ['charges:read', 'Ver cobranças'],
  ['charges:write', 'Emitir e alterar cobranças'],
  ['clients:read', 'Ver clientes'],
  ['clients:write', 'Cadastrar e alterar clientes'],
  ['links:read', 'Ver links de pagamento'],
  ['links:write', 'Criar e alterar links de pagamento'],
  ['statements:read', 'Ver extratos'],
  ['withdrawals:read', 'Ver saques'],
  ['withdrawals:write', 'Sacar, com o PIN'],
  ['users:read', 'Ver a equipe'],
] as const

/** The rules by which payers are notified. */
export const RULES = [
  ['on_creation', 'Quando a cobrança é criada'],
  ['before_due', 'Antes do vencimento'],
  ['on_due', 'No dia do vencimento'],
  ['after_due', 'Depois do vencimento'],
  ['on_payment', 'Quando a cobrança é paga'],
  ['on_update', 'Quando a cobrança é alterada'],
  ['on_delete', 'Quando a cobrança é apagada'],
] as const

export const CHANNELS = [
  ['email', 'E-mail'],
  ['whatsapp', 'WhatsApp'],
  ['sms', 'SMS'],
] as const

/** The names of audited fields, as the API describes them. Those of a part of a record follow the part's name. */
const FIELD_NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    name: 'Nome',
    email: 'E-mail',
    phone: 'Telefone',
    document: 'CPF ou CNPJ',
    status: 'Situação',
    roleId: 'Perfil',
    emailVerifiedAt: 'Quando o e-mail foi verificado',
    passwordHash: 'Senha',
    secondFactorAt: 'Última alteração do segundo fator',
    removedAt: 'Quando foi removido',
    documentPassedAt: 'Quando o documento passou a outro cadastro',
    codeAccount: 'Código da conta',
    agency: 'Agência',
    account: 'Conta',
    bankCode: 'Banco',
    pixKey: 'Chave Pix',
    apiKeySealed: 'Chave de API',
    webhookUrl: 'Endereço que recebe os webhooks',
    webhookSecretSealed: 'Segredo dos webhooks',
    logoFileId: 'Logotipo',
    pinHash: 'PIN',
    pinTries: 'Tentativas do PIN',
    pinLockedUntil: 'Até quando o PIN está bloqueado',
    pinOpenTries: 'Tentativas do PIN em andamento',
    requiresSecondFactor: 'Exige o segundo fator',
    secondFactorFromCents: 'Valor a partir do qual uma saída exige o segundo fator',
    secondFactorDayFromCents: 'Soma do dia a partir da qual cada saída exige o segundo fator',
    acceptPartial: 'Se um pagamento em parte deixa a cobrança aberta',
    partialToleranceCents: 'Quanto pode faltar numa cobrança paga',
    hasNoConsumers: 'Se a conta declara que nenhuma cobrança é de relação de consumo',
    admins: 'Administradores ativos',
    'address.street': 'Logradouro',
    'address.number': 'Número',
    'address.city': 'Cidade',
    'address.state': 'Sigla do estado',
    'address.zipCode': 'CEP',
    'smtp.host': 'Servidor',
    'smtp.port': 'Porta',
    'smtp.user': 'Usuário',
    'smtp.encryption': 'Criptografia',
    'smtp.fromName': 'Nome do remetente',
    'smtp.fromAddress': 'E-mail do remetente',
    'smtp.passwordSealed': 'Senha',
    'boletoConfigs.rateHundredths': 'Juros',
    'boletoConfigs.typeRate': 'Tipo dos juros',
    'boletoConfigs.fineHundredths': 'Multa por atraso',
    'boletoConfigs.typeFine': 'Tipo da multa',
    'boletoConfigs.discountHundredths': 'Desconto',
    'boletoConfigs.typeDiscount': 'Tipo do desconto',
    'taxes.pixInCents': 'Tarifa de um Pix recebido',
    'taxes.pixOutCents': 'Tarifa de um Pix enviado',
    'taxes.boletoInCents': 'Tarifa de um boleto pago',
    'taxes.boletoCents': 'Tarifa de emissão de um boleto',
    'taxes.bolepixCents': 'Tarifa de emissão de um boleto com Pix',
    'taxes.feeHundredths': 'Percentual de uma venda no cartão',
    'limits.pixOutPerTransactionCents': 'Máximo de um Pix enviado',
    'limits.pixOutDailyCents': 'Máximo de Pix enviados de dia',
    'limits.pixOutNightlyCents': 'Máximo de Pix enviados à noite',
    'limits.chargeMinCents': 'Valor mínimo de uma cobrança',
    'limits.chargeMaxCents': 'Valor máximo de uma cobrança',
    'notificationRules.enabled': 'Se o aviso é enviado',
    'notificationRules.message': 'Texto do aviso',
    'notificationRules.channels': 'Por onde o aviso é enviado',
    'notificationRules.days': 'Quantos dias antes ou depois do vencimento',
    permissions: 'O que a chave permite',
    expiresAt: 'Quando deixa de valer',
    addresses: 'Endereços e redes (CIDR) de onde a chave pode ser usada',
    successorId: 'A chave que a substituiu',
    issuers: 'Contas que podem usar a chave',
    'passkeys.name': 'Nome da chave de acesso',
    'passkeys.counter': 'Contador da chave de acesso',
  }),
)

const PARTS: Readonly<Record<string, string>> = {
  address: 'Endereço',
  smtp: 'Servidor de e-mail',
  boletoConfigs: 'Padrão das cobranças',
}

/** Returns the name of an audited field by its path; null for a path that no record has. */
export const auditedName = (path: string): string | null => {
  const [part = '', key, field] = path.split('.')
  const name = FIELD_NAMES.get(field === undefined ? path : `${part}.${field}`)
  if (name === undefined) return null
  const group = PARTS[part] ?? RULES.find(([rule]) => rule === key)?.[1]
  return group !== undefined && key !== undefined ? `${group} · ${name}` : name
}

/** The names of coded values, by the last word of their field's path. */
const VALUE_NAMES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  status: {
    ACTIVE: 'Ativa',
    INACTIVE: 'Inativa',
    SUSPENDED: 'Suspensa',
    DISABLED: 'Desativada',
    DISQUALIFIED: 'Recusada',
    SOFT_DELETED: 'Removida',
    DELETED: 'Removida',
    1: 'Ativo',
    0: 'Inativo',
  },
  roleId: Object.fromEntries(ROLES),
  permissions: Object.fromEntries(KEY_PERMISSIONS),
  channels: Object.fromEntries(CHANNELS),
  typeRate: { ABSOLUTE: 'em reais', PERCENTAGE: 'em porcentagem' },
  typeFine: { ABSOLUTE: 'em reais', PERCENTAGE: 'em porcentagem' },
  typeDiscount: { ABSOLUTE: 'em reais', PERCENTAGE: 'em porcentagem' },
  encryption: { tls: 'TLS', ssl: 'SSL' },
}

/** The texts of empty lists that limit nothing, by the last word of their field's path. */
const EMPTY_LISTS: Readonly<Record<string, string>> = { addresses: 'qualquer lugar', issuers: 'qualquer uma' }

export const auditedText = (path: string, value: unknown): string => {
  const field = path.slice(path.lastIndexOf('.') + 1)
  if (value === null || value === '') return 'nada'
  if (Array.isArray(value) && value.length === 0) return EMPTY_LISTS[field] ?? 'nada'
  if (Array.isArray(value)) return value.map((each) => auditedText(path, each)).join(', ')
  if (typeof value === 'boolean') return value ? 'sim' : 'não'
  if (typeof value === 'number' && field.endsWith('Cents')) return money(value / 100)
  if (typeof value === 'number' && field.endsWith('Hundredths')) return count(value / 100)
  if (typeof value === 'string' && /(At|Until)$/.test(field)) return instantText(value)
  if (field === 'logoFileId') return 'uma imagem'
  if (field === 'document') return documentText(`${value}`)
  return VALUE_NAMES[field]?.[`${value}`] ?? (typeof value === 'object' ? JSON.stringify(value) : `${value}`)
}

/** The reasons why a webhook got no answer, by their codes. */
const FAULTS: Readonly<Record<string, string>> = {
  'bad url': 'O endereço não é válido.',
  'refused port': 'Avisos não são enviados a esta porta.',
  'private address': 'O endereço é de uma rede privada, à qual avisos não são enviados.',
  dns: 'O nome do servidor não foi encontrado.',
  'connection refused': 'O servidor recusou a conexão.',
  tls: 'A conexão segura falhou: o certificado do servidor pode não ser válido.',
  timeout: 'O servidor não respondeu a tempo.',
  network: 'A conexão com o servidor foi interrompida.',
  internal: 'O aviso não pôde ser enviado por uma falha deste servidor.',
}

/** Returns the reason why a webhook got no answer. The API shows its code, and after a colon a hint for operators. */
export const faultText = (error: string): string => FAULTS[error.split(':')[0] ?? ''] ?? error

/** The fields that messages of the API name by their parameters. */
const NAMED_FIELDS = [
  [/ a (?:\w+_start|start_date|from)\b/g, ' ao início do período'],
  [/ a (?:new_)?pin\b/g, ' ao PIN'],
  [/ a (?:new_)?password\b/g, ' à senha'],
] as const

/** Returns a message of the API with the fields as the forms name them. */
export const messageForPeople = (message: string): string =>
  NAMED_FIELDS.reduce((text, [field, name]) => text.replace(field, name), message)

/** A hint that names a route is for programs. */
const ROUTE = /\b(?:GET|POST|PUT|PATCH|DELETE) \//

/** Returns a hint of the API, null if it is for programs. */
export const hintForPeople = (hint: string): string | null => (ROUTE.test(hint) ? null : hint)
