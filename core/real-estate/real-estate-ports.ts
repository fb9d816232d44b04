import type { Runtime } from '../kernel/running/use-case.ts'
import type { Instant } from '../kernel/values/day.ts'
import type { Charging } from '../ports/charging.ts'
import type { ContractRenderer, OwnerStatementRenderer } from '../ports/documents.ts'
import type { Identity } from '../ports/identity.ts'
import type { EmailRenderer, Mailer, Mirror } from '../ports/messaging.ts'
import type { PriceIndexes } from '../ports/price-indexes.ts'
import type { Cipher, Digest, Log } from '../ports/runtime.ts'
import type { SheetReader } from '../ports/sheets.ts'

export const ROLES = ['Admin', 'Broker', 'Financial', 'Owner', 'Tenant', 'Syndic'] as const

/** The role of a user in the company. */
export type Role = (typeof ROLES)[number]

/** The roles that have a permission. Each module limits the records of a role further. */
const ROLES_WITH = {
  'properties:read': ['Admin', 'Broker', 'Financial', 'Owner'],
  'properties:write': ['Admin', 'Broker'],
  'properties:move': ['Admin', 'Broker', 'Financial'],
  'properties:remove': ['Admin'],
  'properties:feed': ['Admin'],
  'proposals:read': ['Admin', 'Broker'],
  'proposals:write': ['Admin', 'Broker'],
  'proposals:remove': ['Admin'],
  'contracts:read': ['Admin', 'Broker', 'Financial', 'Owner', 'Tenant'],
  'contracts:write': ['Admin', 'Broker', 'Financial'],
  'contracts:remove': ['Admin'],
  'payments:read': ['Admin', 'Financial', 'Owner', 'Tenant'],
  'payments:write': ['Admin', 'Financial'],
  'payments:report': ['Admin', 'Financial'],
  'payments:remove': ['Admin'],
  'clients:read': ['Admin', 'Broker'],
  'clients:write': ['Admin', 'Broker'],
  'clients:remove': ['Admin'],
  'condominiums:read': ['Admin', 'Syndic'],
  'condominiums:write': ['Admin'],
  'condominiums:remove': ['Admin'],
  'commissions:read': ['Admin', 'Financial', 'Broker'],
  'commissions:write': ['Admin', 'Financial'],
  'commissions:remove': ['Admin'],
  'visits:read': ['Admin', 'Broker'],
  'visits:write': ['Admin', 'Broker'],
  'visits:remove': ['Admin'],
  'brokers:read': ['Admin'],
  'brokers:write': ['Admin'],
  'brokers:remove': ['Admin'],
  'owners:read': ['Admin', 'Financial', 'Owner'],
  'company:read': ['Admin', 'Financial'],
  'company:write': ['Admin'],
  'invitations:read': ['Admin'],
  'invitations:write': ['Admin'],
  'notifications:read': ROLES,
  'notifications:check': ['Admin'],
  'files:read': ROLES,
  'files:write': ROLES,
  'dashboard:read': ['Admin', 'Financial', 'Broker'],
} as const satisfies Readonly<Record<string, readonly Role[]>>

export type Permission = keyof typeof ROLES_WITH

/** Reports whether a role has a permission. */
export const may = (role: Role, permission: Permission): boolean => {
  const roles: readonly Role[] = ROLES_WITH[permission]
  return roles.includes(role)
}

/** A registered user of a company. */
export interface Actor {
  /** A GUID. */
  readonly userId: string
  readonly companyId: string
  readonly role: Role
  /** The e-mail that the identity provider has verified, or null. It links the actor to a broker and to clients. */
  readonly verifiedEmail: string | null
  /**
   * The end of the token, which also ends the streams of the actor. Without it they end when the actor loses access.
   */
  readonly tokenExpiresAt?: Instant
}

/** The actor of a use case on all records of a company, whatever the role. */
export type CompanyActor = Pick<Actor, 'companyId'>

/** The actor of a change that names its user. */
export type CompanyUser = Pick<Actor, 'companyId' | 'userId'>

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
  /** Sends the mails of invitations; without it no user can be invited. */
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
