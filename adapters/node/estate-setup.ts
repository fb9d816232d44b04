import type { PriceIndexes } from '../../core/ports/price-indexes.ts'
import { indexFile } from '../indexes/index-file.ts'
import { indexTable } from '../indexes/index-table.ts'
import { warningLog } from '../log/warning-log.ts'
import {
  anyText,
  linkBase,
  mailServer,
  optional,
  readSettings,
  type Settings,
  sender,
  timeOfDay,
  usually,
} from './settings.ts'
import { integer, keyTable, orFault, SetupFault, text, truth, USUAL } from './setup.ts'

/** The last day that every month has. */
export const LAST_RUN_DAY = 28

const table = {
  ...keyTable,
  publicUrl: text(linkBase()),
  smtpUrl: optional(text(mailServer())),
  mailFrom: usually(text(sender()), USUAL.mailFrom),
  alertsAt: usually(text(timeOfDay()), USUAL.alertsAt),
  rentRunDay: optional(integer({ min: 1, max: LAST_RUN_DAY })),
  openRegistration: usually(truth(), false),
  indexTable: optional(text(anyText('a JSON file of indexes'))),
}

type CheckedEstateSetup = Settings<typeof table>

/** The settings of a program that runs the agency. Throws `SetupFault`. */
export const readEstateSetup = (given: { readonly [K in keyof CheckedEstateSetup]?: unknown }): CheckedEstateSetup =>
  orFault(readSettings(table, given))

/** The figures that contracts are adjusted by: none ship. Throws `SetupFault` for what is no table of them. */
export const openIndexes = (path: string | null): PriceIndexes => {
  if (path === null) return indexTable([])
  try {
    return indexFile(path, warningLog.warn)
  } catch (error) {
    const why = error instanceof Error ? error.message : `${error}`
    throw new SetupFault([`indexTable: got ${JSON.stringify(path)}, accepts a JSON file of indexes: ${why}`])
  }
}
