/** Ports, for who writes an adapter. Stores and files reject with `StoreUnavailable` where they cannot be reached. */

export type { Acquirer, CardDecision, CardNumber, CardOrder } from './acquirer.ts'
export type { AcquirerNotifications, CardNotice } from './acquirer-notifications.ts'
export type {
  Address,
  Bank,
  BankAbility,
  BoletoTitle,
  OpenedAccount,
  Party,
  Payer,
  PaymentNotice,
  ReceivedPix,
  Title,
  TitleMethod,
  TitleOrder,
  TitleTerms,
} from './bank.ts'
export type { BankAnswer, UnreadableRecord } from './bank-answer.ts'
export type { BankNotifications } from './bank-notifications.ts'
export type { ChargeNotice, ChargeNotifications } from './charge-notifications.ts'
export type {
  ChargeKey,
  ChargeMethod,
  ChargeOrder,
  Charging,
  ChargingAccount,
  IssuedCharge,
} from './charging.ts'
export type { Cipher } from './cipher.ts'
export type { Clock } from './clock.ts'
export type { ContractRenderer, ContractSection, PrintedContract } from './contract-renderer.ts'
export type { Digest } from './digest.ts'
export type { Block, EmailRenderer, Sender } from './email-renderer.ts'
export type { Chunks, Files } from './files.ts'
export { type Hasher, HasherBusy, type Requester } from './hasher.ts'
export { type Identity, type IdentityClaims, IdentityUnavailable } from './identity.ts'
export type {
  Invoice,
  InvoiceBoleto,
  InvoiceCard,
  InvoiceParty,
  InvoiceRenderer,
  InvoiceStatus,
} from './invoice-renderer.ts'
export type { Log } from './log.ts'
export type { Mail, Mailer } from './mailer.ts'
export type { Message, MessageChannel, Messenger } from './messenger.ts'
export type { Mirror, MirroredNotification } from './mirror.ts'
export {
  MOVEMENT_KINDS,
  type Movement,
  type MovementKey,
  type MovementKind,
  type MovementPage,
  type Movements,
  type MovementsAsked,
  type UnreadableMovement,
} from './movements.ts'
export type { OwnerStatementLine, OwnerStatementPaper, OwnerStatementRenderer } from './owner-statement-renderer.ts'
export {
  BANK_ACCOUNT_TYPES,
  type BankAccountHolder,
  type BankAccountType,
  type PaidOut,
  type PayOutOrder,
  type PayOuts,
  type PayOutTarget,
} from './pay-outs.ts'
export { INDEX_SERIES, type IndexFigure, type IndexSeries, type PriceIndexes } from './price-indexes.ts'
export type { QrRenderer } from './qr-renderer.ts'
export type { Random } from './random.ts'
export type { BankRefund, RefundOrder, Refunds } from './refunds.ts'
export type { SheetLine, SheetLines, SheetReader } from './sheet-reader.ts'
export type { CellKind, Sheet, SheetColumn, SheetRow, SheetWriter } from './sheet-writer.ts'
export type {
  Receipt,
  ReceiptParty,
  Statement,
  StatementDay,
  StatementHolder,
  StatementLine,
  StatementRenderer,
  StatementSums,
} from './statement-renderer.ts'
export { StoreUnavailable, StoreUnwritable } from './store.ts'
export type { SmtpServer, TenantMailer } from './tenant-mailer.ts'
export type { Tokens } from './tokens.ts'
export {
  readTraceContext,
  type Span,
  type SpanAttributes,
  type SpanKind,
  type SpanStart,
  type TraceContext,
  type Tracer,
  traceHeaders,
  traceIdOf,
} from './tracer.ts'
export type { WebhookAnswer, WebhookSender } from './webhook-sender.ts'
