import type { Instant } from '../kernel/values/day.ts'

export const ROLES = ['Admin', 'Broker', 'Financial', 'Owner', 'Tenant', 'Syndic'] as const

/** What somebody is in their company. */
export type Role = (typeof ROLES)[number]

/** Who may do what; whose records they may do it to, each room says. */
const MAY = {
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

export type Permission = keyof typeof MAY

const permitted: Readonly<Record<Permission, readonly Role[]>> = MAY

/** Whether a role may do something at all. */
export const may = (role: Role, permission: Permission): boolean => permitted[permission].includes(role)

/** Somebody who is registered, in their company. */
export interface Actor {
  /** A GUID. */
  readonly userId: string
  readonly companyId: string
  readonly role: Role
  /**
   * The e-mail that their provider has seen to be theirs, by which a broker's record, a tenant's and an owner's client are
   * theirs; null where it has not.
   */
  readonly verifiedEmail: string | null
  /** Until when their token is good: what goes on for them ends then. Where it is left out nothing does. */
  readonly tokenExpiresAt?: Instant
}
