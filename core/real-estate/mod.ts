/** The real-estate business. What it shares a word with payments in has `Estate` before it. */

export {
  type RealEstate,
  type RealEstateWorker,
  realEstate,
  realEstateCollections,
} from './real-estate.ts'
export type {
  RealEstateModule,
  WorkerSetup as EstateWorkerSetup,
  WorkingPart as EstateWorkingPart,
} from './real-estate-module.ts'
export type { EstateMail, RealEstatePorts, RealEstateSettings } from './real-estate-ports.ts'

// Who asks, and what they may.

export type { Actor as EstateActor } from './actor.ts'
export { may, type Permission as EstatePermission, ROLES as ESTATE_ROLES, type Role as EstateRole } from './role.ts'

// What members are given.

export type { NewUser as NewEstateUser } from './access/register.ts'
export type { NewBroker } from './brokers/module.ts'
export type { NewCalendarLink } from './calendar/module.ts'
export type { NewClient as NewEstateClient } from './clients/module.ts'
export type { CommissionMove, NewCommission } from './commissions/new-commission.ts'
export type { NewCondominium, NewExpense } from './condominiums/module.ts'
export type { ContractMove, ContractRenewal, NewContract } from './contracts/contract-inputs.ts'
export type { AdjustmentDay } from './contracts/preview-adjustment.ts'
export type { ContractFilter } from './contracts/read-contract.ts'
export type { TerminationDay } from './contracts/termination-quote.ts'
export type { NewFile } from './files/module.ts'
export type { InvitationAcceptance, NewInvitation } from './invitations/module.ts'
export type { NotificationFilter as EstateNotificationFilter } from './notifications/notification-views.ts'
export type { StatementPeriod } from './owners/owner-statement-view.ts'
export type { NewProperty, PropertyMove } from './properties/module.ts'
export type { Conversion } from './proposals/convert-proposal.ts'
export type { NewProposal, ProposalFilter, ProposalMove } from './proposals/proposal-inputs.ts'
export type { DefaultedFilter } from './rents/defaulted-report.ts'
export type { QuoteDay } from './rents/quote-payment.ts'
export type { RevenuePeriod } from './rents/revenue-report.ts'
export type { NewRentRun } from './rents/run-rent-view.ts'
export type { NewPayment, PaymentReceipt } from './rents/write-payment.ts'
export type { NewVisit } from './visits/change-visits.ts'
export type { VisitChange, VisitFilter, VisitMove } from './visits/visit-inputs.ts'

// What they answer.

export type { Profile } from './access/user-view.ts'
export type { BrokerFigures } from './brokers/broker-figures.ts'
export type { BrokerDetail } from './brokers/broker-view.ts'
export type { CalendarAddress } from './calendar/module.ts'
export type { ChargeDetail as EstateChargeDetail } from './charging/issue.ts'
export type { CommissionDetail } from './commissions/commission-detail.ts'
export type { CondominiumDetail, ManagedCondominium } from './condominiums/condominium-views.ts'
export type { Split } from './condominiums/expense-split.ts'
export type { ContractPdf } from './contracts/contract-document.ts'
export type { ContractDetail, ShownContract } from './contracts/contract-view.ts'
export type { TerminationQuote } from './contracts/termination-quote.ts'
export type { Dashboard, Financial, MonthlyRevenue } from './dashboard/dashboard.ts'
export type { ShownBroker } from './dashboard/read-figures.ts'
export type { Feed } from './feed/module.ts'
export type { ImportedLine } from './imports/decide-lines.ts'
export type { Imported } from './imports/run-import.ts'
export type { InvitationPreview, ShownInvitation } from './invitations/invitation.ts'
export type { NotificationFeed } from './notifications/feed.ts'
export type { AlertsChecked } from './notifications/notification-views.ts'
export type {
  Notification as EstateNotification,
  NotificationType as EstateNotificationType,
} from './office/notifications.ts'
export type { OwnerStatement, StatementEntry } from './owners/owner-statement.ts'
export type { OwnerStatementPdf } from './owners/read-statement.ts'
export type { PropertyDetail } from './properties/property-views.ts'
export type { ProposalDetail } from './proposals/proposal-detail.ts'
export type { Broker } from './records/broker.ts'
export type { Client as EstateClient } from './records/client.ts'
export type { Commission, CommissionStatus } from './records/commission.ts'
export type { Company } from './records/company.ts'
export type { Condominium } from './records/condominium.ts'
export type { Contract, ContractStatus } from './records/contract.ts'
export type { FileRecord } from './records/file.ts'
export type { Payment, PaymentStatus, PaymentType } from './records/payment.ts'
export type { Property, PropertyStatus } from './records/property.ts'
export type { Proposal, ProposalStatus } from './records/proposal.ts'
export type { User as EstateUser } from './records/user.ts'
export type { Visit, VisitStatus } from './records/visit.ts'
export type { Defaulted } from './rents/defaulted-report.ts'
export type { Quote, Quoted } from './rents/quote.ts'
export type { Skipped } from './rents/rent-of-month.ts'
export type { Revenue } from './rents/revenue-report.ts'
export type { RentRun, SkippedLease } from './rents/run-rent-view.ts'
export type { Adjustment } from './terms/adjustment.ts'
export type { VisitDetail } from './visits/visit-detail.ts'

// What a part of one's own gives its worker to do.

export {
  type Event as EstateEvent,
  type EventType as EstateEventType,
  type Subscriber as EstateSubscriber,
  subscriber as estateSubscriber,
} from './office/events.ts'
