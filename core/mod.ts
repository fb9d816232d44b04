/**
 * The public entry point of the core: its two businesses, which share the kernel and do not depend on each other.
 *
 * ```ts
 * const pay = payments(ports)
 * const charge = await pay.charges.issue(actor, input)()
 * // Runs once: a repeated call with the same key returns the first charge.
 * const order = await pay.charges.issue(actor, input)({ key: 'order-17' })
 *
 * const agency = realEstate(estatePorts)
 * const rents = await agency.payments.runRent(actor, { period: '2030-12' })()
 * ```
 */

// The result of every member: a task of a failure or a value.

export {
  type CodesOf,
  type Either,
  type Failure,
  FailureError,
  type Issue,
  type IssueCode,
  type IssueCodesOf,
  isLeft,
  isRight,
  left,
  right,
  unwrap,
} from './failure.ts'
export type { InputCode, JsonObject, Paging } from './kernel/input/mod.ts'
export type { HostOfOwner } from './kernel/running/concurrency.ts'
export type { KeyHooks, RunnerCode, Runtime, StartedOperation, UseCase } from './kernel/running/use-case.ts'
export type { Facade, FacadeMember, IdempotencyKey, KeyedUseCase, Members } from './office/facade.ts'
export type { KeyCode } from './office/idempotency-keys.ts'

// The business, its ports and settings, and its worker.

export { type IdPool, idPool } from './kernel/running/ids.ts'
export type { Fresh, LeaseMark } from './kernel/running/use-case.ts'
export { type Payments, type PaymentsWorker, payments, paymentsCollections } from './payments/payments.ts'
export type {
  AnyOperations,
  PaymentsModule,
  PaymentsPart,
  PaymentsPorts,
  PaymentsSettings,
  WorkerSetup,
} from './payments/payments-ports.ts'

// The caller and the permissions.

export type { Origin, ShownEntry } from './office/audit.ts'
export type { Caller, Generation, GuessedAccount, Member, RequestedAccount } from './payments/access/authenticate.ts'
export type { AuditActor } from './payments/office.ts'
export type { Actor, Person } from './payments/payments-ports.ts'
export { type Permission, ROLES, type Role } from './payments/payments-ports.ts'

// The inputs of the members.

export type { Image, ImageType } from './kernel/input/image.ts'
export type { ResourceFilter } from './kernel/resources/plain-use-cases.ts'
export { type Day, dayOf, type Instant } from './kernel/values/day.ts'
export type { NotificationFilter, PageOfNotifications } from './office/inbox.ts'
export type { ApiKeyCredentials } from './payments/access/api-keys.ts'
export type { AuditFilter } from './payments/access/audit-trail.ts'
export type { SelfChange } from './payments/access/change-user.ts'
export type { PasswordConfirmation } from './payments/access/confirm-password.ts'
export type { EmailVerification, VerificationRequest } from './payments/access/email-verification.ts'
export type { Credentials, TokenAccount } from './payments/access/log-in.ts'
export type { KeyFilter, KeyRotation, NamedKeyChange, NewNamedKey } from './payments/access/manage-keys.ts'
export type { OrganizationChange } from './payments/access/organizations.ts'
export type {
  ForgottenPassword,
  NewPassword,
  PasswordLinkRequest,
  TokenPassword,
} from './payments/access/password-reset.ts'
export type { NewUser } from './payments/access/register.ts'
export type { MembershipFilter, MembershipKind } from './payments/access/team.ts'
export type { NewTeamMember, TeamMemberChange } from './payments/access/team-changes.ts'
export type { Terms } from './payments/accounts/change-account.ts'
export type { FirstPin } from './payments/accounts/pin.ts'
export type { AccountChange } from './payments/accounts/update-account.ts'
export type { PasskeyName } from './payments/challenges/passkey.ts'
export type { ChargeChange } from './payments/charges/change.ts'
export type {
  ChargeGroup,
  ChargeGroupChange,
  NewCharge,
  NewChargeGroup,
  NewPaymentPlan,
  PaymentPlan,
} from './payments/charges/new-charge.ts'
export type { NewPlanCharges } from './payments/charges/plan.ts'
export type { ChargeFilter, ChargeSummaryFilter } from './payments/charges/queries/list.ts'
export type { BoletoSearch, PublicChargeFilter } from './payments/charges/queries/payer-charges.ts'
export type { PaymentSimulation, SimulatedPayment } from './payments/charges/queries/payment-options.ts'
export type { DueQuote, IssuedTerms, QuotedCharge } from './payments/charges/queries/quote.ts'
export type {
  ChargeWithIssuer,
  FullCharge,
  PayableDetail,
  PublicCharge,
  PublicChargeKey,
  PublicCode,
} from './payments/charges/queries/read.ts'
export type { NewRefund } from './payments/charges/refund.ts'
export type { LinkKey } from './payments/checkout/open-link.ts'
export type { LinkPayment } from './payments/checkout/pay-link.ts'
export type { Client, ClientChange, NewClient } from './payments/customers/client.ts'
export type { BankTally, BankTallyRow } from './payments/diagnostics.ts'
export type { BankFilter } from './payments/enumerations.ts'
export type { NewInstantPix } from './payments/instant-pix.ts'
export type { LinkFilter, PageOfLinks } from './payments/links/read-link.ts'
export type { LinkChange, NewLink } from './payments/links/write-link.ts'
export type { PasskeyChallenge, PasskeyLogIn, PasskeyProof, PasskeySecondStep } from './payments/passkeys/assertion.ts'
export type { NewPasskey } from './payments/passkeys/registration.ts'
export type { Erasure, KeptFields } from './payments/privacy/erasure.ts'
export type { FactorDates, MemberData, MemberDataPdf, NamingNotification } from './payments/privacy/member-data.ts'
export type { MemberErasure } from './payments/privacy/member-erasure.ts'
export type { PersonalDataPdf } from './payments/privacy/paper.ts'
export type { PersonalData, SentText } from './payments/privacy/personal-data.ts'
export type { ReconciledDay, ReconciliationResult } from './payments/reconciliation/reconcile.ts'
export type { NewOrganization } from './payments/registrations/opening.ts'
export type { Applicant, RegistrationConfirmation } from './payments/registrations/register.ts'
export type { FullApplicant } from './payments/registrations/register-full.ts'
export type { RegistrationLookup, RegistrationPair, ShownRegistration } from './payments/registrations/registration.ts'
export type { RegistrationImages } from './payments/registrations/review.ts'
export type { NoticeInput } from './payments/reminders/notify-payers.ts'
export type { MessagePreview } from './payments/reminders/preview.ts'
export type { ChargeReport, ChargeReportRow } from './payments/reports.ts'
export type { ChallengeCode, LogInCode } from './payments/second-factor/code-proof.ts'
export type { FactorPolicyChange } from './payments/second-factor/policy.ts'
export type { FactorRemoval, SetUpConfirmation, SetUpStart } from './payments/second-factor/set-up.ts'
export type { NewSplitReceiver, SplitReceiverFilter } from './payments/splits/receiver.ts'
export type { NewTransfer } from './payments/transfers/send.ts'
export type { DeliveryFilter, DeliveryPage } from './payments/webhooks/deliveries.ts'

// The results of the members.

export type { ApiKeyAccount } from './payments/access/api-keys.ts'
export type { AuditRecord } from './payments/access/audit-trail.ts'
export type { ConfirmedPassword } from './payments/access/confirm-password.ts'
export { isSecondStepRequired, type LogInResult, type SecondStepRequired } from './payments/access/log-in.ts'
export type { IssuedKey, KeyStatus, ShownKey } from './payments/access/named-key.ts'
export type { AccountAccess, LegacyMe, Me } from './payments/access/organizations.ts'
export type { OwnSession } from './payments/access/own-sessions.ts'
export type { ShownSession, SignInResult } from './payments/access/session.ts'
export type { TeamMember } from './payments/access/team.ts'
export type { ShownAccount } from './payments/accounts/account.ts'
export type { AccountDetail, OpenedImage, Payee, PayeeWithLogo, ShownSecrets } from './payments/accounts/views.ts'
export type { ListedBank } from './payments/banks.ts'
export type { ProofKind, ShownChallenge } from './payments/challenges/challenge.ts'
export type { ShownPasskey } from './payments/challenges/passkey.ts'
export type { CardTransaction } from './payments/charges/card.ts'
export { type Charge, type ChargeStatus, statusAt as chargeStatusAt } from './payments/charges/charge.ts'
export {
  boletoOf,
  type ChangedCharge,
  type ChargeDetail,
  type ChargeTerms,
  chargePageUrl,
  dueOn,
  isRestRefused,
  pixOf,
} from './payments/charges/detail.ts'
export { installmentDays, type Schedule as PlanSchedule } from './payments/charges/new-charge.ts'
export type { DecidedCard } from './payments/charges/notifications.ts'
export type { ConfirmedPayment } from './payments/charges/payment.ts'
export type {
  ChargeHistory,
  ChargeMessage,
  ChargeMoment,
  ChargePayments,
  ReceivedPayment,
} from './payments/charges/queries/history.ts'
export type { InvoicePdf } from './payments/charges/queries/invoice.ts'
export type { ChargeGroupFigures, ChargeSummary } from './payments/charges/queries/list.ts'
export type { CreditedPix } from './payments/charges/received-pix.ts'
export type { RefundedCharge } from './payments/charges/refund.ts'
export { type ChargeMoney, findChargeMoney, type Refund, readChargeMoney } from './payments/charges/refund-records.ts'
export type { Checkout, LinkPayee, OfferedLink } from './payments/checkout/open-link.ts'
export type { PaymentOfLink } from './payments/checkout/pay-link.ts'
export type { PayableCharge } from './payments/checkout/read-payment.ts'
export { enumerations } from './payments/enumerations.ts'
export type { Notification } from './payments/inbox/inbox.ts'
export type { InstantPixFilter, ListedPix, OpenCode, PaidPix, PixWithImage } from './payments/instant-pix.ts'
export type { Entry } from './payments/ledger/ledger.ts'
export { type LinkStatus, type LinkUses, linkStatusAt } from './payments/links/link.ts'
export type {
  FullLink,
  LinkDetail,
  LinkFigures,
  LinkSummary,
  NamedRecord,
  ShownLink,
} from './payments/links/read-link.ts'
export type { Membership } from './payments/members/membership.ts'
export type { ShownUser } from './payments/members/user.ts'
export type { PasskeyCreation, PasskeyRequest } from './payments/passkeys/credential-json.ts'
export type { RegisteredPasskey } from './payments/passkeys/registration.ts'
export type { Difference } from './payments/reconciliation/records.ts'
export type { SignedInOwner } from './payments/registrations/register-full.ts'
export type { MailedNotice, Notified } from './payments/reminders/notify-payers.ts'
export type { PreviewedMessage } from './payments/reminders/preview.ts'
export type { FactorPolicy } from './payments/second-factor/policy.ts'
export type { ProvedChallenge, SecondStepResult } from './payments/second-factor/second-step.ts'
export type { FactorOverview, RecoveryCodes, SetUp } from './payments/second-factor/set-up.ts'
export type { ShownDevice } from './payments/second-factor/trusted-devices.ts'
export type { ReversedShare } from './payments/splits/reversal.ts'
export type { Split as ChargeSplit, SplitDetail, SplitReceiver } from './payments/splits/split.ts'
export type { Transfer } from './payments/transfers/transfer.ts'
export type { Delivery } from './payments/webhooks/deliveries.ts'
export type { Listing, Page, PageOf } from './ports/store.ts'

// The inputs and results of statements, exports and withdrawals.

export * from './payments/exports/mod.ts'
export * from './payments/statements/mod.ts'
export * from './payments/withdrawals/mod.ts'

// The other business, whole.

export * from './real-estate/mod.ts'

// Ports, for who writes an adapter. Stores and files reject with `StoreUnavailable` where they cannot be reached.

export * from './ports/mod.ts'
// The store: its collections, queries and changes, and the one interpreter of commits, which every store runs.

export {
  applyCommits,
  type BatchResult,
  type CommitResult,
  type PendingCommit,
} from './kernel/records/apply-commits.ts'
export type { KeyMove, NetWrite, StoreReader } from './kernel/records/batch-state.ts'
export {
  fillMissingFields,
  type RecordFiller,
  type Upgradable,
  upgradeValues,
} from './kernel/records/missing-fields.ts'
export type { Change, CommitHook, Outcome, Take, Taken } from './kernel/records/record.ts'
export {
  type AnyCollection,
  type At,
  type Collection,
  compile,
  type Field,
  type Id,
  type IndexRow,
  type Json,
  type OldestShape,
  type Rec,
  type RecordTest,
  recordOrder,
  type Scalar,
  type TallyRow,
  type Where,
} from './kernel/records/record.ts'
export {
  checkedChange,
  type ShapeChange,
  type StoredShape,
  type StoredTally,
  storedShape,
} from './kernel/records/stored-shape.ts'
export { conditionTest, tableOf } from './kernel/records/table.ts'
export { type Bucket, type GroupRow, groupRecords, type TallyDelta } from './kernel/records/tally.ts'
export type { Find, Group, List, Listed, Query, QueryResult, QueryResults, Store, Superseded } from './ports/store.ts'

// The work of a part that you add to the worker.

export type { JobRow, JobSlice, Schedule, Sweep } from './kernel/running/jobs.ts'
export {
  type Backlog,
  type Due,
  type Lease,
  type Queue,
  type QueuedRecord,
  type QueueRow,
  queueOf,
  type Report,
  type Skipped,
} from './kernel/running/queue.ts'
export type { Ending, OnEnd, QueueBacklog, Worker } from './kernel/running/worker.ts'
export type { Migration } from './office/migrations.ts'
export type { SubscriberRow } from './office/outbox.ts'
export { type Event, type EventType, type Subscriber, subscriber } from './payments/events.ts'
export type { RetentionDays } from './payments/retention.ts'
