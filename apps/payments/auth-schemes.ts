import { failure } from '../../core/failure.ts'
import { right } from '../../core/fp.ts'
import type { Caller, Generation, Member, RequestedAccount } from '../../core/payments/access/authenticate.ts'
import { takesWrites } from '../../core/payments/accounts/account.ts'
import type { Permission } from '../../core/payments/actor.ts'
import { PERMISSION_LACKING, rejectApiKeyToken } from '../../core/payments/actor.ts'
import type { Payments } from '../../core/payments/payments.ts'
import type { Claims } from '../../core/ports/identity.ts'
import type { HttpRequest } from '../http/request.ts'
import type { ApiConfig, AuthScheme, HeaderDoc } from '../http/rows/api.ts'
import type { PaymentsApi } from './api.ts'
import { originOf } from './origin.ts'

const bearer = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: [
      'Um token de acesso, por qualquer um destes caminhos:',
      '',
      '- `POST /v1/auth/register`, para quem ainda não tem cadastro;',
      '- `POST /v1/auth/login`, com e-mail e senha; vale por 1 hora e se renova em `POST /v1/auth/refresh`;',
      '- `POST /access/account/get-token`, com a chave de API de uma conta; vale por 10 minutos, só nessa conta.',
    ].join('\n'),
  },
} as const

/** How a request names the account that it acts on. Source: decisions.md §1, Active account. */
const contextHeaders: readonly HeaderDoc[] = [
  {
    name: 'X-Account-Id',
    description:
      'Id da conta em que a requisição age; sem ele, `X-Organization-Id`, a conta do token ou a mais recente.',
    schema: { type: 'string' },
  },
  {
    name: 'X-Organization-Id',
    description: 'UUID da organização em que a requisição age, quando não há `X-Account-Id`.',
    schema: { type: 'string', format: 'uuid' },
  },
]

const ANYBODY = 'Pede um token de acesso.'
const IN_PERSON = 'Pede o token de quem entrou em pessoa: o de uma chave de API não serve.'
const IN_ACCOUNT = 'Pede um token de acesso e age na conta ativa.'
const IN_ORGANIZATION = 'Pede o token de um membro da organização do caminho.'
const RENEWABLE = 'Pede um token de até 14 dias, mesmo vencido.'
const NOBODY = 'Pública: não pede token.'
const BEARER = /^Bearer +([^\s]+)$/i

const tokenOf = (request: HttpRequest): string | null => BEARER.exec(request.header('authorization') ?? '')?.[1] ?? null

/** A header that says something: an empty one counts as absent. */
const said = (request: HttpRequest, ...names: readonly string[]): string | null =>
  names.map((name) => request.header(name)?.trim()).find((value) => value) ?? null

const headers = (request: HttpRequest): RequestedAccount => ({
  account: said(request, 'x-account-id', 'account'),
  organization: said(request, 'x-organization-id', 'organization'),
})

/** A scheme whose `fails` names all that its parts fail with. */
const schemeOf =
  <P>() =>
  <C extends string>(scheme: AuthScheme<P, Permission, unknown, C>) =>
    scheme

const INACTIVE = failure('forbidden', 'organization.inactive')

/** How each `auth` of the payments rows lets somebody in. Source: decisions.md §1 and §12, Context and sessions. */
export const authSchemesOf = (core: Payments): ApiConfig<PaymentsApi>['authSchemes'] => {
  const authenticate = (request: HttpRequest) => core.sessions.authenticate(tokenOf(request), originOf(request))()
  const inAccount = (generation: Generation, about: string, namedBy: (request: HttpRequest) => RequestedAccount) =>
    schemeOf<Member>()({
      security: bearer,
      about,
      authenticate,
      // Authentication gave it: a scheme's own context is called with what its own authenticate found.
      context: (caller, request) => core.access.resolveAccount(caller as Caller, namedBy(request), generation)(),
      permits: ({ permissions }, permission) => (permissions.includes(permission) ? null : PERMISSION_LACKING),
      accountWritable: ({ account }) => (takesWrites(account) ? null : INACTIVE),
      tenant: ({ accountId }) => `account ${accountId}`,
      keyScope: ({ accountId }, _request, row) => `account ${accountId}|${row}`,
      fails: {
        'token.invalid': 'authenticate',
        'organization.none': 'context',
        'organization.unknown': 'context',
        'account.foreign': generation === 'legacy' ? 'context' : null,
        'permission.lacking': 'permits',
        'organization.inactive': 'accountWritable',
      },
    })
  const anySession = schemeOf<Caller>()({
    security: bearer,
    about: ANYBODY,
    authenticate,
    tenant: ({ userId }) => `user ${userId}`,
    keyScope: ({ userId }, _request, row) => `user ${userId}|${row}`,
    fails: { 'token.invalid': 'authenticate' },
  })
  return {
    public: { security: null, about: NOBODY, authenticate: async () => right(null) },
    session: schemeOf<Caller>()({
      ...anySession,
      about: IN_PERSON,
      authenticate,
      context: async (caller) => rejectApiKeyToken(caller as Caller),
      fails: { 'token.invalid': 'authenticate', 'permission.lacking': 'context' },
    }),
    anySession,
    refresh: schemeOf<Claims>()({
      security: bearer,
      about: RENEWABLE,
      authenticate: (request) => core.sessions.readRefreshToken(tokenOf(request))(),
      fails: { 'token.invalid': 'authenticate' },
    }),
    organization: { ...inAccount('v1', IN_ACCOUNT, headers), headers: contextHeaders },
    pathOrganization: inAccount('v1', IN_ORGANIZATION, ({ params }) => ({
      account: params.id ?? '',
      organization: null,
    })),
    account: { ...inAccount('legacy', IN_ACCOUNT, headers), headers: contextHeaders },
  }
}
