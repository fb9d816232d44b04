import { failure } from '../failure.ts'
import { type Either, isLeft, left, right } from '../fp.ts'
import { list } from '../kernel/input/field.ts'
import { id, oneOf } from '../kernel/input/scalars.ts'
import { output, view } from '../kernel/input/view.ts'
import type { UseCase } from '../kernel/running/use-case.ts'
import type { Origin } from '../office/audit.ts'

/** Somebody whose session is alive, wherever they act. */
export interface Person {
  readonly userId: number
  readonly sessionId: string
  /** The account in the token, for what names no other. */
  readonly tokenAccountId: number | null
  /** The account for whose API key they got their token, and where alone it opens anything; null for who signed in. */
  readonly boundTo: number | null
  /** Where they call from, for the audit; left out where whoever embeds the core does not say. */
  readonly origin?: Origin | null
}

/** A person who acts in an account, with what their role may there. */
export interface Actor {
  readonly userId: number
  readonly accountId: number
  readonly roleId: number
  readonly permissions: readonly Permission[]
  readonly origin?: Origin | null
}

/** Somebody may not do it, by their role or by their token. */
export const PERMISSION_LACKING = failure('forbidden', 'permission.lacking')

/** By what token somebody asks; one who is named without a token asks themselves. */
type ByToken = Partial<Pick<Person, 'boundTo'>>

/**
 * Whether somebody asks themselves: whoever has an account's API key is not the person whose e-mail they gave with it.
 * Fails: `permission.lacking`. Source: decisions.md §1, Sessions and codes.
 */
export const rejectApiKeyToken = <P extends ByToken>(person: P): Either<typeof PERMISSION_LACKING, P> =>
  (person.boundTo ?? null) === null ? right(person) : left(PERMISSION_LACKING)

/** A use case on what belongs to a person across accounts: none for a token that was given for an API key. */
export const withoutApiKeyToken =
  <P, A extends readonly unknown[], V, C extends string = never, I extends string = never>(
    own: (person: P, ...input: A) => UseCase<V, C, I>,
  ) =>
  (person: P & ByToken, ...input: A): UseCase<V, C | 'permission.lacking', I> => {
    const may = rejectApiKeyToken(person)
    return isLeft(may) ? async () => may : own(person, ...input)
  }

/** Source: decisions.md §1, Roles and permissions; §12, Roles. */
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

/** Every role that somebody may be given. */
export const ROLES: readonly Role[] = [ADMIN, MANAGER, OPERATOR, VIEWER, API]

/** Those that an account hands out to its people: neither administrative nor for programs. */
export const ASSIGNABLE_ROLES: readonly Role[] = [MANAGER, OPERATOR, VIEWER]

const roles: ReadonlyMap<number, Role> = new Map(ROLES.map((role) => [role.id, role]))

/** The role of this id. An unknown one may nothing. */
export const roleOf = (id: number): Role => roles.get(id) ?? { id, name: '', permissions: [] }

/** What a token for an API key carries of no role: who holds the key is not its ADMIN. */
const WITHHELD_FROM_KEYS: ReadonlySet<Permission> = new Set(['account:write', 'users:write'])

/** What a role may by a token that was given for an API key. Source: decisions.md §1, Sessions and codes. */
export const permissionsOfApiKey = (roleId: number): readonly Permission[] =>
  roleOf(roleId).permissions.filter((permission) => !WITHHELD_FROM_KEYS.has(permission))

/** What a membership's role may, by whose token: `boundTo` is the account of one that was given for an API key. */
export const permissionsOf = (roleId: number, boundTo: number | null): readonly Permission[] =>
  boundTo === null ? roleOf(roleId).permissions : permissionsOfApiKey(roleId)

/** More than any role has. */
const MAX_PERMISSIONS = 50

/** What somebody may, as answers show it. */
export const permissionsField = (about: string) => list(output.text(), { max: MAX_PERMISSIONS, about })

/** Source: decisions.md §12, People. */
export const roleView = view(
  'Role',
  { id: id({ about: 'Identificador do perfil' }), name: output.text({ about: 'Nome do perfil' }) },
  (role: Pick<Role, 'id' | 'name'>) => role,
)

/** The same with what it may. Source: 01-access.md, GET /access/manager/guard/roles. */
export const guardRoleView = view(
  'GuardRole',
  {
    ...roleView.table,
    guardName: oneOf(['api'], { about: 'Onde o perfil vale' }),
    permissions: permissionsField('O que o perfil permite'),
  },
  (role: Role) => ({ ...role, guardName: 'api' as const }),
)
