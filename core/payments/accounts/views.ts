import type { ImageType } from '../../kernel/input/image.ts'
import { allOptional, flag, id, nullable, output, pick, timestamp, view } from '../../kernel/input/mod.ts'
import { readUseCase } from '../../kernel/running/use-case.ts'
import type { OpenFile } from '../../office/files.ts'
import { bankByCode } from '../banks.ts'
import { images } from '../office.ts'
import { type Actor, isPasswordRecent, type PaymentsPorts, type PaymentsSettings } from '../payments-ports.ts'
import { shownFineFields, withShownFine } from '../terms.ts'
import {
  type Account,
  accountFields,
  addressFields,
  apiKeyOf,
  type BoletoConfigs,
  boletoFields,
  consumerFields,
  feeFields,
  limitFields,
  type OrganizationStatus,
  partialFields,
  perRule,
  type RuleName,
  ruleFields,
  type ShownAccount,
  shownAccount,
  smtpFields,
  webhookSecretOf,
} from './account.ts'

const addressView = view('AccountAddress', addressFields)

const smtpView = view('SmtpServer', smtpFields)

export const RULE_DESCRIPTIONS: Readonly<Record<RuleName, string>> = {
  on_creation: 'Quando a cobrança é criada',
  on_payment: 'Quando a cobrança é paga',
  before_due: 'Antes do vencimento',
  after_due: 'Depois do vencimento',
  on_due: 'No dia do vencimento',
  on_update: 'Quando a cobrança é alterada',
  on_delete: 'Quando a cobrança é excluída',
}

const ruleView = view('NotificationRule', ruleFields)

const rulesView = view(
  'NotificationRules',
  perRule((name) => nullable(output.view(ruleView, { about: RULE_DESCRIPTIONS[name] }))),
)

const boletoView = view('BoletoConfigs', { ...boletoFields, ...shownFineFields }, (configs: BoletoConfigs) =>
  withShownFine(configs),
)

const statusView = view(
  'AccountStatus',
  { code: output.count({ about: 'Código' }), title: output.text({ about: 'Nome' }) },
  (status: OrganizationStatus) => {
    if (status === 'ACTIVE') return { code: 1, title: 'Ativa' }
    return status === 'INACTIVE' ? { code: 2, title: 'Inativa' } : { code: 3, title: 'Bloqueada' }
  },
)

const feesView = view('Fees', feeFields)
const limitsView = view('AccountLimits', limitFields)

/** The API key and the webhook secret in the clear. */
export interface ShownSecrets {
  readonly apiKey: string
  readonly webhookSecret: string
}

/** An account with its secrets, which are null for a member without `account:write` or without a recent password. */
export interface AccountDetail {
  readonly account: ShownAccount
  readonly secrets: ShownSecrets | null
  readonly logoUrl: string | null
}

/** Builds the detail of an account for a member. */
export const accountDetail = (
  ports: Pick<PaymentsPorts, 'cipher' | 'clock' | 'settings'>,
  account: Account,
  member: Pick<Actor, 'permissions' | 'passwordRecentUntil'>,
): AccountDetail => ({
  account: shownAccount(account),
  secrets:
    member.permissions.includes('account:write') && isPasswordRecent(ports, member)
      ? secretsOf(ports.cipher, account)
      : null,
  logoUrl: logoUrl(ports.settings, account),
})

export const secretsOf = (cipher: PaymentsPorts['cipher'], account: Account): ShownSecrets => ({
  apiKey: apiKeyOf(cipher, account),
  webhookSecret: webhookSecretOf(cipher, account),
})

const SECRET_RULE = 'nula para quem não pode alterar a conta'

/** An account, for its members. */
export const accountView = view(
  'Account',
  {
    id: accountFields.id,
    codeAccount: output.text({ about: 'Código da conta' }),
    clientId: output.alwaysNull({ about: 'Sempre nulo' }),
    ...pick(accountFields, 'name', 'email', 'document'),
    agency: output.text({ about: 'Agência' }),
    account: output.text({ about: 'Número da conta' }),
    token: nullable(output.text({ about: `Chave de API; ${SECRET_RULE}` })),
    webhookSecret: nullable(output.text({ about: `Chave que assina os webhooks; ${SECRET_RULE}` })),
    status: output.view(statusView, { about: 'Situação' }),
    webhookUrl: accountFields.webhookUrl,
    logoUrl: nullable(output.text({ wire: 'path_logo', about: 'Endereço do logotipo' })),
    bankCode: output.text({ wire: 'bank', about: 'Código do banco' }),
    bankId: nullable(id({ about: 'Identificador do banco' })),
    address: nullable(output.view(addressView, { about: 'Endereço' })),
    smtp: nullable(output.view(smtpView, { about: 'Servidor de e-mail' })),
    notificationRules: nullable(output.view(rulesView, { about: 'Avisos ao pagador' })),
    boletoConfigs: nullable(output.view(boletoView, { about: 'Juros, multa e desconto das cobranças' })),
    ...allOptional(consumerFields),
    ...allOptional(partialFields),
    fees: output.view(feesView, { wire: 'taxes', about: 'Tarifas' }),
    limits: output.view(limitsView, { about: 'Limites' }),
    hasPin: flag({ about: 'Se há um PIN definido' }),
    createdAt: timestamp({ about: 'Quando foi aberta' }),
    updatedAt: timestamp({ about: 'Quando foi alterada' }),
  },
  ({
    account: { hasNoConsumers, acceptPartial, partialToleranceCents, ...account },
    secrets,
    logoUrl,
  }: AccountDetail) => ({
    ...account,
    // Shown once set, so that other accounts read as before.
    ...(hasNoConsumers ? { hasNoConsumers } : {}),
    ...(acceptPartial === null ? {} : { acceptPartial }),
    ...(partialToleranceCents === null ? {} : { partialToleranceCents }),
    clientId: null,
    token: secrets?.apiKey ?? null,
    webhookSecret: secrets?.webhookSecret ?? null,
    logoUrl,
    bankId: bankByCode(account.bankCode)?.id ?? null,
  }),
)

export type Payee = Pick<Account, 'name' | 'email' | 'document'>

/** A payee with the public URL of its logo; null if none. */
export interface PayeeWithLogo {
  readonly account: Payee
  readonly logoUrl: string | null
}

/** Returns the fields of an account that a payer may see. */
export const payeeOf = (settings: Pick<PaymentsSettings, 'publicUrl'>, account: Account): PayeeWithLogo => {
  const { name, email, document } = account
  return { account: { name, email, document }, logoUrl: logoUrl(settings, account) }
}

const pathLogo = nullable(output.text({ about: 'Endereço do logotipo' }))

const payeeFields = ({ account, logoUrl: path }: PayeeWithLogo) => ({ ...account, pathLogo: path })

export const payeeView = view('Payee', pick(accountFields, 'name', 'email', 'document'))

export const payeeWithLogoView = view('PayeeWithLogo', { ...payeeView.table, pathLogo }, payeeFields)

/** A payee without an e-mail, for the status of a charge. */
export const payeeOfChargeView = view(
  'PayeeOfCharge',
  { ...pick(accountFields, 'name', 'document'), pathLogo },
  payeeFields,
)

/** Ends a sentence with a name: adds a full stop, unless the name has one, as `Ltda.` does. */
export const endOfSentence = (name: string): string => (name.endsWith('.') ? name : `${name}.`)

export const logoUrl = (
  { publicUrl }: Pick<PaymentsSettings, 'publicUrl'>,
  { logoFileId }: Pick<Account, 'logoFileId'>,
): string | null => (logoFileId === null ? null : `${publicUrl}/storage/logos/${logoFileId}`)

export type OpenedImage = OpenFile<ImageType>

export const openLogo = (ports: Pick<PaymentsPorts, 'store' | 'files'>) => (id: string) =>
  readUseCase('logo.unknown', () => images.open(ports, 'logo', id))
