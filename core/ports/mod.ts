/** The ports, for writing your own adapter. Stores and files reject with `StoreUnavailable` if they cannot be reached. */

export type { Acquirer, AcquirerNotifications, CardDecision, CardNotice, CardNumber, CardOrder } from './acquirer.ts'
export type {
  Address,
  Bank,
  BankAbility,
  BankAnswer,
  BankNotifications,
  BankRefund,
  BoletoTitle,
  OpenedAccount,
  Party,
  Payer,
  PaymentNotice,
  ReceivedPix,
  RefundOrder,
  Refunds,
  Title,
  TitleMethod,
  TitleOrder,
  TitleTerms,
  UnreadableRecord,
} from './bank.ts'
export {
  BANK_ACCOUNT_TYPES,
  type BankAccountHolder,
  type BankAccountType,
  type CompletedPayOut,
  MOVEMENT_KINDS,
  type Movement,
  type MovementKey,
  type MovementKind,
  type MovementPage,
  type Movements,
  type MovementsQuery,
  type PayOutOrder,
  type PayOuts,
  type PayOutTarget,
  type UnreadableMovement,
} from './bank.ts'
export type {
  ChargeKey,
  ChargeMethod,
  ChargeNotice,
  ChargeNotifications,
  ChargeOrder,
  Charging,
  ChargingAccount,
  IssuedCharge,
} from './charging.ts'
export type {
  ContractRenderer,
  ContractSection,
  Invoice,
  InvoiceBoleto,
  InvoiceCard,
  InvoiceParty,
  InvoiceRenderer,
  InvoiceStatus,
  OwnerStatementLine,
  OwnerStatementPaper,
  OwnerStatementRenderer,
  PrintedContract,
  QrRenderer,
  Receipt,
  ReceiptParty,
  Statement,
  StatementDay,
  StatementHolder,
  StatementLine,
  StatementRenderer,
  StatementSums,
} from './documents.ts'
export type { Chunks, Files } from './files.ts'
export type { Tokens } from './identity.ts'
export {
  type Hasher,
  HasherBusy,
  type Identity,
  type IdentityClaims,
  IdentityUnavailable,
  type Requester,
} from './identity.ts'
export type {
  Block,
  EmailRenderer,
  Mail,
  Mailer,
  Message,
  MessageChannel,
  Messenger,
  Mirror,
  MirroredNotification,
  Sender,
  SmtpServer,
  TenantMailer,
  WebhookAnswer,
  WebhookSender,
} from './messaging.ts'
export { INDEX_SERIES, type IndexFigure, type IndexSeries, type PriceIndexes } from './price-indexes.ts'
export type { Cipher, Clock, Digest, Log, Random } from './runtime.ts'
export type {
  CellKind,
  Sheet,
  SheetColumn,
  SheetLine,
  SheetLines,
  SheetReader,
  SheetRow,
  SheetWriter,
} from './sheets.ts'
export { StoreUnavailable, StoreUnwritable } from './store.ts'
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
