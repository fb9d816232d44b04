import type { Runtime, UseCase } from '../kernel/running/use-case.ts'
import type { Members } from '../office/facade.ts'
import type { Part, WorkerOptions } from '../office/worker.ts'
import type { Acquirer } from '../ports/acquirer.ts'
import type { Bank } from '../ports/bank.ts'
import type { InvoiceRenderer, QrRenderer, StatementRenderer } from '../ports/documents.ts'
import type { Files } from '../ports/files.ts'
import type { Hasher, Tokens } from '../ports/identity.ts'
import type { EmailRenderer, Mailer, Messenger, TenantMailer, WebhookSender } from '../ports/messaging.ts'
import type { Cipher, Digest, Log } from '../ports/runtime.ts'
import type { SheetWriter } from '../ports/sheets.ts'
import type { Event } from './events.ts'

/** The ports of the payments business. */
export interface PaymentsPorts extends Runtime {
  readonly bank: Bank
  /** Null if cards are not accepted. */
  readonly acquirer: Acquirer | null
  readonly cipher: Cipher
  readonly digest: Digest
  readonly hasher: Hasher
  readonly tokens: Tokens
  readonly files: Files
  readonly mailer: Mailer
  /** Sends mail by the SMTP servers of accounts. */
  readonly tenantMailer: TenantMailer
  readonly messenger: Messenger
  readonly emailRenderer: EmailRenderer
  readonly qrRenderer: QrRenderer
  readonly invoiceRenderer: InvoiceRenderer
  readonly sheetWriter: SheetWriter
  readonly statementRenderer: StatementRenderer
  readonly webhooks: WebhookSender
  readonly log: Log
  readonly settings: PaymentsSettings
}

export interface PaymentsSettings {
  /** The base of public links, without a trailing slash. */
  readonly publicUrl: string
  /** The hosts, without ports, to which mails may link with a token. */
  readonly resetHosts: readonly string[]
  /** In production these links must be https, and payments cannot be simulated. */
  readonly isProduction: boolean
  /** The time of the daily schedules, `HH:MM` in São Paulo. */
  readonly alertsAt: string
  /** The code that a payer must send to search for boletos; null disables the search. */
  readonly boletoSearchCode: string | null
  /** The three-digit code of the bank at which both accounts of an internal transfer must be. */
  readonly internalTransferBank: string
  /**
   * The limit of messages to payers, per account and day. By default 200 until a charge of the account has been paid, then
   * 10,000.
   */
  readonly messagesPerDay?: number | null
  /** The limit of new unpaid charges per payment link, address and hour; by default 60. */
  readonly linkChargesPerHour?: number
  /** The limit of new unpaid charges per payment link and day, plus ten for each charge paid that day; by default 1,000. */
  readonly linkChargesPerDay?: number
}

/** The bank operations of one kind, without their types. */
export interface AnyOperations {
  readonly kind: string
  readonly places: number
  readonly leaseSeconds: number
  readonly isSentOnce: boolean
  readonly resume: (id: string) => UseCase<unknown>
}

/** The collections of a room, and its work for the worker. */
export interface PaymentsPart extends Part<PaymentsPorts, Event> {
  /** The room's bank operations, by kind. */
  readonly operations?: (ports: PaymentsPorts) => readonly AnyOperations[]
}

export type WorkerSetup = WorkerOptions<PaymentsPorts, Event>

/** A module of the facade. */
export interface PaymentsModule extends PaymentsPart {
  /** The members of the facade. */
  readonly useCases: (ports: PaymentsPorts) => Members
}
