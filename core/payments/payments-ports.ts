import type { Runtime } from '../kernel/running/use-case.ts'
import type { Acquirer } from '../ports/acquirer.ts'
import type { Bank } from '../ports/bank.ts'
import type { Cipher } from '../ports/cipher.ts'
import type { Digest } from '../ports/digest.ts'
import type { EmailRenderer } from '../ports/email-renderer.ts'
import type { Files } from '../ports/files.ts'
import type { Hasher } from '../ports/hasher.ts'
import type { InvoiceRenderer } from '../ports/invoice-renderer.ts'
import type { Log } from '../ports/log.ts'
import type { Mailer } from '../ports/mailer.ts'
import type { Messenger } from '../ports/messenger.ts'
import type { QrRenderer } from '../ports/qr-renderer.ts'
import type { SheetWriter } from '../ports/sheet-writer.ts'
import type { StatementRenderer } from '../ports/statement-renderer.ts'
import type { TenantMailer } from '../ports/tenant-mailer.ts'
import type { Tokens } from '../ports/tokens.ts'
import type { WebhookSender } from '../ports/webhook-sender.ts'

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
