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
import type { Event } from './office.ts'

/** Everything the payments business asks of what is outside. */
export interface PaymentsPorts extends Runtime {
  readonly bank: Bank
  /** Null where no cards are taken. */
  readonly acquirer: Acquirer | null
  readonly cipher: Cipher
  readonly digest: Digest
  readonly hasher: Hasher
  readonly tokens: Tokens
  readonly files: Files
  readonly mailer: Mailer
  /** Sends by the mail servers of accounts. */
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
  /** Base of public links, without a slash at its end. */
  readonly publicUrl: string
  /** Hosts, without ports, to which a mail may link with a token. */
  readonly resetHosts: readonly string[]
  /** In production such a link must be https, and no payment is simulated. */
  readonly isProduction: boolean
  /** `HH:MM` in São Paulo: when the daily schedules run. */
  readonly alertsAt: string
  /** What a payer has to say to look for boletos; null lets nobody. */
  readonly boletoSearchCode: string | null
  /** The three digits of the bank at which both accounts of an internal transfer must be. */
  readonly internalTransferBank: string
  /**
   * Messages to payers that an account may send in a day; null, or without it, 200 until a charge of the account has been paid,
   * then 10,000.
   */
  readonly messagesPerDay?: number | null
  /** New unpaid charges of one payment link and one address an hour; without it 60. */
  readonly linkChargesPerHour?: number
  /** New unpaid charges of one payment link a day, and ten more for each that is paid that day; without it 1,000. */
  readonly linkChargesPerDay?: number
}

/** The operations of any kind. */
export interface AnyOperations {
  readonly kind: string
  readonly places: number
  readonly leaseSeconds: number
  readonly isSentOnce: boolean
  readonly resume: (id: string) => UseCase<unknown>
}

/** What the worker runs of a room, and what a store has to hold for it. */
export interface PaymentsPart extends Part<PaymentsPorts, Event> {
  /** What it asks of the bank, kind by kind. */
  readonly operations?: (ports: PaymentsPorts) => readonly AnyOperations[]
}

/** How the worker of the payments business is set up. */
export type WorkerSetup = WorkerOptions<PaymentsPorts, Event>

/** A room that does something for the business: all that others need to run it. */
export interface PaymentsModule extends PaymentsPart {
  /** The members of the facade, bound to ports once. */
  readonly useCases: (ports: PaymentsPorts) => Members
}
