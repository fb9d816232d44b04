import { failure } from '../failure.ts'
import { type Either, isLeft, left, right } from '../fp.ts'
import { list } from '../kernel/input/field.ts'
import { id, oneOf } from '../kernel/input/scalars.ts'
import { output, view } from '../kernel/input/view.ts'
import type { UseCase } from '../kernel/running/use-case.ts'
import type { Origin } from '../office/audit.ts'

/** A user with a live session. */
export interface Person {
  readonly userId: number
  readonly sessionId: string
  /** The account in the token: the default for requests that name no account. */
  readonly tokenAccountId: number | null
  /** The only account that the token opens, if it was issued for an API key; null for a signed-in user. */
  readonly boundTo: number | null
  /** The origin of the request, for the audit. */
  readonly origin?: Origin | null
}

/** A user who acts in an account, with the permissions of the role there. */
export interface Actor {
  readonly userId: number
  readonly accountId: number
  readonly roleId: number
  readonly permissions: readonly Permission[]
  readonly origin?: Origin | null
}

/** The role or the token lacks a permission. */
export const PERMISSION_LACKING = failure('forbidden', 'permission.lacking')

type ByToken = Partial<Pick<Person, 'boundTo'>>

/**
 * Rejects a token that was issued for an API key: the holder of the key need not be the user whose e-mail was sent with it.
 * Fails: `permission.lacking`.
 */
export const rejectApiKeyToken = <P extends ByToken>(person: P): Either<typeof PERMISSION_LACKING, P> =>
  (person.boundTo ?? null) === null ? right(person) : left(PERMISSION_LACKING)

/** Wraps a use case on the user's own data across accounts, which a token issued for an API key must not reach. */
export const withoutApiKeyToken =
  <P, A extends readonly unknown[], V, C extends string = never, I extends string = never>(
    own: (person: P, ...input: A) => UseCase<V, C, I>,
  ) =>
  (person: P & ByToken, ...input: A): UseCase<V, C | 'permission.lacking', I> => {
    const may = rejectApiKeyToken(person)
    return isLeft(may) ? async () => may : own(person, ...input)
  }

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

/** Returns the permissions of a role; `boundTo` is the account of a token that was issued for an API key, otherwise null. */
export const permissionsOf = (roleId: number, boundTo: number | null): readonly Permission[] =>
  boundTo === null ? roleOf(roleId).permissions : permissionsOfApiKey(roleId)

const MAX_PERMISSIONS = 50

export const permissionsField = (about: string) => list(output.text(), { max: MAX_PERMISSIONS, about })

export const roleView = view(
  'Role',
  { id: id({ about: 'Identificador do perfil' }), name: output.text({ about: 'Nome do perfil' }) },
  (role: Pick<Role, 'id' | 'name'>) => role,
)

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
