import { failure } from '../../core/failure.ts'
import { right } from '../../core/fp.ts'
import type { Generation, Member, Named } from '../../core/payments/access/resolve-account.ts'
import type { Caller } from '../../core/payments/access/sessions/authenticate.ts'
import { takesWrites } from '../../core/payments/accounts/account.ts'
import { inPerson, LACKING } from '../../core/payments/actor.ts'
import type { Payments } from '../../core/payments/payments.ts'
import type { Permission } from '../../core/payments/role.ts'
import type { HttpRequest } from '../http/request/http-request.ts'
import type { ApiConfig, AuthScheme } from '../http/rows/api.ts'
import type { PaymentsApi } from './api.ts'
import { originOf } from './origin.ts'

const bearer = { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } as const
const BEARER = /^Bearer +([^\s]+)$/i

const tokenOf = (request: HttpRequest): string | null => BEARER.exec(request.header('authorization') ?? '')?.[1] ?? null

/** A header that says something: an empty one counts as absent. */
const said = (request: HttpRequest, ...names: readonly string[]): string | null =>
  names.map((name) => request.header(name)?.trim()).find((value) => value) ?? null

const headers = (request: HttpRequest): Named => ({
  account: said(request, 'x-account-id', 'account'),
  organization: said(request, 'x-organization-id', 'organization'),
})

/** How each `auth` of the payments rows lets somebody in. Source: decisions.md §1 and §12, Context and sessions. */
export const authSchemesOf = (core: Payments): ApiConfig<PaymentsApi>['authSchemes'] => {
  const authenticate = (request: HttpRequest) => core.sessions.authenticate(tokenOf(request), originOf(request))()
  const inAccount = (
    generation: Generation,
    namedBy: (request: HttpRequest) => Named,
  ): AuthScheme<Member, Permission> => ({
    security: bearer,
    authenticate,
    // Authentication gave it: a scheme's own context is called with what its own authenticate found.
    context: (caller, request) => core.access.resolveAccount(caller as Caller, namedBy(request), generation)(),
    permits: ({ permissions }, permission) => (permissions.includes(permission) ? null : LACKING),
    accountWritable: ({ account }) => (takesWrites(account) ? null : failure('forbidden', 'organization.inactive')),
    keyScope: ({ accountId }, _request, row) => `account ${accountId}|${row}`,
  })
  const anySession: AuthScheme<Caller, Permission> = {
    security: bearer,
    authenticate,
    keyScope: ({ userId }, _request, row) => `user ${userId}|${row}`,
  }
  return {
    public: { security: null, authenticate: async () => right(null) },
    session: { ...anySession, context: async (caller) => inPerson(caller as Caller) },
    anySession,
    refresh: { security: bearer, authenticate: (request) => core.sessions.readRefreshToken(tokenOf(request))() },
    organization: inAccount('v1', headers),
    pathOrganization: inAccount('v1', ({ params }) => ({ account: params.id ?? '', organization: null })),
    account: inAccount('legacy', headers),
  }
}
