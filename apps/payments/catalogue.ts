import { DECLINED_CARD, PENDING_CARD } from '../../adapters/bank/fake/acquirer.ts'
import { type FAULT_MODES, OPERATIONS } from '../../adapters/bank/fake/books.ts'
import { KEY_LEASE_SECONDS, KEY_LIFE_SECONDS, MAX_KEY_CHARS } from '../../core/office/idempotency-keys.ts'
import { FIXED_RETENTION, RETENTION_KINDS, type RetentionKind, SET_RETENTION } from '../../core/payments/retention.ts'
import { CONSUMER_FINE_PERCENT } from '../../core/payments/terms.ts'
import { RETRY_STEPS_SECONDS } from '../../core/payments/webhooks/deliver.ts'
import { fillPlaceholders } from '../http/pages/placeholders.ts'
import type { ApiDocs } from '../http/rows/api.ts'
import type { AnyRow } from '../http/rows/row.ts'
import { apiKeyRows } from './access/api-keys.ts'
import { authenticationRows, sessionRows } from './access/authentication.ts'
import { codeRows, legacyCodeRows } from './access/codes.ts'
import { legacyAuthenticationRows } from './access/legacy-authentication.ts'
import { membershipRows } from './access/memberships.ts'
import { organizationRows } from './access/organizations.ts'
import { passkeyRows, passkeyUseRows } from './access/passkeys.ts'
import { passwordRows } from './access/password-page.ts'
import { factorPolicyRows, secondFactorRows, trustedDeviceRows } from './access/second-factor.ts'
import { userRows } from './access/users.ts'
import { accountSettingRows } from './account-settings.ts'
import { accountRows } from './accounts.ts'
import { chargeGroupRows, paymentPlanRows } from './billing.ts'
import { chargeFigureRows, chargeRows, planChargeRow } from './charges/charges.ts'
import { invoiceRows } from './charges/invoices.ts'
import { noticeRows } from './charges/notices.ts'
import { refundRow, simulatePaymentRow, termsRow } from './charges/payments.ts'
import { publicChargesRow, publicRows } from './charges/public-charges.ts'
import { chargePageRows } from './checkout/charge-page.ts'
import { paymentLinkRows, paymentStatusRow } from './checkout/checkout.ts'
import { payPageRows } from './checkout/pay.ts'
import { clientRows, legacyClientRows } from './clients.ts'
import { diagnosticRows } from './diagnostics.ts'
import { enumerationRows } from './enumerations.ts'
import { exportRows } from './exports.ts'
import AUTHENTICATION from './guides/authentication.md'
import ERRORS from './guides/errors.md'
import FIRST_CHARGE from './guides/first-charge.md'
import FIRST_WITHDRAWAL from './guides/first-withdrawal.md'
import GETTING_STARTED from './guides/getting-started.md'
import IDEMPOTENCY from './guides/idempotency.md'
import LATE_PAYMENT from './guides/late-payment.md'
import PAGINATION from './guides/pagination.md'
import PARTIAL_PAYMENT from './guides/partial-payment.md'
import PERSONAL_DATA from './guides/personal-data.md'
import PRODUCTION from './guides/production.md'
import SECOND_FACTOR from './guides/second-factor.md'
import SPLITS from './guides/splits.md'
import TESTING from './guides/testing.md'
import WEBHOOKS from './guides/webhooks.md'
import { instantPixRows } from './instant-pix.ts'
import { linkRows } from './links.ts'
import { notificationRows } from './notifications.ts'
import { privacyRows } from './privacy.ts'
import { registrationRows } from './registrations.ts'
import { reportRows } from './reports.ts'
import { splitReceiverRows } from './split-receivers.ts'
import { cardSaleRows } from './statements/card-sales.ts'
import { statementDayRows } from './statements/days.ts'
import { extractRows } from './statements/extracts.ts'
import { statisticRows } from './statements/statistics.ts'
import { summaryRows } from './statements/summaries.ts'
import { transactionRows } from './statements/transactions.ts'
import { transferRow } from './transfers.ts'
import { webhookEvents, webhookNotificationRows } from './webhooks.ts'
import { deprecatedWithdrawalRows, legacyWithdrawalRows } from './withdrawals/legacy-withdrawals.ts'
import { legacyRecipientRows, recipientRows } from './withdrawals/recipients.ts'
import { withdrawalRows } from './withdrawals/withdrawals.ts'

/** Every route of the payments app, without those of its bank. */
export const rows: readonly AnyRow[] = [
  ...authenticationRows,
  ...secondFactorRows,
  ...passkeyRows,
  ...passkeyUseRows,
  ...trustedDeviceRows,
  ...codeRows,
  ...registrationRows,
  ...passwordRows,
  ...legacyAuthenticationRows,
  ...legacyCodeRows,
  ...sessionRows,
  ...membershipRows,
  ...notificationRows,
  ...organizationRows,
  ...userRows,
  ...clientRows,
  ...privacyRows,
  ...legacyClientRows,
  ...accountRows,
  ...accountSettingRows,
  ...factorPolicyRows,
  ...apiKeyRows,
  ...chargeRows,
  refundRow,
  ...noticeRows,
  ...invoiceRows,
  planChargeRow,
  ...chargeFigureRows,
  termsRow,
  simulatePaymentRow,
  ...instantPixRows,
  ...withdrawalRows,
  ...recipientRows,
  ...legacyRecipientRows,
  ...legacyWithdrawalRows,
  ...deprecatedWithdrawalRows,
  publicChargesRow,
  ...splitReceiverRows,
  ...chargeGroupRows,
  ...paymentPlanRows,
  ...publicRows,
  ...linkRows,
  ...paymentLinkRows,
  ...chargePageRows,
  ...payPageRows,
  paymentStatusRow,
  ...reportRows,
  ...transactionRows,
  ...statementDayRows,
  ...summaryRows,
  ...extractRows,
  ...statisticRows,
  ...cardSaleRows,
  ...exportRows,
  transferRow,
  ...webhookNotificationRows,
  ...enumerationRows,
  ...diagnosticRows,
]

const areas: Readonly<Record<string, string>> = {
  Autenticação: 'Cadastro, entrada, renovação do token e códigos por e-mail.',
  'Autenticação (legado)': 'A entrada de antes de `/v1/auth`.',
  'Segundo fator': 'Códigos de um aplicativo autenticador, além da senha, e dispositivos confiáveis.',
  Sessões: 'Onde o usuário está conectado.',
  Organizações: 'Cada organização tem uma conta de pagamentos.',
  Usuários: 'Quem trabalha na organização.',
  'Usuários da conta (legado)': 'Os mesmos usuários, pelo vínculo com a conta.',
  'Usuários de API (legado)': 'Programas que agem na conta.',
  'Chaves de API': 'Chaves com nome, permissões e validade próprias, que os programas enviam no lugar de um token.',
  'Abertura de conta (legado)': 'Do pedido à conta aberta no banco.',
  Conta: 'A conta ativa: dados, configurações, PIN e chave de API.',
  Clientes: 'Quem paga as cobranças.',
  'Dados pessoais': 'O que a LGPD pede de quem guarda dados de clientes: mostrá-los e eliminá-los.',
  'Clientes (legado)': 'Os mesmos clientes, com endereço e filtros.',
  Cobranças: 'Emitir e acompanhar cobranças.',
  Split: 'Contas que recebem uma parte das cobranças de outra, depois de aceitar.',
  'Grupos de cobrança': 'Em que se juntam cobranças.',
  'Planos de pagamento': 'Como um valor é cobrado em parcelas.',
  'Links de pagamento': 'Endereços em que se paga à conta.',
  Pagador: 'O que quem paga vê, sem token.',
  'Pagamento instantâneo (legado)': 'Um Pix que vence hoje, em um pedido curto.',
  Saques: 'Dinheiro que sai da conta por Pix, com o PIN dela.',
  'Saques (legado)': 'Os mesmos saques, pelo módulo de pagamento instantâneo.',
  Extratos: 'Saldo e transações da conta.',
  'Vendas no cartão': 'O que foi vendido no cartão fica ao lado do saldo até ser sacado.',
  Transferências: 'De uma conta da plataforma para outra, sem tarifa.',
  Notificações: 'O que o usuário lê no painel.',
  Webhooks: 'O que o servidor conta aos sistemas da conta, e cada entrega. Ordene os avisos pelo `timestamp` do corpo.',
  Enumerações: 'O que os códigos querem dizer, sem token.',
  Diagnóstico: 'Para ver que o servidor trabalha; não é para integrações.',
  Páginas: 'O que o navegador mostra.',
  Painel: 'O painel de quem recebe, que usa estas mesmas rotas.',
  Banco: 'O que o banco conta ao servidor; não é para integrações.',
  'Banco de mentira': 'O painel do banco embutido, para testar: paga, recusa e falha quando se pede.',
}

/** The texts of the documentation that no row contains. */
export const documentation: ApiDocs = {
  areas,
  parameters: { id: 'Identificador', txid: 'Identificador do Pix' },
  webhooks: webhookEvents,
}

/** The variable of a kind: `RETENTION_DAYS_API_KEYS` of `apiKeys`. */
const variableOf = (kind: RetentionKind): string =>
  `RETENTION_DAYS_${kind.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`

const NO_END = 'sem prazo'

const SET_ROWS = RETENTION_KINDS.map((kind) => {
  const { about, since, days, least, greatest, reason } = SET_RETENTION[kind]
  const term = days === null ? NO_END : `${days} dias`
  return `| ${about} | ${term} | \`${variableOf(kind)}\`: ${least} a ${greatest}, desde ${since} | ${reason} |`
})

const FIXED_ROWS = FIXED_RETENTION.map(
  ({ about, term, reason }) => `| ${about} | ${term ?? NO_END} | fixo | ${reason} |`,
)

/** The effect of each way in which the simulated bank fails. */
const FAULTS: Readonly<Record<(typeof FAULT_MODES)[number], string>> = {
  refuse: 'o banco recusa',
  unavailable: 'o banco não atende',
  timeout: 'o banco faz e não responde',
  timeout_lost: 'o banco não faz e não responde',
}

const retryStep = (seconds: number): string => {
  if (seconds < 60) return `${seconds} s`
  return seconds < 3_600 ? `${seconds / 60} min` : `${seconds / 3_600} h`
}

const VALUES = {
  CONSUMER_FINE_PERCENT,
  DECLINED_CARD,
  PENDING_CARD,
  BANK_OPERATIONS: OPERATIONS.map((operation) => `\`${operation}\``).join(', '),
  BANK_FAULTS: Object.entries(FAULTS)
    .map(([mode, effect]) => `\`${mode}\` (${effect})`)
    .join(', '),
  KEY_MAX_CHARS: MAX_KEY_CHARS,
  KEY_LIFE_HOURS: KEY_LIFE_SECONDS / 3_600,
  KEY_LEASE_MINUTES: KEY_LEASE_SECONDS / 60,
  RETENTION_ROWS: [...SET_ROWS, ...FIXED_ROWS].join('\n'),
  WEBHOOK_EVENT_ROWS: webhookEvents.map(({ event, summary }) => `| \`${event}\` | ${summary} |`).join('\n'),
  WEBHOOK_RETRIES: new Intl.ListFormat('pt-BR').format(RETRY_STEPS_SECONDS.map(retryStep)),
}

const GUIDES = [
  GETTING_STARTED,
  AUTHENTICATION,
  FIRST_CHARGE,
  IDEMPOTENCY,
  ERRORS,
  PAGINATION,
  LATE_PAYMENT,
  WEBHOOKS,
  TESTING,
  FIRST_WITHDRAWAL,
  PARTIAL_PAYMENT,
  SECOND_FACTOR,
  PERSONAL_DATA,
  SPLITS,
  PRODUCTION,
].join('\n')

/**
 * Returns the guides of the payments API in Markdown, in the order of an integration, each below a first-level heading.
 * Their commands run in this order in one shell, against the server at `url`.
 */
export const guidesOf = (url: string): string => fillPlaceholders(GUIDES, { ...VALUES, URL: url })
