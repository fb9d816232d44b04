/** The real-estate business. Names that the payments business also uses begin with `Estate`. */

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

// The actor, roles and permissions.

export type { Actor as EstateActor } from './real-estate-ports.ts'
export {
  may,
  type Permission as EstatePermission,
  ROLES as ESTATE_ROLES,
  type Role as EstateRole,
} from './real-estate-ports.ts'

// Inputs of members.

export type { NewUser as NewEstateUser } from './access.ts'
export type { NewBroker } from './brokers.ts'
export type { NewCalendarLink } from './calendar.ts'
export type { NewClient as NewEstateClient } from './clients.ts'
export type { CommissionMove, NewCommission } from './commissions.ts'
export type { NewCondominium, NewExpense } from './condominiums.ts'
export type { AdjustmentDay } from './contracts/adjustment.ts'
export type { ContractMove, ContractRenewal, NewContract } from './contracts/contract-inputs.ts'
export type { TerminationDay } from './contracts/end-contract.ts'
export type { ContractFilter } from './contracts/read-contract.ts'
export type { NewFile } from './files.ts'
export type { InvitationAcceptance, NewInvitation } from './invitations.ts'
export type { NotificationFilter as EstateNotificationFilter } from './notifications/notification-views.ts'
export type { StatementPeriod } from './owners.ts'
export type { NewProperty, PropertyMove } from './properties.ts'
export type { Conversion, NewProposal, ProposalFilter, ProposalMove } from './proposals.ts'
export type { QuoteDay } from './rents/quote-payment.ts'
export type { DefaultedFilter, RevenuePeriod } from './rents/reports.ts'
export type { NewRentRun } from './rents/run-rent.ts'
export type { NewPayment, PaymentReceipt } from './rents/write-payment.ts'
export type { NewVisit, VisitChange, VisitFilter, VisitMove } from './visits.ts'

// Results of members.

export type { Profile } from './access.ts'
export type { BrokerDetail, BrokerFigures } from './brokers.ts'
export type { CalendarAddress } from './calendar.ts'
export type { ChargeDetail as EstateChargeDetail } from './charging/charge.ts'
export type { CommissionDetail } from './commissions.ts'
export type { CondominiumDetail, ManagedCondominium } from './condominiums.ts'
export type { Adjustment } from './contracts/adjustment.ts'
export type { ContractPdf } from './contracts/contract-document.ts'
export type { TerminationQuote } from './contracts/end-contract.ts'
export type { ContractDetail, ShownContract } from './contracts/read-contract.ts'
export type { Dashboard, Financial, ShownBroker } from './dashboard.ts'
export type { Split } from './expense-split.ts'
export type { Feed } from './feed.ts'
export type { FileRecord } from './files.ts'
export type { Imported, ImportedLine } from './imports/import-lines.ts'
export type { InvitationPreview, ShownInvitation } from './invitations.ts'
export type { NotificationFeed } from './notifications/feed.ts'
export type { AlertsChecked } from './notifications/notification-views.ts'
export type {
  Notification as EstateNotification,
  NotificationType as EstateNotificationType,
} from './office.ts'
export type { OwnerStatement, OwnerStatementPdf, StatementEntry } from './owners.ts'
export type { PropertyDetail } from './properties.ts'
export type { ProposalDetail } from './proposals.ts'
export type { Commission, CommissionStatus } from './records/commission.ts'
export type { Contract, ContractStatus } from './records/contract.ts'
export type { Payment, PaymentStatus, PaymentType } from './records/payment.ts'
export type { Broker, Client as EstateClient, Company, User as EstateUser } from './records/people.ts'
export type { Condominium, Property, PropertyStatus } from './records/property.ts'
export type { Proposal, ProposalStatus } from './records/proposal.ts'
export type { Visit, VisitStatus } from './records/visit.ts'
export type { Defaulted, MonthlyRevenue, Revenue } from './rents/reports.ts'
export type { RentRun, SkippedLease } from './rents/run-rent.ts'
export type { Quote, Quoted } from './terms/quote.ts'
export type { Skipped } from './terms/rent-of-month.ts'
export type { VisitDetail } from './visits.ts'

// For subscribers of an embedder.

export {
  type Event as EstateEvent,
  type EventType as EstateEventType,
  type Subscriber as EstateSubscriber,
  subscriber as estateSubscriber,
} from './office.ts'
