import { isUint8Array } from 'node:util/types'
import { isLeft } from '../../core/failure.ts'
import { LINK_CHARGES } from '../../core/limits.ts'
import { bankByCode } from '../../core/payments/banks.ts'
import {
  acceptedTerms,
  isTerm,
  RETENTION_KINDS,
  type RetentionDays,
  type RetentionKind,
  SET_RETENTION,
} from '../../core/payments/retention.ts'
import type { PriceIndexes } from '../../core/ports/price-indexes.ts'
import { indexFile } from '../indexes/index-file.ts'
import { indexTable } from '../indexes/index-table.ts'
import { warningLog } from '../telemetry/log.ts'
import { KEY_BYTES } from './secrets.ts'
import {
  anyText,
  type GivenTo,
  hostName,
  linkBase,
  mailServer,
  optional,
  readSettings,
  type Setting,
  type Settings,
  secret,
  sender,
  setting,
  type Table,
  timeOfDay,
  withDefault,
  wrongSetting,
} from './settings.ts'

/** The defaults of settings, for servers and embedders. */
export const DEFAULTS = {
  mailFrom: 'Portico <no-reply@localhost>',
  alertsAt: '07:00',
  internalTransferBank: '748',
  linkChargesPerHour: LINK_CHARGES.perHour,
  linkChargesPerDay: LINK_CHARGES.perDay,
} as const

/** The largest accepted limit of messages of one account to payers. */
export const MAX_MESSAGES_PER_DAY = 1_000_000
/** The largest accepted limit of charges of one payment link. */
export const MAX_LINK_CHARGES = 1_000_000

/** Wrong settings. Nothing was opened or created. */
export class SetupFault extends Error {
  override readonly name = 'SetupFault'
  /** A line for each wrong setting: its name, the received value (never a secret) and the accepted values. */
  readonly faults: readonly string[]

  constructor(faults: readonly string[]) {
    super(faults.join('\n'))
    this.faults = faults
  }
}

/** The code of an existing bank. */
export const bankCode = (): Setting<string> =>
  setting('the three digits of a bank, such as 748', (code) =>
    THREE_DIGITS.test(code) ? (bankByCode(code)?.code ?? undefined) : undefined,
  )

const THREE_DIGITS = /^[0-9]{3}$/

/** Accepts a text from a program. */
const text = <A>(inner: Setting<A>): Setting<A, unknown> => ({
  ...inner,
  read: (given) => (typeof given === 'string' ? inner.read(given) : undefined),
})

const texts = <A>(item: Setting<A>): Setting<readonly A[], unknown> =>
  setting(`a list: each ${item.accepts}`, (given) => {
    if (!Array.isArray(given)) return undefined
    const accepted = given.map(text(item).read).filter((value) => value !== undefined)
    return accepted.length === given.length ? accepted : undefined
  })

const truth = (): Setting<boolean, unknown> =>
  setting('true or false', (given) => (typeof given === 'boolean' ? given : undefined))

const integer = ({ min, max }: { readonly min: number; readonly max: number }): Setting<number, unknown> =>
  setting(`an integer from ${min} to ${max}`, (given) =>
    typeof given === 'number' && Number.isInteger(given) && given >= min && given <= max ? given : undefined,
  )

/** The term of a kind of records in a variable. */
export const retentionTerm = (kind: RetentionKind): Setting<number | null> =>
  withDefault(
    setting<number | null>(`days, ${acceptedTerms(kind, 'never')}`, (text) => {
      const days = text === 'never' ? null : /^\d{1,9}$/.test(text) ? Number(text) : undefined
      return isTerm(kind, days) ? days : undefined
    }),
    SET_RETENTION[kind].days,
  )

const isKind = (name: string): name is RetentionKind => Object.hasOwn(SET_RETENTION, name)

/** Returns a line for each wrong term of a program, or for a value that is no object of terms. */
const retentionFaults = (name: string, given: unknown): readonly string[] => {
  const kinds = RETENTION_KINDS.join(', ')
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return [wrongSetting(name, given, { accepts: `an object of days, by ${kinds}` })]
  return Object.entries(given).flatMap(([kind, days]) => {
    if (!isKind(kind)) return [`${name}.${kind}: no such kind, accepts ${kinds}`]
    const isAccepted = days === undefined || isTerm(kind, days)
    return isAccepted
      ? []
      : [wrongSetting(`${name}.${kind}`, days, { accepts: `days, ${acceptedTerms(kind, 'null')}` })]
  })
}

const isRetention = (given: unknown): given is RetentionDays => retentionFaults('', given).length === 0

/** The terms of a program, as `PaymentsSettings` has them. */
const retentionTerms = (): Setting<RetentionDays, unknown> => ({
  ...setting('an object of days', (given) => (isRetention(given) ? given : undefined)),
  faults: retentionFaults,
})

const bytes = (accepts: string, isEnough: (length: number) => boolean): Setting<Uint8Array, unknown> =>
  secret(setting(accepts, (given) => (isUint8Array(given) && isEnough(given.length) ? given : undefined)))

const keyTable = {
  dataDir: text(anyText('a directory')),
  dataKey: optional(bytes(`${KEY_BYTES} bytes as a Uint8Array`, (length) => length === KEY_BYTES)),
}

const paymentsTable = {
  ...keyTable,
  jwtSecret: optional(bytes(`at least ${KEY_BYTES} bytes as a Uint8Array`, (length) => length >= KEY_BYTES)),
  publicUrl: text(linkBase()),
  smtpUrl: optional(text(mailServer())),
  mailFrom: withDefault(text(sender()), DEFAULTS.mailFrom),
  webhooksAllowPrivate: withDefault(truth(), false),
  resetHosts: optional(texts(hostName())),
  isProduction: withDefault(truth(), false),
  alertsAt: withDefault(text(timeOfDay()), DEFAULTS.alertsAt),
  boletoSearchCode: optional(secret(text(anyText()))),
  internalTransferBank: withDefault(text(bankCode()), DEFAULTS.internalTransferBank),
  messagesPerDay: optional(integer({ min: 1, max: MAX_MESSAGES_PER_DAY })),
  linkChargesPerHour: withDefault(integer({ min: 1, max: MAX_LINK_CHARGES }), DEFAULTS.linkChargesPerHour),
  linkChargesPerDay: withDefault(integer({ min: 1, max: MAX_LINK_CHARGES }), DEFAULTS.linkChargesPerDay),
  retentionDays: withDefault(retentionTerms(), {}),
}

export type CheckedSetup = Settings<typeof paymentsTable>

/** Checks the settings of an embedder of payments. Throws `SetupFault`. */
export const readSetup = (given: { readonly [K in keyof CheckedSetup]?: unknown }): CheckedSetup =>
  readOrThrow(paymentsTable, given)

/** The last day that all months have. */
export const LAST_RUN_DAY = 28

const estateTable = {
  ...keyTable,
  publicUrl: text(linkBase()),
  smtpUrl: optional(text(mailServer())),
  mailFrom: withDefault(text(sender()), DEFAULTS.mailFrom),
  alertsAt: withDefault(text(timeOfDay()), DEFAULTS.alertsAt),
  rentRunDay: optional(integer({ min: 1, max: LAST_RUN_DAY })),
  openRegistration: withDefault(truth(), false),
  indexTable: optional(text(anyText('a JSON file of indexes'))),
}

type CheckedEstateSetup = Settings<typeof estateTable>

/** Checks the settings of an embedder of the agency. Throws `SetupFault`. */
export const readEstateSetup = (given: { readonly [K in keyof CheckedEstateSetup]?: unknown }): CheckedEstateSetup =>
  readOrThrow(estateTable, given)

/** Opens the table of price indexes; without a path it is empty. Throws `SetupFault` if the file is no such table. */
export const openIndexes = (path: string | null): PriceIndexes => {
  if (path === null) return indexTable([])
  try {
    return indexFile(path, warningLog.warn)
  } catch (error) {
    const why = error instanceof Error ? error.message : `${error}`
    throw new SetupFault([`indexTable: got ${JSON.stringify(path)}, accepts a JSON file of indexes: ${why}`])
  }
}

const readOrThrow = <T extends Table>(table: T, given: GivenTo<T>): Settings<T> => {
  const read = readSettings(table, given)
  if (isLeft(read)) throw new SetupFault(read.left)
  return read.right
}
