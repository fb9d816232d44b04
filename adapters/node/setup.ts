import { isUint8Array } from 'node:util/types'
import { type Either, isLeft } from '../../core/fp.ts'
import { LINK_CHARGES } from '../../core/limits.ts'
import { bankByCode } from '../../core/payments/banks.ts'
import type { PriceIndexes } from '../../core/ports/price-indexes.ts'
import { indexFile } from '../indexes/index-file.ts'
import { indexTable } from '../indexes/index-table.ts'
import { warningLog } from '../telemetry/log.ts'
import { KEY_BYTES } from './secrets.ts'
import {
  anyText,
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
  timeOfDay,
  usually,
} from './settings.ts'

/** What stands for settings that are not given, to a server as to a program. */
export const USUAL = {
  mailFrom: 'Portico <no-reply@localhost>',
  alertsAt: '07:00',
  internalTransferBank: '748',
  linkChargesPerHour: LINK_CHARGES.perHour,
  linkChargesPerDay: LINK_CHARGES.perDay,
} as const

/** Of one account, to payers: more is no limit. */
export const MAX_MESSAGES_PER_DAY = 1_000_000
/** Of one payment link: more is no limit. */
export const MAX_LINK_CHARGES = 1_000_000

/** Settings that nothing can be made of: nothing was opened, and nothing made. */
export class SetupFault extends Error {
  override readonly name = 'SetupFault'
  /** A line for each wrong one: its name, what it got (never a secret) and what it accepts. */
  readonly faults: readonly string[]

  constructor(faults: readonly string[]) {
    super(faults.join('\n'))
    this.faults = faults
  }
}

/** The three digits of a bank that there is. */
export const bankCode = (): Setting<string> =>
  setting('the three digits of a bank, such as 748', (code) =>
    THREE_DIGITS.test(code) ? (bankByCode(code)?.code ?? undefined) : undefined,
  )

const THREE_DIGITS = /^[0-9]{3}$/

/** What a variable holds, as a text that a program gives. */
export const text = <A>(inner: Setting<A>): Setting<A, unknown> => ({
  ...inner,
  read: (given) => (typeof given === 'string' ? inner.read(given) : undefined),
})

const texts = <A>(item: Setting<A>): Setting<readonly A[], unknown> =>
  setting(`a list: each ${item.accepts}`, (given) => {
    if (!Array.isArray(given)) return undefined
    const good = given.map(text(item).read).filter((value) => value !== undefined)
    return good.length === given.length ? good : undefined
  })

export const truth = (): Setting<boolean, unknown> =>
  setting('true or false', (given) => (typeof given === 'boolean' ? given : undefined))

/** A number that a program gives. */
export const integer = ({ min, max }: { readonly min: number; readonly max: number }): Setting<number, unknown> =>
  setting(`an integer from ${min} to ${max}`, (given) =>
    typeof given === 'number' && Number.isInteger(given) && given >= min && given <= max ? given : undefined,
  )

const bytes = (accepts: string, isEnough: (length: number) => boolean): Setting<Uint8Array, unknown> =>
  secret(setting(accepts, (given) => (isUint8Array(given) && isEnough(given.length) ? given : undefined)))

/** Where secrets are kept, and the key that seals what is stored. */
export const keyTable = {
  dataDir: text(anyText('a directory')),
  dataKey: optional(bytes(`${KEY_BYTES} bytes as a Uint8Array`, (length) => length === KEY_BYTES)),
}

const paymentsTable = {
  ...keyTable,
  jwtSecret: optional(bytes(`at least ${KEY_BYTES} bytes as a Uint8Array`, (length) => length >= KEY_BYTES)),
  publicUrl: text(linkBase()),
  smtpUrl: optional(text(mailServer())),
  mailFrom: usually(text(sender()), USUAL.mailFrom),
  webhooksAllowPrivate: usually(truth(), false),
  resetHosts: optional(texts(hostName())),
  isProduction: usually(truth(), false),
  alertsAt: usually(text(timeOfDay()), USUAL.alertsAt),
  boletoSearchCode: optional(secret(text(anyText()))),
  internalTransferBank: usually(text(bankCode()), USUAL.internalTransferBank),
  messagesPerDay: optional(integer({ min: 1, max: MAX_MESSAGES_PER_DAY })),
  linkChargesPerHour: usually(integer({ min: 1, max: MAX_LINK_CHARGES }), USUAL.linkChargesPerHour),
  linkChargesPerDay: usually(integer({ min: 1, max: MAX_LINK_CHARGES }), USUAL.linkChargesPerDay),
}

export type CheckedSetup = Settings<typeof paymentsTable>

/** The settings of a program, as a server reads those of its environment. Throws `SetupFault`. */
export const readSetup = (given: { readonly [K in keyof CheckedSetup]?: unknown }): CheckedSetup =>
  orFault(readSettings(paymentsTable, given))

/** What was read, or every line that is told of what could not be. Throws `SetupFault`. */
export const orFault = <A>(read: Either<readonly string[], A>): A => {
  if (isLeft(read)) throw new SetupFault(read.left)
  return read.right
}

/** The last day that every month has. */
export const LAST_RUN_DAY = 28

const estateTable = {
  ...keyTable,
  publicUrl: text(linkBase()),
  smtpUrl: optional(text(mailServer())),
  mailFrom: usually(text(sender()), USUAL.mailFrom),
  alertsAt: usually(text(timeOfDay()), USUAL.alertsAt),
  rentRunDay: optional(integer({ min: 1, max: LAST_RUN_DAY })),
  openRegistration: usually(truth(), false),
  indexTable: optional(text(anyText('a JSON file of indexes'))),
}

type CheckedEstateSetup = Settings<typeof estateTable>

/** The settings of a program that runs the agency. Throws `SetupFault`. */
export const readEstateSetup = (given: { readonly [K in keyof CheckedEstateSetup]?: unknown }): CheckedEstateSetup =>
  orFault(readSettings(estateTable, given))

/** The figures that contracts are adjusted by: none ship. Throws `SetupFault` for what is no estateTable of them. */
export const openIndexes = (path: string | null): PriceIndexes => {
  if (path === null) return indexTable([])
  try {
    return indexFile(path, warningLog.warn)
  } catch (error) {
    const why = error instanceof Error ? error.message : `${error}`
    throw new SetupFault([`indexTable: got ${JSON.stringify(path)}, accepts a JSON file of indexes: ${why}`])
  }
}
