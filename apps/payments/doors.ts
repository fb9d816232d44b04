import { right } from '../../core/fp.ts'
import { failure } from '../../core/failure.ts'
import { takesWrites } from '../../core/payments/accounts/account.ts'
import type { Generation, Member, Named } from '../../core/payments/access/resolve-account.ts'
import type { Permission } from '../../core/payments/access/members/role.ts'
import { inPerson, LACKING } from '../../core/payments/actor.ts'
import type { Caller } from '../../core/payments/access/sessions/authenticate.ts'
import type { Payments } from '../../core/payments/payments.ts'
import type { Door, HouseSetup } from '../http/house.ts'
import type { Asked } from '../http/request/asked.ts'
import type { PaymentsHouse } from './house.ts'
import { originOf } from './routes/access/origin.ts'

const bearer = { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } as const
const BEARER = /^Bearer +([^\s]+)$/i

const tokenOf = (asked: Asked): string | null => BEARER.exec(asked.header('authorization') ?? '')?.[1] ?? null

/** A header that says something: an empty one counts as absent. */
const said = (asked: Asked, ...names: readonly string[]): string | null =>
  names.map((name) => asked.header(name)?.trim()).find((value) => value) ?? null

const headers = (asked: Asked): Named => ({
  account: said(asked, 'x-account-id', 'account'),
  organization: said(asked, 'x-organization-id', 'organization'),
})

/** How each `auth` of the payments rows lets somebody in. Source: decisions.md §1 and §12, Context and sessions. */
export const doorsOf = (core: Payments): HouseSetup<PaymentsHouse>['doors'] => {
  const authenticate = (asked: Asked) => core.authenticate(tokenOf(asked), originOf(asked))
  const inAccount = (generation: Generation, namedBy: (asked: Asked) => Named): Door<Member, Permission> => ({
    security: bearer,
    authenticate,
    // Authentication gave it: a door's own context is called with what its own authenticate found.
    context: (caller, asked) => core.resolveAccount(caller as Caller, namedBy(asked), generation),
    permits: ({ permissions }, permission) => (permissions.includes(permission) ? null : LACKING),
    standing: ({ account }) => (takesWrites(account) ? null : failure('forbidden', 'organization.inactive')),
    keyScope: ({ accountId }, _asked, row) => `account ${accountId}|${row}`,
  })
  const anySession: Door<Caller, Permission> = {
    security: bearer,
    authenticate,
    keyScope: ({ userId }, _asked, row) => `user ${userId}|${row}`,
  }
  return {
    public: { security: null, authenticate: async () => right(null) },
    session: { ...anySession, context: async (caller) => inPerson(caller as Caller) },
    anySession,
    refresh: { security: bearer, authenticate: (asked) => core.readRefreshToken(tokenOf(asked)) },
    organization: inAccount('v1', headers),
    pathOrganization: inAccount('v1', ({ params }) => ({ account: params.id ?? '', organization: null })),
    account: inAccount('legacy', headers),
  }
}
