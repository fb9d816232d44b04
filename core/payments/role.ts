import { list } from '../kernel/input/field.ts'
import { id, oneOf } from '../kernel/input/scalars.ts'
import { output, view } from '../kernel/input/view.ts'

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

const sells: readonly Permission[] = [
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
  permissions: [...sells, 'account:write', 'users:read', 'users:write', 'withdrawals:read', 'withdrawals:write'],
}
export const MANAGER: Role = {
  id: 2,
  name: 'MANAGER',
  permissions: [...sells, 'users:read', 'withdrawals:read', 'withdrawals:write'],
}
const OPERATOR: Role = { id: 3, name: 'OPERATOR', permissions: sells }
const VIEWER: Role = {
  id: 4,
  name: 'VIEWER',
  permissions: ['clients:read', 'charges:read', 'links:read', 'statements:read', 'users:read', 'withdrawals:read'],
}
export const API: Role = { id: 5, name: 'API', permissions: [...sells, 'withdrawals:read', 'withdrawals:write'] }

/** Every role that somebody may be given. */
export const ROLES: readonly Role[] = [ADMIN, MANAGER, OPERATOR, VIEWER, API]

/** Those that an account hands out to its people: neither administrative nor for programs. */
export const ORDINARY_ROLES: readonly Role[] = [MANAGER, OPERATOR, VIEWER]

const roles: ReadonlyMap<number, Role> = new Map(ROLES.map((role) => [role.id, role]))

/** The role of this id. An unknown one may nothing. */
export const roleOf = (id: number): Role => roles.get(id) ?? { id, name: '', permissions: [] }

/** What a token for an API key carries of no role: who holds the key is not its ADMIN. */
const WITHHELD_FROM_KEYS: ReadonlySet<Permission> = new Set(['account:write', 'users:write'])

/** What a role may by a token that was given for an API key. Source: decisions.md §1, Sessions and codes. */
export const permissionsByKey = (roleId: number): readonly Permission[] =>
  roleOf(roleId).permissions.filter((permission) => !WITHHELD_FROM_KEYS.has(permission))

/** What a membership's role may, by whose token: `boundTo` is the account of one that was given for an API key. */
export const permissionsOf = (roleId: number, boundTo: number | null): readonly Permission[] =>
  boundTo === null ? roleOf(roleId).permissions : permissionsByKey(roleId)

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
