import { t } from '../../fp.ts'
import { storedTypes } from '../../kernel/input/table.ts'
import { type Change, check } from '../../kernel/records/change.ts'
import type { Collection } from '../../kernel/records/collection.ts'
import { orNull, record } from '../../kernel/records/record.ts'
import { all, eq, isIn } from '../../kernel/records/where.ts'
import { accountFields, feeFields, limitFields, type ORGANIZATION_STATUSES } from './account-fields.ts'
import { address, boletoConfigs, notificationRules, smtp } from './settings/account-settings.ts'

export type OrganizationStatus = (typeof ORGANIZATION_STATUSES)[number]

const fees = record(storedTypes(feeFields))
export type Fees = t.TypeOf<typeof fees>

const limits = record(storedTypes(limitFields))
export type AccountLimits = t.TypeOf<typeof limits>

const account = record({
  // Its uuid is what `X-Organization-Id` carries.
  ...storedTypes(accountFields),
  codeAccount: t.string,
  agency: t.string,
  account: t.string,
  bankCode: t.string,
  pixKey: orNull(t.string),
  /** Sealed under `DATA_KEY`; its digest is claimed, so that a key finds its account. */
  apiKeySealed: t.string,
  webhookSecretSealed: t.string,
  /** A stored file: png, jpeg or webp. */
  logoFileId: orNull(t.string),
  address: orNull(address),
  smtp: orNull(smtp),
  /** When those who work there were last told that it fails. */
  smtpToldAt: orNull(t.string),
  notificationRules: orNull(notificationRules),
  boletoConfigs: orNull(boletoConfigs),
  taxes: fees,
  limits,
  /** Null until a PIN is set. */
  pinHash: orNull(t.string),
  /** Guesses in a row that were not right: each is counted before it is compared. */
  pinTries: t.number,
  pinLockedUntil: orNull(t.string),
  /** Those of the guesses that are still being compared. */
  pinOpenTries: orNull(t.string),
  /** How many active ADMINs the account has: every writer of a membership patches it. */
  admins: t.number,
  removedAt: orNull(t.string),
  /** When another founder took its document over; null while the account holds it. */
  documentPassedAt: orNull(t.string),
  createdAt: t.string,
  updatedAt: t.string,
})

/**
 * A payment account and its organization are one record: name, e-mail and document are one copy, and their ids are
 * equal. Source: decisions.md §1 and §12.
 */
export type Account = t.TypeOf<typeof account>

export const accounts: Collection<Account> = {
  name: 'payments.accounts',
  ids: 'integer',
  codec: account,
  owner: null,
  keys: { uuid: ({ uuid }) => uuid },
  // Money that names nothing else is whose key it reached; charges are counted for a bank by those who are there.
  indexes: [
    { eq: 'pixKey', sort: 'createdAt' },
    { eq: 'bankCode', sort: 'createdAt' },
  ],
}

const NO_FEES: Fees = {
  pixInCents: 0,
  pixOutCents: 0,
  boletoInCents: 0,
  boletoCents: 0,
  bolepixCents: 0,
  feeHundredths: 0,
}

const NO_LIMITS: AccountLimits = {
  pixOutPerTransactionCents: null,
  pixOutDailyCents: null,
  pixOutNightlyCents: null,
  chargeMinCents: null,
  chargeMaxCents: null,
}

const WRITABLE: ReadonlySet<OrganizationStatus> = new Set(['ACTIVE', 'INACTIVE'])

/** Whether the account takes writes; reads stay open in every status. */
export const takesWrites = ({ status }: Pick<Account, 'status'>): boolean => WRITABLE.has(status)

/** Nothing of the commit is done where the account was suspended or removed since it was read: money leaves no other. */
export const stillActive = (accountId: number): Change =>
  check(accounts, accountId, all<keyof Account & string>(eq('status', 'ACTIVE'), eq('removedAt', null)))

/** The same of one that is written to. */
export const stillTakesWrites = (accountId: number): Change =>
  check(accounts, accountId, all<keyof Account & string>(isIn('status', [...WRITABLE]), eq('removedAt', null)))

/** What nobody has set yet. */
export const UNSET = {
  webhookUrl: null,
  logoFileId: null,
  address: null,
  smtp: null,
  smtpToldAt: null,
  notificationRules: null,
  boletoConfigs: null,
  taxes: NO_FEES,
  limits: NO_LIMITS,
  pinHash: null,
  pinTries: 0,
  pinLockedUntil: null,
  documentPassedAt: null,
  pinOpenTries: null,
} as const satisfies Partial<Account>
