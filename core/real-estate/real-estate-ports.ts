import type { Runtime } from '../kernel/running/use-case.ts'
import type { Charging } from '../ports/charging.ts'
import type { Cipher } from '../ports/cipher.ts'
import type { ContractRenderer } from '../ports/contract-renderer.ts'
import type { Digest } from '../ports/digest.ts'
import type { EmailRenderer } from '../ports/email-renderer.ts'
import type { Identity } from '../ports/identity.ts'
import type { Log } from '../ports/log.ts'
import type { Mailer } from '../ports/mailer.ts'
import type { Mirror } from '../ports/mirror.ts'
import type { OwnerStatementRenderer } from '../ports/owner-statement-renderer.ts'
import type { PriceIndexes } from '../ports/price-indexes.ts'
import type { SheetReader } from '../ports/sheet-reader.ts'

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
