import { withOffset } from '../../kernel/values/day.ts'
import { reaisFromCents } from '../../kernel/values/money.ts'
import { bankByCode } from '../banks.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import type { Permission } from '../role.ts'
import type { Account, AccountLimits, Fees, OrganizationStatus } from './account.ts'
import { apiKeyOf, webhookSecretOf } from './account-secrets.ts'
import { addressView, boletoView, rulesView, smtpView } from './settings/account-settings-view.ts'
import { logoUrl } from './settings/logo-url.ts'

const ACTIVE = { code: 1, title: 'Ativa' }
const INACTIVE = { code: 2, title: 'Inativa' }
const BLOCKED = { code: 3, title: 'Bloqueada' }

/** Source: decisions.md §1, Account fields; §12, Account. */
const statusView = (status: OrganizationStatus) => {
  if (status === 'ACTIVE') return ACTIVE
  return status === 'INACTIVE' ? INACTIVE : BLOCKED
}

const reaisOrNull = (cents: number | null): number | null => (cents === null ? null : reaisFromCents(cents))

const feesView = (fees: Fees) => ({
  pix_in: reaisFromCents(fees.pixInCents),
  pix_out: reaisFromCents(fees.pixOutCents),
  boleto_in: reaisFromCents(fees.boletoInCents),
  boleto: reaisFromCents(fees.boletoCents),
  bolepix: reaisFromCents(fees.bolepixCents),
  fee: fees.feeHundredths / 100,
})

const limitsView = (limits: AccountLimits) => ({
  pix_out_per_transaction: reaisOrNull(limits.pixOutPerTransactionCents),
  pix_out_daily: reaisOrNull(limits.pixOutDailyCents),
  pix_out_nightly: reaisOrNull(limits.pixOutNightlyCents),
  charge_min: reaisOrNull(limits.chargeMinCents),
  charge_max: reaisOrNull(limits.chargeMaxCents),
})

/** The API key and the webhook secret in the clear. */
interface ShownSecrets {
  readonly apiKey: string
  readonly webhookSecret: string
}

/** An account with what a member may see of its secrets. */
export interface AccountDetail {
  readonly account: Account
  readonly secrets: ShownSecrets | null
  readonly logoUrl: string | null
}

/** Who may write an account sees its secrets. Source: decisions.md §12, Roles. */
export const accountDetail = (
  { cipher, settings }: Pick<PaymentsPorts, 'cipher' | 'settings'>,
  account: Account,
  permissions: readonly Permission[],
): AccountDetail => ({
  account,
  secrets: permissions.includes('account:write')
    ? { apiKey: apiKeyOf(cipher, account), webhookSecret: webhookSecretOf(cipher, account) }
    : null,
  logoUrl: logoUrl(settings, account),
})

/** An account as its members see it; who may not see its secrets gets null in their place. Source: 01-access.md. */
export const accountView = ({ account, secrets, logoUrl: pathLogo }: AccountDetail) => ({
  id: account.id,
  code_account: account.codeAccount,
  client_id: null,
  name: account.name,
  email: account.email,
  document: account.document,
  agency: account.agency,
  account: account.account,
  token: secrets?.apiKey ?? null,
  webhook_secret: secrets?.webhookSecret ?? null,
  status: statusView(account.status),
  webhook_url: account.webhookUrl,
  path_logo: pathLogo,
  bank: account.bankCode,
  bank_id: bankByCode(account.bankCode)?.id ?? null,
  address: addressView(account.address),
  smtp: smtpView(account.smtp),
  notification_rules: rulesView(account.notificationRules),
  boleto_configs: boletoView(account.boletoConfigs),
  taxes: feesView(account.taxes),
  limits: limitsView(account.limits),
  has_pin: account.pinHash !== null,
  created_at: withOffset(account.createdAt),
  updated_at: withOffset(account.updatedAt),
})
