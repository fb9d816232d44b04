import { type Either, type Failure, failure, isLeft, left, right } from '../failure.ts'
import { type Input, id, list, oneOf, output, timestamp, view } from '../kernel/input/mod.ts'
import type { Collection, Rec } from '../kernel/records/record.ts'
import { resourcesOf } from '../kernel/resources/resource.ts'
import { type Runtime, readUseCase, type UseCase, withValidInput } from '../kernel/running/use-case.ts'
import type { Instant } from '../kernel/values/day.ts'
import type { Origin } from '../office/audit.ts'
import type { Members } from '../office/facade.ts'
import type { Part, WorkerOptions } from '../office/worker.ts'
import type { Acquirer } from '../ports/acquirer.ts'
import type { Bank } from '../ports/bank.ts'
import type { InvoiceRenderer, PersonalDataRenderer, QrRenderer, StatementRenderer } from '../ports/documents.ts'
import type { Files } from '../ports/files.ts'
import type { Hasher, Tokens } from '../ports/identity.ts'
import type { EmailRenderer, Mailer, Messenger, TenantMailer, WebhookSender } from '../ports/messaging.ts'
import type { PasskeyVerifier } from '../ports/passkeys.ts'
import type { Cipher, Digest, Log } from '../ports/runtime.ts'
import type { SheetWriter } from '../ports/sheets.ts'
import { byId, type Store } from '../ports/store.ts'
import type { Event } from './events.ts'
import type { RetentionDays } from './retention.ts'

export type { Origin }

/** A user with a live session. */
export interface Person {
  readonly userId: number
  readonly sessionId: string
  /** The account in the token: the default for requests that name no account. */
  readonly tokenAccountId: number | null
  /** The only account that the token opens, if it was issued for an API key; null for a signed-in user. */
  readonly boundTo: number | null
  /** The permissions of the named API key that was sent; null or absent for a token. */
  readonly keyPermissions?: readonly Permission[] | null
  /** The time until which the password of a guarded session counts as recent; always, if null or absent. */
  readonly passwordRecentUntil?: Instant | null
  /** The end of the ten minutes after the password was last sent, in every session. Null or absent: it was not sent. */
  readonly passwordFreshUntil?: Instant | null
  /** True if the session proved the second factor. */
  readonly hasSecondFactor?: boolean
  /** The origin of the request, for the audit. */
  readonly origin?: Origin | null
}

/** A user who acts in an account, with the permissions of the role there. */
export interface Actor {
  readonly userId: number
  readonly accountId: number
  readonly roleId: number
  readonly permissions: readonly Permission[]
  /** As in `Person`. */
  readonly passwordRecentUntil?: Instant | null
  /** As in `Person`. */
  readonly passwordFreshUntil?: Instant | null
  /** As in `Person`. */
  readonly hasSecondFactor?: boolean
  /** The id of a challenge that the user proved, to confirm one withdrawal or change. */
  readonly confirmation?: string | null
  readonly origin?: Origin | null
}

/** The actor of a change in an account, as the audit records it. */
export type AccountActor = Pick<Actor, 'accountId' | 'userId' | 'origin'>

/** As `AccountActor`, of a change that the second factor must confirm if the account requires it. */
export type ConfirmedActor = AccountActor & Pick<Actor, 'confirmation'>

/** Builds a use case that validates its input and reads of one account. Fails: `fields`. */
export const accountQuery =
  <A, G, J extends string, V>(
    input: Input<A, G, J>,
    read: (ports: PaymentsPorts, accountId: number, value: A) => Promise<V>,
  ) =>
  (ports: PaymentsPorts) =>
  ({ accountId }: Pick<Actor, 'accountId'>, ...[submitted = {} as G]: Submitted<G>): UseCase<V, 'fields', J> =>
    withValidInput(
      ports,
      input,
      submitted,
      (value): UseCase<V, never> =>
        async () =>
          right(await read(ports, accountId, value)),
    )

/** An input of which each field is optional may be omitted. */
type Submitted<G> = Partial<G> extends G ? [submitted?: G] : [submitted: G]

/** Reads a record of an account; null if it belongs to another account, and without an id. */
export const findOwn = async <R extends Rec & { readonly accountId: number }>(
  store: Pick<Store, 'find'>,
  from: Collection<R>,
  accountId: number,
  id: R['id'] | null,
): Promise<R | null> => {
  const found = id === null ? null : await store.find(byId(from, id))
  return found?.accountId === accountId ? found : null
}

/** Builds a use case that reads an account, or a record of it. Fails: `unknown` if there is none. */
export const accountRead =
  <const C extends string, K extends readonly unknown[], V>(
    unknown: C,
    read: (ports: PaymentsPorts, accountId: number, ...key: K) => Promise<V | null>,
  ) =>
  (ports: PaymentsPorts) =>
  ({ accountId }: Pick<Actor, 'accountId'>, ...key: K): UseCase<V, C> =>
    readUseCase(unknown, () => read(ports, accountId, ...key))

const shown = {
  id: id({ about: 'Identificador' }),
  createdAt: timestamp({ about: 'Criação' }),
  updatedAt: timestamp({ about: 'Última alteração' }),
}
const business = { name: 'payments', tenant: 'accountId', ids: 'integer', shown } as const

/** Creates a plain resource of an account. */
export const resource = resourcesOf({ ...business, coded: true })

/** Creates a plain resource without a code, which is found by its id only. */
export const uncodedResource = resourcesOf({ ...business, coded: false })

/** The role or the token lacks a permission. */
export const PERMISSION_LACKING = failure('forbidden', 'permission.lacking')

type ByToken = Partial<Pick<Person, 'boundTo'>>

/**
 * Rejects a token that was issued for an API key: the holder of the key need not be the user whose e-mail was sent with
 * it. Fails: `permission.lacking`.
 */
export const rejectApiKeyToken = <P extends ByToken>(person: P): Either<typeof PERMISSION_LACKING, P> =>
  (person.boundTo ?? null) === null ? right(person) : left(PERMISSION_LACKING)

/** Builds a wrapper of use cases that fail if `refuse` returns a failure for the caller. */
const guardedBy =
  <B, const C extends string>(refuse: (caller: B) => Failure<C, never> | null) =>
  <P, A extends readonly unknown[], V, D extends string = never, I extends string = never>(
    own: (caller: P, ...input: A) => UseCase<V, D, I>,
  ) =>
  (caller: P & B, ...input: A): UseCase<V, C | D, I> => {
    const refused = refuse(caller)
    return refused ? async () => left(refused) : own(caller, ...input)
  }

/** Wraps a use case on the user's own data across accounts, which a token issued for an API key must not reach. */
export const withoutApiKeyToken = guardedBy((person: ByToken) => {
  const may = rejectApiKeyToken(person)
  return isLeft(may) ? may.left : null
})

type ByPassword = Partial<Pick<Person, 'passwordRecentUntil'>>

/** Reports whether the caller sent the password recently, or the session does not require it again. */
export const isPasswordRecent = (
  { clock }: Pick<Runtime, 'clock'>,
  { passwordRecentUntil = null }: ByPassword,
): boolean => passwordRecentUntil === null || clock.now() < passwordRecentUntil

/** The password was not sent within ten minutes. */
export const PASSWORD_STALE = failure('forbidden', 'password.stale')

/**
 * Wraps a use case that a guarded session may perform only within ten minutes of the password.
 * Fails: `password.stale`.
 */
export const withRecentPassword = (ports: Pick<Runtime, 'clock'>) =>
  guardedBy((person: ByPassword) => (isPasswordRecent(ports, person) ? null : PASSWORD_STALE))

/**
 * Wraps a use case that needs the password within ten minutes in every session, also in one that is not guarded: a key
 * or passkey that it issues outlives the session. Fails: `password.stale`.
 */
export const withConfirmedPassword = (ports: Pick<Runtime, 'clock'>) =>
  guardedBy(({ passwordRecentUntil = null }: ByPassword) =>
    passwordRecentUntil !== null && ports.clock.now() < passwordRecentUntil ? null : PASSWORD_STALE,
  )

export type Permission =
  | 'account:write'
  | 'users:read'
  | 'users:write'
  | 'clients:read'
  | 'clients:write'
  | 'charges:read'
  | 'charges:write'
  | 'links:read'
  | 'links:write'
  | 'statements:read'
  | 'withdrawals:read'
  | 'withdrawals:write'

export interface Role {
  readonly id: number
  readonly name: string
  readonly permissions: readonly Permission[]
}

const SELLING: readonly Permission[] = [
  'clients:read',
  'clients:write',
  'charges:read',
  'charges:write',
  'links:read',
  'links:write',
  'statements:read',
]

export const ADMIN: Role = {
  id: 1,
  name: 'ADMIN',
  permissions: [...SELLING, 'account:write', 'users:read', 'users:write', 'withdrawals:read', 'withdrawals:write'],
}
export const MANAGER: Role = {
  id: 2,
  name: 'MANAGER',
  permissions: [...SELLING, 'users:read', 'withdrawals:read', 'withdrawals:write'],
}
const OPERATOR: Role = { id: 3, name: 'OPERATOR', permissions: SELLING }
const VIEWER: Role = {
  id: 4,
  name: 'VIEWER',
  permissions: ['clients:read', 'charges:read', 'links:read', 'statements:read', 'users:read', 'withdrawals:read'],
}
export const API: Role = { id: 5, name: 'API', permissions: [...SELLING, 'withdrawals:read', 'withdrawals:write'] }

export const ROLES: readonly Role[] = [ADMIN, MANAGER, OPERATOR, VIEWER, API]

/** The roles that an account assigns to its users: all but ADMIN and API. */
export const ASSIGNABLE_ROLES: readonly Role[] = [MANAGER, OPERATOR, VIEWER]

const roles: ReadonlyMap<number, Role> = new Map(ROLES.map((role) => [role.id, role]))

/** Returns the role with an id; an unknown role has no permissions. */
export const roleOf = (id: number): Role => roles.get(id) ?? { id, name: '', permissions: [] }

/** The permissions that a token issued for an API key never has, even if its user is an ADMIN. */
const WITHHELD_FROM_KEYS: ReadonlySet<Permission> = new Set(['account:write', 'users:write'])

export const permissionsOfApiKey = (roleId: number): readonly Permission[] =>
  roleOf(roleId).permissions.filter((permission) => !WITHHELD_FROM_KEYS.has(permission))

/**
 * Returns the permissions of a role; `boundTo` is the account of a token that was issued for an API key, otherwise
 * null. A named key has no more than its own permissions.
 */
export const permissionsOf = (
  roleId: number,
  boundTo: number | null,
  ofKey: readonly Permission[] | null = null,
): readonly Permission[] => {
  if (boundTo === null) return roleOf(roleId).permissions
  const permissions = permissionsOfApiKey(roleId)
  return ofKey === null ? permissions : permissions.filter((permission) => ofKey.includes(permission))
}

const MAX_PERMISSIONS = 50

export const permissionsField = (about: string) => list(output.text(), { max: MAX_PERMISSIONS, about })

export const roleView = view('Role', {
  id: id({ about: 'Identificador do perfil' }),
  name: output.text({ about: 'Nome do perfil' }),
})

/** A role with its permissions. */
export const guardRoleView = view(
  'GuardRole',
  {
    ...roleView.table,
    guardName: oneOf(['api'], { about: 'Onde o perfil vale' }),
    permissions: permissionsField('O que o perfil permite'),
  },
  (role: Role) => ({ ...role, guardName: 'api' as const }),
)

/** The ports of the payments business. */
export interface PaymentsPorts extends Runtime {
  readonly bank: Bank
  /** Null if cards are not accepted. */
  readonly acquirer: Acquirer | null
  readonly cipher: Cipher
  readonly digest: Digest
  readonly hasher: Hasher
  readonly tokens: Tokens
  readonly files: Files
  readonly mailer: Mailer
  /** Sends mail by the SMTP servers of accounts. */
  readonly tenantMailer: TenantMailer
  readonly messenger: Messenger
  readonly emailRenderer: EmailRenderer
  readonly qrRenderer: QrRenderer
  readonly invoiceRenderer: InvoiceRenderer
  readonly sheetWriter: SheetWriter
  readonly statementRenderer: StatementRenderer
  readonly personalDataRenderer: PersonalDataRenderer
  readonly webhooks: WebhookSender
  /** Verifies passkeys; `portico/adapters/passkeys` makes one. Without it no passkey is registered or accepted. */
  readonly passkeys?: PasskeyVerifier | null
  readonly log: Log
  readonly settings: PaymentsSettings
}

export interface PaymentsSettings {
  /** The base of public links, without a trailing slash. */
  readonly publicUrl: string
  /** The hosts, without ports, to which mails may link with a token. */
  readonly resetHosts: readonly string[]
  /** In production these links must be https, and payments cannot be simulated. */
  readonly isProduction: boolean
  /** The time of the daily schedules, `HH:MM` in São Paulo. */
  readonly alertsAt: string
  /** The code that a payer must send to search for boletos; null disables the search. */
  readonly boletoSearchCode: string | null
  /** The three-digit code of the bank at which both accounts of an internal transfer must be. */
  readonly internalTransferBank: string
  /** The limit of messages to payers, per account and day: by default 200, and 10,000 once a charge has been paid. */
  readonly messagesPerDay?: number | null
  /** The limit of new unpaid charges per payment link, address and hour; by default 60. */
  readonly linkChargesPerHour?: number
  /** The limit of new unpaid charges per link and day, plus ten for each one paid that day; by default 1,000. */
  readonly linkChargesPerDay?: number
  /** The days for which records of some kinds are stored, null for no end; by default those of `SET_RETENTION`. */
  readonly retentionDays?: RetentionDays
}

/** The bank operations of one kind, without their types. */
export interface AnyOperations {
  readonly kind: string
  readonly atOnce: number
  readonly leaseSeconds: number
  readonly isSentOnce: boolean
  readonly resume: (id: string) => UseCase<unknown>
}

/** The collections of a module, its background work and its bank operations. */
export interface PaymentsPart extends Part<PaymentsPorts, Event> {
  /** The bank operations of the module, by kind. */
  readonly operations?: (ports: PaymentsPorts) => readonly AnyOperations[]
}

export type WorkerSetup = WorkerOptions<PaymentsPorts, Event>

/** A module of the facade. */
export interface PaymentsModule extends PaymentsPart {
  /** The members of the facade. */
  readonly useCases: (ports: PaymentsPorts) => Members
}
