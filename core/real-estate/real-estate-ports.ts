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

/** The ports of the real-estate business. */
export interface RealEstatePorts extends Runtime {
  readonly identity: Identity
  readonly cipher: Cipher
  readonly digest: Digest
  readonly log: Log
  /** Copies notifications to an outside service, if given. */
  readonly mirror?: Mirror
  /** Issues charges of payments; without it they are unavailable. */
  readonly charging?: Charging
  /** Sends the mails of invitations; without it no staff can be invited. */
  readonly mail?: EstateMail
  readonly indexes: PriceIndexes
  readonly sheetReader: SheetReader
  readonly contractRenderer: ContractRenderer
  readonly ownerStatementRenderer: OwnerStatementRenderer
  readonly settings: RealEstateSettings
}

export interface RealEstateSettings {
  /** The time of the daily jobs, `HH:MM` in São Paulo. */
  readonly alertsAt: string
  /** The day of the month (1 to 28) of the rent run; null without one. */
  readonly rentRunDay: number | null
  /** Allows users to register themselves in an existing company with any role but Admin. */
  readonly openRegistration: boolean
  /** The public address of the API: `https://imoveis.example.com`. */
  readonly publicUrl: string
}
