import { failure, isLeft, right } from '../../core/failure.ts'
import { cleanText, output } from '../../core/kernel/input/mod.ts'
import type { UseCase } from '../../core/kernel/running/use-case.ts'
import type { Origin } from '../../core/office/audit.ts'
import type { Caller, Generation, Member, RequestedAccount } from '../../core/payments/access/authenticate.ts'
import { acceptsWrites } from '../../core/payments/accounts/account.ts'
import type { Payments } from '../../core/payments/payments.ts'
import { PERMISSION_LACKING, type Permission, rejectApiKeyToken } from '../../core/payments/payments-ports.ts'
import type { Claims } from '../../core/ports/identity.ts'
import { type Page, type PageOf, pageMeta } from '../../core/ports/store.ts'
import { bearerTokenIn, type HttpRequest } from '../http/request.ts'
import type { ApiConfig, AuthScheme, HeaderDoc } from '../http/rows/api.ts'
import { crudOf } from '../http/rows/crud.ts'
import { type ApiTypes, type Call, rowOf } from '../http/rows/row.ts'
import { dialects, type PaymentsDialect } from './dialects.ts'
import type { PaymentsCode } from './messages.ts'

/** The types of the payments routes; `principals` maps a row's `auth` to its authenticated principal. */
export interface PaymentsApi extends ApiTypes {
  readonly core: Payments
  readonly principals: {
    readonly public: null
    /** A person who signed in with a password, across all their accounts. A token of an API key gets 403. */
    readonly session: Caller
    /** As `session`, or the holder of an API key's token, which is limited to its account. */
    readonly anySession: Caller
    /** A token to refresh, possibly expired; the use case decides whether it may be refreshed. */
    readonly refresh: Claims
    /** A member of the organization in the path. Another organization gets 404. */
    readonly pathOrganization: Member
    /** A member of the active account. A header that names another account gets 404. */
    readonly organization: Member
    /** As `organization`, on legacy routes: a header that names another account gets 403. */
    readonly account: Member
  }
  readonly permission: Permission
  readonly dialect: PaymentsDialect
  readonly code: PaymentsCode
}

/** A request of a member in the active account, before the record in its path is read. */
export type AccountCall = Call<Payments, Member, null>

/** Creates a row of the payments app. */
export const route = rowOf<PaymentsApi>()(dialects)

/** Creates the rows of a plain resource. */
export const crud = crudOf<PaymentsApi>()(dialects, {
  words: {
    list: { summary: 'Lista {os} {many}', message: '{Many} listad{os} com sucesso.' },
    create: { summary: 'Cria {um} {one}', message: '{One} criad{o} com sucesso.', status: 201 },
    show: { summary: 'Mostra {um} {one}', message: '{One} obtid{o} com sucesso.' },
    update: { summary: 'Altera {um} {one}', message: '{One} atualizad{o} com sucesso.' },
    remove: { summary: 'Remove {um} {one}', message: '{One} removid{o} com sucesso.' },
  },
  begin: 'organization',
  common: { id: 1, createdAt: '2030-11-21T13:05:09.000Z', updatedAt: '2030-11-21T13:05:09.000Z' },
})

/** The options of resources of v1: PUT and PATCH keep omitted fields, lists are paged and filtered. */
export const V1_CRUD = { dialect: 'v1', auth: 'organization', put: 'merges', unpaged: false, filtered: true } as const

/** Returns the paths of a public route, which is also served below `/api`. */
export const publicPaths = (path: string): readonly string[] => [`/public${path}`, `/api/public${path}`]

/** The position of a page in a list, for replies without the `meta` of an envelope. */
export const pageFields = {
  currentPage: output.count({ about: 'Esta página, a partir de 1' }),
  perPage: output.count({ about: 'Registros por página' }),
  total: output.count({ about: 'Registros ao todo' }),
  lastPage: output.count({ about: 'A última página' }),
}

/** Returns the values of `pageFields`. */
export const pagePosition = ({ page, perPage, total }: Omit<PageOf<unknown>, 'records'>) => ({
  currentPage: page,
  perPage,
  total,
  lastPage: pageMeta({ page, perPage, total }).last_page,
})

/** A use case that returns the record a row has read already. */
export const succeedWith =
  <R>(record: R): UseCase<R, never> =>
  async () =>
    right(record)

/** Returns the requested page of a v1 list; null, for the whole list, without `page` and `per_page`. */
export const requestedPage = ({ query }: Pick<HttpRequest, 'query'>, page: Page): Page | null =>
  query.page === undefined && query.per_page === undefined ? null : page

const MAX_DEVICE = 255

/** Returns the origin of a request: address, abort signal and device, by default the user agent. */
export const originOf = (request: HttpRequest, device: string | null = null): Origin => ({
  address: request.address,
  signal: request.signal,
  device: device ?? (cleanText((request.header('user-agent') ?? '').slice(0, MAX_DEVICE)) || null),
})

/** Returns the auth schemes of the payments routes. */
export const authSchemesOf = (core: Payments): ApiConfig<PaymentsApi>['authSchemes'] => {
  const authenticate = (request: HttpRequest) => core.sessions.authenticate(bearerTokenIn(request), originOf(request))()
  const inAccount = (generation: Generation, about: string, requested: (request: HttpRequest) => RequestedAccount) =>
    schemeOf<Member>()({
      security: bearer,
      about,
      authenticate,
      context: async (caller, request) => {
        // The caller is the result of `authenticate` above.
        const member = await core.access.resolveAccount(caller as Caller, requested(request), generation)()
        const confirmation = confirmationIn(request)
        return isLeft(member) || confirmation === null ? member : right({ ...member.right, confirmation })
      },
      permits: ({ permissions }, permission) => (permissions.includes(permission) ? null : PERMISSION_LACKING),
      accountWritable: ({ account }) => (acceptsWrites(account) ? null : INACTIVE),
      tenant: ({ accountId }) => `account ${accountId}`,
      keyScope: ({ accountId }, _request, row) => `account ${accountId}|${row}`,
      fails: {
        ...CREDENTIAL_FAULTS,
        'organization.none': 'context',
        'organization.unknown': 'context',
        'account.foreign': generation === 'legacy' ? 'context' : null,
        'permission.lacking': 'permits',
        'organization.inactive': 'accountWritable',
        'second-factor.none': 'context',
      },
    })
  const anySession = schemeOf<Caller>()({
    security: bearer,
    about: 'Pede um token de acesso.',
    authenticate,
    tenant: ({ userId }) => `user ${userId}`,
    keyScope: ({ userId }, _request, row) => `user ${userId}|${row}`,
    fails: CREDENTIAL_FAULTS,
  })
  return {
    public: { security: null, about: 'Pública: não pede token.', authenticate: async () => right(null) },
    session: schemeOf<Caller>()({
      ...anySession,
      about: 'Pede o token de quem entrou em pessoa: o de uma chave de API não serve.',
      authenticate,
      headers: [confirmationHeader],
      context: async (caller) => rejectApiKeyToken(caller as Caller),
      fails: { ...CREDENTIAL_FAULTS, 'permission.lacking': 'context' },
    }),
    anySession,
    refresh: schemeOf<Claims>()({
      security: bearer,
      about: 'Pede um token de até 14 dias, mesmo vencido.',
      authenticate: (request) => core.sessions.readRefreshToken(bearerTokenIn(request))(),
      fails: { 'token.invalid': 'authenticate' },
    }),
    organization: { ...inAccount('v1', IN_ACCOUNT, requestedAccount), headers: accountHeaders },
    pathOrganization: {
      ...inAccount('v1', 'Pede o token de um membro da organização do caminho.', ({ params }) => ({
        account: params.id ?? '',
        organization: null,
      })),
      headers: [confirmationHeader],
    },
    account: { ...inAccount('legacy', IN_ACCOUNT, requestedAccount), headers: accountHeaders },
  }
}

/** Checks that the `fails` of a scheme lists every code of its parts. */
const schemeOf =
  <P>() =>
  <C extends string>(scheme: AuthScheme<P, Permission, unknown, C>) =>
    scheme

/** The failures of a token or a named API key. */
const CREDENTIAL_FAULTS = {
  'token.invalid': 'authenticate',
  'api-key.revoked': 'authenticate',
  'api-key.expired': 'authenticate',
  'api-key.address': 'authenticate',
} as const

/** The failure of a request that only an active organization may make. */
export const INACTIVE = failure('forbidden', 'organization.inactive')

/** Returns the id of the proved challenge that confirms a request by the second factor; null without one. */
export const confirmationIn = (request: HttpRequest): string | null => request.header('x-second-factor') || null

const IN_ACCOUNT = 'Pede um token de acesso e age na conta ativa.'

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
      '',
      'Um programa também pode enviar no lugar do token uma chave de `POST /v1/api-keys`, que começa por `portico_`.',
    ].join('\n'),
  },
} as const

const confirmationHeader: HeaderDoc = {
  name: 'X-Second-Factor',
  description:
    'Um desafio de `POST /v1/second-factor/challenges` que foi respondido, se a requisição pede o segundo fator.',
  schema: { type: 'string' },
  onlyWith: 'second-factor.required',
}

const accountHeaders: readonly HeaderDoc[] = [
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
  confirmationHeader,
]

const requestedAccount = (request: HttpRequest): RequestedAccount => ({
  account: headerOf(request, 'x-account-id', 'account'),
  organization: headerOf(request, 'x-organization-id', 'organization'),
})

/** Returns the first of these headers that is not empty. */
const headerOf = (request: HttpRequest, ...names: readonly string[]): string | null => {
  for (const name of names) {
    const value = request.header(name)?.trim()
    if (value) return value
  }
  return null
}
