/** The ports, for writing your own adapter. Stores and files reject with `StoreUnavailable` if they cannot be reached. */

export * from './acquirer.ts'
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
export * from './charging.ts'
export * from './documents.ts'
export * from './files.ts'
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
export * from './passkeys.ts'
export * from './price-indexes.ts'
export * from './runtime.ts'
export * from './sheets.ts'
export { StoreUnavailable, StoreUnwritable } from './store.ts'
export * from './tracer.ts'
