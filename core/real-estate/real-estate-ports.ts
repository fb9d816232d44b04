import type { Runtime } from '../kernel/running/use-case.ts'
import type { Charging } from '../ports/charging.ts'
import type { ContractRenderer, OwnerStatementRenderer } from '../ports/documents.ts'
import type { Identity } from '../ports/identity.ts'
import type { EmailRenderer, Mailer, Mirror } from '../ports/messaging.ts'
import type { PriceIndexes } from '../ports/price-indexes.ts'
import type { Cipher, Digest, Log } from '../ports/runtime.ts'
import type { SheetReader } from '../ports/sheets.ts'

/** Sends the mails of the agency. */
export interface EstateMail {
  readonly mailer: Mailer
  readonly emailRenderer: EmailRenderer
}

/** Everything the real-estate business asks of what is outside. */
export interface RealEstatePorts extends Runtime {
  readonly identity: Identity
  readonly cipher: Cipher
  readonly digest: Digest
  readonly log: Log
  /** Where notifications are seen outside, too; nowhere without it. */
  readonly mirror?: Mirror
  /** Who issues what payers are charged; nobody is charged without it. */
  readonly charging?: Charging
  /** Mails invitations; without it no staff is invited. */
  readonly mail?: EstateMail
  readonly indexes: PriceIndexes
  readonly sheetReader: SheetReader
  readonly contractRenderer: ContractRenderer
  readonly ownerStatementRenderer: OwnerStatementRenderer
  readonly settings: RealEstateSettings
}

export interface RealEstateSettings {
  /** `HH:MM` in São Paulo: when the daily schedules run. */
  readonly alertsAt: string
  /** The day of the month (1 to 28) on which rents are made by themselves; null: nobody makes them so. */
  readonly rentRunDay: number | null
  /** Whether every role but Admin may register itself in a company that there is. */
  readonly openRegistration: boolean
  /** Where its API is found: `https://imoveis.example.com`. */
  readonly publicUrl: string
}
