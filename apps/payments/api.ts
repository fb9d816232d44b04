import { failure } from '../../core/failure.ts'
import { right } from '../../core/fp.ts'
import { cleanText } from '../../core/kernel/input/texts.ts'
import type { UseCase } from '../../core/kernel/running/use-case.ts'
import type { Page } from '../../core/kernel/values/page.ts'
import type { Origin } from '../../core/office/audit.ts'
import type { Caller, Generation, Member, RequestedAccount } from '../../core/payments/access/authenticate.ts'
import { takesWrites } from '../../core/payments/accounts/account.ts'
import { PERMISSION_LACKING, type Permission, rejectApiKeyToken } from '../../core/payments/actor.ts'
import type { Payments } from '../../core/payments/payments.ts'
import type { Claims } from '../../core/ports/identity.ts'
import type { HttpRequest } from '../http/request.ts'
import type { ApiConfig, AuthScheme, HeaderDoc } from '../http/rows/api.ts'
import { crudOf } from '../http/rows/crud.ts'
import { type ApiTypes, type Call, rowOf } from '../http/rows/row.ts'
import { dialects, type PaymentsDialect } from './dialects.ts'
import type { PaymentsCode } from './messages.ts'

/** Who may ask, by a row's `auth`. */
export interface PaymentsApi extends ApiTypes {
  readonly core: Payments
  readonly principals: {
    readonly public: null
    /** Somebody who signed in themselves, in no account, for what is theirs in all of them: a token of an API key is 403. */
    readonly session: Caller
    /** The same, and who got a token for an API key: they are shown its account alone. */
    readonly anySession: Caller
    /** A token that may have run out, to be refreshed: whether it may is the use case's to say. */
    readonly refresh: Claims
    /** A member of the organization in the path: whose it is not, 404. */
    readonly pathOrganization: Member
    /** A member of the active account, which a foreign header makes 404. */
    readonly organization: Member
    /** The same on legacy routes, where a foreign header makes 403. */
    readonly account: Member
  }
  readonly permission: Permission
  readonly dialect: PaymentsDialect
  readonly code: PaymentsCode
}

/** What a member asks in their active account, before what the path names is found. */
export type AccountCall = Call<Payments, Member, null>

/** Makes the rows of the payments app. */
export const route = rowOf<PaymentsApi>()(dialects)

/** Makes the rows of its plain resources. */
export const crud = crudOf<PaymentsApi>()(dialects)

/** Every public route also stands below `/api`. */
export const publicPaths = (path: string): readonly string[] => [`/public${path}`, `/api/public${path}`]

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

/** What a row answers that shows its record as it was found. */
export const shown =
  <R>(record: R): UseCase<R, never> =>
  async () =>
    right(record)

/** The page that was asked for; null where neither key was sent, which asks for everything. Source: decisions.md §12, v1 lists. */
export const requestedPage = ({ query: sent }: Pick<HttpRequest, 'query'>, page: Page): Page | null =>
  sent.page === undefined && sent.per_page === undefined ? null : page

const MAX_DEVICE = 255

/** Where a request comes from, and whether its caller still waits: the device names itself, or is what its program says it is. */
export const originOf = (request: HttpRequest, device: string | null = null): Origin => ({
  address: request.address,
  signal: request.signal,
  device: device ?? (cleanText((request.header('user-agent') ?? '').slice(0, MAX_DEVICE)) || null),
})
