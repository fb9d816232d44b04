import { type Either, failure, left, right } from '../../failure.ts'
import {
  alphanumeric,
  digits,
  email,
  flag,
  guid,
  hundredths,
  id,
  integer,
  line,
  list,
  money,
  nullIfAbsent,
  oneOf,
  storedTypes,
  taxId,
  text,
  url,
} from '../../kernel/input/mod.ts'
import {
  all,
  at,
  type Change,
  type Collection,
  check,
  eq,
  isIn,
  orNull,
  record,
  t,
  withNulls,
} from '../../kernel/records/record.ts'
import { type Fresh, randomCode } from '../../kernel/running/use-case.ts'
import type { SmtpServer } from '../../ports/messaging.ts'
import type { Cipher } from '../../ports/runtime.ts'
import { listByIds, type Store } from '../../ports/store.ts'
import { discountFields, fineFields, interestRate, interestType } from '../terms.ts'

const ORGANIZATION_STATUSES = [
  'ACTIVE',
  'INACTIVE',
  'SUSPENDED',
  'DISABLED',
  'DISQUALIFIED',
  'SOFT_DELETED',
  'DELETED',
] as const

/** The fields of an account and its organization. */
export const accountFields = {
  id: id({ about: 'Identificador' }),
  uuid: guid({ about: 'Identificador público' }),
  name: line({ max: 255, about: 'Nome' }),
  email: nullIfAbsent(email({ max: 255, about: 'E-mail' })),
  document: taxId({ about: 'CPF ou CNPJ, guardado sem pontuação' }),
  status: oneOf(ORGANIZATION_STATUSES, { about: 'Situação' }),
  webhookUrl: nullIfAbsent(url({ about: 'Endereço que recebe os webhooks' })),
}

/** The account's choice about payments of less or more than the amount due. */
export const partialFields = {
  acceptPartial: flag({ about: 'Se um pagamento em parte deixa a cobrança aberta, e um a mais é avisado' }),
  partialToleranceCents: money({
    wire: 'partial_tolerance',
    about: 'Quanto pode faltar numa cobrança para ela contar como paga; só com `accept_partial`',
  }),
}

export const feeFields = {
  pixInCents: money({ wire: 'pix_in', about: 'Tarifa de um Pix recebido' }),
  pixOutCents: money({ wire: 'pix_out', about: 'Tarifa de um Pix enviado' }),
  boletoInCents: money({ wire: 'boleto_in', about: 'Tarifa de um boleto pago' }),
  boletoCents: money({ wire: 'boleto', about: 'Tarifa de emissão de um boleto' }),
  bolepixCents: money({ wire: 'bolepix', about: 'Tarifa de emissão de um boleto com Pix' }),
  feeHundredths: hundredths({ min: 0, max: 100, wire: 'fee', about: 'Percentual de uma venda no cartão' }),
}

/** The limits of an account; null is no limit. */
export const limitFields = {
  pixOutPerTransactionCents: nullIfAbsent(
    money({ wire: 'pix_out_per_transaction', about: 'Máximo de um Pix enviado' }),
  ),
  pixOutDailyCents: nullIfAbsent(money({ wire: 'pix_out_daily', about: 'Máximo de Pix enviados de dia' })),
  pixOutNightlyCents: nullIfAbsent(money({ wire: 'pix_out_nightly', about: 'Máximo de Pix enviados à noite' })),
  chargeMinCents: nullIfAbsent(money({ wire: 'charge_min', about: 'Valor mínimo de uma cobrança' })),
  chargeMaxCents: nullIfAbsent(money({ wire: 'charge_max', about: 'Valor máximo de uma cobrança' })),
}

const PIN_DIGITS = 6

export const pinFields = {
  pin: digits({ length: PIN_DIGITS, about: 'PIN, de 6 dígitos' }),
  newPin: digits({ length: PIN_DIGITS, about: 'Novo PIN, de 6 dígitos' }),
}

export type OrganizationStatus = (typeof ORGANIZATION_STATUSES)[number]

const fees = record(storedTypes(feeFields))
export type Fees = t.TypeOf<typeof fees>

const limits = record(storedTypes(limitFields))
export type AccountLimits = t.TypeOf<typeof limits>

const MAX_PORT = 65_535
const MAX_MESSAGE = 500
const MAX_DAYS = 365

/** The parts of an address in Brazil. */
export const addressParts = {
  street: line({ max: 255, about: 'Logradouro' }),
  number: line({ max: 20, about: 'Número' }),
  city: line({ max: 100, about: 'Cidade' }),
  state: text({
    max: 2,
    pattern: { regex: /^[A-Za-z]{2}$/, code: 'state' },
    casing: 'upper',
    about: 'Sigla do estado, com 2 letras',
  }),
  zipCode: alphanumeric({ max: 20, about: 'CEP, guardado sem pontuação' }),
}

export const addressFields = {
  street: nullIfAbsent(addressParts.street),
  number: nullIfAbsent(addressParts.number),
  city: nullIfAbsent(addressParts.city),
  state: nullIfAbsent(addressParts.state),
  zipCode: nullIfAbsent(addressParts.zipCode),
}

const ENCRYPTIONS = ['tls', 'ssl'] as const
const HOST = /^(?=.{1,255}$)([A-Za-z\d]([A-Za-z\d-]*[A-Za-z\d])?\.)*[A-Za-z\d]([A-Za-z\d-]*[A-Za-z\d])?$/

/** The mail server that sends an account's mails. */
export const smtpFields = {
  host: text({ max: 255, pattern: { regex: HOST, code: 'host' }, casing: 'lower', about: 'Servidor' }),
  port: integer({ min: 1, max: MAX_PORT, about: 'Porta' }),
  user: line({ max: 255, about: 'Usuário' }),
  /** `ssl` from the first byte, `tls` by STARTTLS, which is then required. */
  encryption: oneOf(ENCRYPTIONS, { about: 'Criptografia: ssl desde o início, tls por STARTTLS' }),
  fromName: line({ max: 100, about: 'Nome do remetente' }),
  fromAddress: email({ max: 255, about: 'E-mail do remetente' }),
}

export const CHANNELS = ['email', 'whatsapp', 'sms'] as const

export const ruleFields = {
  enabled: flag({ about: 'Se o aviso é enviado' }),
  /** Sent unchanged; null for the default text. */
  message: nullIfAbsent(text({ max: MAX_MESSAGE, about: 'Texto do aviso; nulo para o texto padrão' })),
  channels: list(oneOf(CHANNELS), { max: CHANNELS.length, about: 'Por onde o aviso é enviado' }),
  days: nullIfAbsent(integer({ min: 0, max: MAX_DAYS, about: 'Quantos dias antes ou depois do vencimento' })),
}

/** The default interest, late fine and discount of charges that specify none. */
export const boletoFields = {
  rateHundredths: interestRate('rate'),
  typeRate: interestType,
  ...fineFields,
  ...discountFields,
}

export const consumerFields = {
  hasNoConsumers: flag({
    wire: 'no_consumer_relation',
    about: 'Se a conta declara que nenhuma cobrança é de relação de consumo: a multa pode então passar de 2% do valor',
  }),
}

export const address = record(storedTypes(addressFields))

export const smtp = record({
  ...storedTypes(smtpFields),
  /** Sealed under `DATA_KEY`. */
  passwordSealed: t.string,
})
export type Smtp = t.TypeOf<typeof smtp>

export const RULE_NAMES = [
  'on_creation',
  'on_payment',
  'before_due',
  'after_due',
  'on_due',
  'on_update',
  'on_delete',
] as const
export type RuleName = (typeof RULE_NAMES)[number]

export const perRule = <A>(of: (name: RuleName) => A): { readonly [K in RuleName]: A } =>
  Object.fromEntries(RULE_NAMES.map((name) => [name, of(name)])) as { readonly [K in RuleName]: A }

const rule = record(storedTypes(ruleFields))
export const notificationRules = record(perRule(() => orNull(rule)))
export type NotificationRule = t.TypeOf<typeof rule>
export type NotificationRules = t.TypeOf<typeof notificationRules>

export const NO_RULES: NotificationRules = perRule(() => null)

export const boletoConfigs = record(storedTypes(boletoFields))
export type BoletoConfigs = t.TypeOf<typeof boletoConfigs>

const account = record({
  // The header `X-Organization-Id` carries the uuid.
  ...storedTypes(accountFields),
  codeAccount: t.string,
  agency: t.string,
  account: t.string,
  bankCode: t.string,
  pixKey: orNull(t.string),
  /** Sealed under `DATA_KEY`; a claim on its digest finds the account of a key. */
  apiKeySealed: t.string,
  webhookSecretSealed: t.string,
  /** A stored file: png, jpeg or webp. */
  logoFileId: orNull(t.string),
  address: orNull(address),
  smtp: orNull(smtp),
  /** The time of the last notice to the members that the mail server fails. */
  smtpToldAt: orNull(t.string),
  notificationRules: orNull(notificationRules),
  boletoConfigs: orNull(boletoConfigs),
  /** Null counts as false. */
  acceptPartial: orNull(t.boolean),
  /** Null counts as 0. */
  partialToleranceCents: orNull(t.number),
  /** True if the account declared that none of its charges is of a consumer relation. Null counts as false. */
  hasNoConsumers: orNull(t.boolean),
  taxes: fees,
  limits,
  /** Null until a PIN is set. */
  pinHash: orNull(t.string),
  /** Wrong guesses in a row; each is counted before it is compared. */
  pinTries: t.number,
  pinLockedUntil: orNull(t.string),
  /** The counted guesses that are still being compared. */
  pinOpenTries: orNull(t.string),
  /** If true, a member acts in the account only in a session that proved a second factor. Null counts as false. */
  requiresSecondFactor: orNull(t.boolean),
  /** A withdrawal or transfer of this value or more requires the second factor; null for none. */
  secondFactorFromCents: orNull(t.number),
  /** Withdrawals and transfers of a day require the factor once their sum reaches this value; null for never. */
  secondFactorDayFromCents: orNull(t.number),
  /** The number of active ADMINs; every change of a membership patches it. */
  admins: t.number,
  removedAt: orNull(t.string),
  /** The time at which another founder took over the document; null while the account holds it. */
  documentPassedAt: orNull(t.string),
  createdAt: t.string,
  updatedAt: t.string,
})

/** A payment account and its organization, in one record with one id. */
export type Account = t.TypeOf<typeof account>

export const accounts: Collection<Account> = {
  name: 'payments.accounts',
  ids: 'integer',
  codec: account,
  owner: null,
  keys: { uuid: ({ uuid }) => uuid },
  // `pixKey` finds the account of an incoming Pix without a charge; `bankCode` lists the accounts of a bank.
  indexes: [
    { eq: 'pixKey', sort: 'createdAt' },
    { eq: 'bankCode', sort: 'createdAt' },
  ],
  oldest: { indexes: [{ eq: 'bankCode', sort: 'createdAt' }] },
}

const NO_FEES: Fees = {
  pixInCents: 0,
  pixOutCents: 0,
  boletoInCents: 0,
  boletoCents: 0,
  bolepixCents: 0,
  feeHundredths: 0,
}

const WRITABLE: ReadonlySet<OrganizationStatus> = new Set(['ACTIVE', 'INACTIVE'])

/** Reports whether the account accepts writes; reads are possible in every status. */
export const acceptsWrites = ({ status }: Pick<Account, 'status'>): boolean => WRITABLE.has(status)

export const UNKNOWN_ACCOUNT = failure('not-found', 'account.unknown')
const INACTIVE = failure('forbidden', 'organization.inactive')

/** Reports whether the account exists and is not removed. */
export const isExisting = (account: Account | null): account is Account => account?.removedAt === null

type Missing<A> = null extends A ? typeof UNKNOWN_ACCOUNT : never

const accountIf =
  (isAllowed: (account: Account) => boolean) =>
  <A extends Account | null>(account: A): Either<typeof INACTIVE | Missing<A>, Account> => {
    if (!account) return left(UNKNOWN_ACCOUNT as Missing<A>)
    return isAllowed(account) ? right(account) : left(INACTIVE)
  }

/** Returns the account if money may leave it. Fails: `account.unknown`, `organization.inactive` (removed too). */
export const activeAccount = accountIf(({ status }) => status === 'ACTIVE')

/** Returns the account if it accepts writes. Fails: `account.unknown`, `organization.inactive` (removed too). */
export const writableAccount = accountIf(acceptsWrites)

/**
 * Fails the commit if the account was suspended or removed since the read. Guards changes that take money out of it.
 */
export const checkActive = (accountId: number): Change =>
  check(accounts, accountId, all(eq('status', 'ACTIVE'), eq('removedAt', null)))

/** Fails the commit if the account stopped accepting writes since it was read. */
export const checkAcceptsWrites = (accountId: number): Change =>
  check(accounts, accountId, all(isIn('status', [...WRITABLE]), eq('removedAt', null)))

/** The settings of a new account that are not null. */
export const NEW_SETTINGS = { taxes: NO_FEES, limits: withNulls(limits, {}), pinTries: 0 } as const

type Secret = 'apiKeySealed' | 'webhookSecretSealed' | 'pinHash' | 'pinTries' | 'pinLockedUntil' | 'pinOpenTries'

/** An account without its secrets, the PIN and the password of its mail server included. */
export interface ShownAccount extends Omit<Account, Secret | 'smtp' | 'taxes'> {
  readonly smtp: Omit<Smtp, 'passwordSealed'> | null
  readonly fees: Fees
  readonly hasPin: boolean
}

const shownAccounts = new WeakMap<Account, ShownAccount>()

/** Leaves out the secrets. The result for a frozen record, which a store shares between reads, is made once. */
export const shownAccount = (account: Account): ShownAccount => {
  if (!Object.isFrozen(account)) return withoutSecrets(account)
  const known = shownAccounts.get(account) ?? Object.freeze(withoutSecrets(account))
  shownAccounts.set(account, known)
  return known
}

const withoutSecrets = (account: Account): ShownAccount => {
  const {
    apiKeySealed,
    webhookSecretSealed,
    pinHash,
    pinTries,
    pinLockedUntil,
    pinOpenTries,
    smtp,
    taxes: fees,
    ...shown
  } = account
  return { ...shown, smtp: smtp && shownSmtp(smtp), fees, hasPin: pinHash !== null }
}

const shownSmtp = ({ passwordSealed: _, ...shown }: Smtp): ShownAccount['smtp'] => Object.freeze(shown)

/** Drops records of removed accounts, and keeps the order. */
export const withoutDeletedAccounts = async <R extends { readonly accountId: number }>(
  store: Pick<Store, 'list'>,
  records: readonly R[],
): Promise<readonly R[]> => {
  const ids = records.map(({ accountId }) => accountId)
  const found = await listByIds(store, accounts, ids)
  return records.filter(({ accountId }) => found.get(accountId)?.removedAt === null)
}

export const API_KEY_LENGTH = 40
const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
/** 33 bytes, which base64 writes without padding; receivers take 24 to 64. */
const WEBHOOK_SECRET_LENGTH = 44

/** The context that binds a sealed secret to its account and field: copied elsewhere it does not open. */
const contextOf = (accountId: number, field: 'apiKey' | 'webhookSecret' | 'smtpPassword'): string =>
  [...at(accounts, accountId), field].join('/')

/** Draws the secrets of a new account: the API key in the clear, and both secrets sealed. */
export const newSecrets = (cipher: Cipher, fresh: Fresh, accountId: number) => {
  const apiKey = randomCode(fresh, API_KEY_LENGTH)
  const webhookSecret = `whsec_${fresh.text(BASE64, WEBHOOK_SECRET_LENGTH)}`
  return {
    apiKey,
    sealed: {
      apiKeySealed: sealedApiKey(cipher, accountId, apiKey),
      webhookSecretSealed: cipher.seal(webhookSecret, contextOf(accountId, 'webhookSecret')),
    },
  }
}

export const sealedApiKey = (cipher: Cipher, accountId: number, apiKey: string): string =>
  cipher.seal(apiKey, contextOf(accountId, 'apiKey'))

export const apiKeyOf = (cipher: Cipher, { id, apiKeySealed }: Account): string =>
  cipher.open(apiKeySealed, contextOf(id, 'apiKey'))

/** Returns the webhook secret as `whsec_` and base64, by the Standard Webhooks specification. */
export const webhookSecretOf = (cipher: Cipher, { id, webhookSecretSealed }: Account): string =>
  cipher.open(webhookSecretSealed, contextOf(id, 'webhookSecret'))

export const sealedSmtpPassword = (cipher: Cipher, accountId: number, password: string): string =>
  cipher.seal(password, contextOf(accountId, 'smtpPassword'))

/** Returns the account's mail server with its password in the clear; null if none. */
export const smtpServer = (cipher: Cipher, { id, smtp }: Account): SmtpServer | null => {
  if (!smtp) return null
  const { passwordSealed, ...server } = smtp
  return { ...server, password: cipher.open(passwordSealed, contextOf(id, 'smtpPassword')) }
}

/** Returns an account of the platform as a party of an entry. */
export const entryPartyOf = ({ name, document, bankCode: bank, agency: branch, account }: Account) => ({
  name,
  document,
  bank,
  branch,
  account,
})
