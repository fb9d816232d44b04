import { nullable } from '../../kernel/input/field.ts'
import { flag, id, timestamp } from '../../kernel/input/scalars.ts'
import { pick } from '../../kernel/input/table.ts'
import { output, view } from '../../kernel/input/view.ts'
import { bankByCode } from '../banks.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import type { Permission } from '../role.ts'
import type { Account, AccountLimits, Fees, OrganizationStatus } from './account.ts'
import { accountFields, feeFields, limitFields } from './account-fields.ts'
import { apiKeyOf, webhookSecretOf } from './account-secrets.ts'
import { addressView, boletoView, rulesView, smtpView } from './settings/account-settings-view.ts'
import { logoUrl } from './settings/logo-url.ts'
import { type ShownAccount, shownAccount } from './shown-account.ts'

const ACTIVE = { code: 1, title: 'Ativa' }
const INACTIVE = { code: 2, title: 'Inativa' }
const BLOCKED = { code: 3, title: 'Bloqueada' }

/** Source: decisions.md §1, Account fields; §12, Account. */
const statusView = view(
  'AccountStatus',
  { code: output.count({ about: 'Código' }), title: output.text({ about: 'Nome' }) },
  (status: OrganizationStatus) => {
    if (status === 'ACTIVE') return ACTIVE
    return status === 'INACTIVE' ? INACTIVE : BLOCKED
  },
)

const feesView = view('Fees', feeFields, (fees: Fees) => fees)
const limitsView = view('AccountLimits', limitFields, (limits: AccountLimits) => limits)

/** The API key and the webhook secret in the clear. */
export interface ShownSecrets {
  readonly apiKey: string
  readonly webhookSecret: string
}

/** An account with what a member may see of its secrets. */
export interface AccountDetail {
  readonly account: ShownAccount
  readonly secrets: ShownSecrets | null
  readonly logoUrl: string | null
}

/** Who may write an account sees its secrets. Source: decisions.md §12, Roles. */
export const accountDetail = (
  { cipher, settings }: Pick<PaymentsPorts, 'cipher' | 'settings'>,
  account: Account,
  permissions: readonly Permission[],
): AccountDetail => ({
  account: shownAccount(account),
  secrets: permissions.includes('account:write')
    ? { apiKey: apiKeyOf(cipher, account), webhookSecret: webhookSecretOf(cipher, account) }
    : null,
  logoUrl: logoUrl(settings, account),
})

const SECRET = 'nula para quem não pode alterar a conta'

/** An account as its members see it; who may not see its secrets gets null in their place. Source: 01-access.md. */
export const accountView = view(
  'Account',
  {
    id: accountFields.id,
    codeAccount: output.text({ about: 'Código da conta' }),
    clientId: output.alwaysNull({ about: 'Sempre nulo' }),
    ...pick(accountFields, 'name', 'email', 'document'),
    agency: output.text({ about: 'Agência' }),
    account: output.text({ about: 'Número da conta' }),
    token: nullable(output.text({ about: `Chave de API; ${SECRET}` })),
    webhookSecret: nullable(output.text({ about: `Chave que assina os webhooks; ${SECRET}` })),
    status: output.view(statusView, { about: 'Situação' }),
    webhookUrl: accountFields.webhookUrl,
    logoUrl: nullable(output.text({ wire: 'path_logo', about: 'Endereço do logotipo' })),
    bankCode: output.text({ wire: 'bank', about: 'Código do banco' }),
    bankId: nullable(id({ about: 'Identificador do banco' })),
    address: nullable(output.view(addressView, { about: 'Endereço' })),
    smtp: nullable(output.view(smtpView, { about: 'Servidor de e-mail' })),
    notificationRules: nullable(output.view(rulesView, { about: 'Avisos ao pagador' })),
    boletoConfigs: nullable(output.view(boletoView, { about: 'Juros e desconto das cobranças' })),
    fees: output.view(feesView, { wire: 'taxes', about: 'Tarifas' }),
    limits: output.view(limitsView, { about: 'Limites' }),
    hasPin: flag({ about: 'Se há um PIN definido' }),
    createdAt: timestamp({ about: 'Quando foi aberta' }),
    updatedAt: timestamp({ about: 'Quando foi alterada' }),
  },
  ({ account, secrets, logoUrl: pathLogo }: AccountDetail) => ({
    ...account,
    clientId: null,
    token: secrets?.apiKey ?? null,
    webhookSecret: secrets?.webhookSecret ?? null,
    logoUrl: pathLogo,
    bankId: bankByCode(account.bankCode)?.id ?? null,
  }),
)
