import { failure, right } from '../../core/failure.ts'
import type { IdentityClaims } from '../../core/ports/identity.ts'
import type { RealEstate } from '../../core/real-estate/real-estate.ts'
import { type Actor, may, type Permission } from '../../core/real-estate/real-estate-ports.ts'
import { paging } from '../../core/real-estate/records/fields.ts'
import { bearerTokenIn, type HttpRequest } from '../http/request.ts'
import type { ApiConfig, AuthScheme } from '../http/rows/api.ts'
import { crudOf } from '../http/rows/crud.ts'
import { type ApiTypes, type Call, rowOf } from '../http/rows/row.ts'
import { dialects } from './dialects.ts'
import { EXAMPLE_MOMENT, exampleId } from './examples.ts'
import type { RealEstateCode } from './messages.ts'

interface RealEstateApi extends ApiTypes {
  readonly core: RealEstate
  readonly principals: {
    readonly public: null
    /** The holder of a token of the identity provider, registered or not. */
    readonly identity: IdentityClaims
    /** A registered user of a company. */
    readonly member: Actor
  }
  readonly permission: Permission
  readonly dialect: keyof typeof dialects
  readonly code: RealEstateCode
}

/** The call of a row of a registered user, before its record is read. */
export type MemberCall = Call<RealEstate, Actor, null>

export const route = rowOf<RealEstateApi>()(dialects)

/** Builds the rows of a plain resource. */
export const crud = crudOf<RealEstateApi>()(dialects, {
  words: {
    list: { summary: 'Lista {os} {many}, {do} mais nov{o} {ao} mais antig{o}' },
    create: { summary: 'Cadastra {um} {one}', status: 201 },
    show: { summary: 'Mostra {um} {one}' },
    update: { summary: 'Substitui o que se sabe de {um} {one}' },
    remove: { summary: 'Exclui {um} {one}', status: 204 },
  },
  begin: 'admin',
  common: { id: exampleId(90), createdAt: EXAMPLE_MOMENT, updatedAt: EXAMPLE_MOMENT },
})

/** The options of all plain resources: PUT replaces the whole record, lists are paged and filtered. */
export const AGENCY_CRUD = {
  dialect: 'estate',
  auth: 'member',
  put: 'replaces',
  unpaged: false,
  pages: paging,
  filtered: true,
} as const

const bearer = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'Um ID token do provedor de identidade; vale por 1 hora, e quem o renova é o provedor.',
  },
} as const

const LACKING = failure('forbidden', 'permission.lacking')

/** Types a scheme, and requires that `fails` names every code with which its parts fail. */
const schemeOf =
  <P>() =>
  <C extends string>(scheme: AuthScheme<P, Permission, IdentityClaims | null, C>) =>
    scheme as AuthScheme<P, Permission>

export const authSchemesOf = (core: RealEstate): ApiConfig<RealEstateApi>['authSchemes'] => {
  const authenticate = (request: HttpRequest) => core.access.authenticate(bearerTokenIn(request))()
  return {
    public: { security: null, about: 'Pública: não pede token.', authenticate: async () => right(null) },
    identity: schemeOf<IdentityClaims>()({
      security: bearer,
      about: 'Pede um token do provedor de identidade, mesmo de quem ainda não se cadastrou.',
      authenticate,
      keyScope: ({ uid }, { path }) => `identity ${uid}|${path}`,
      fails: { 'token.invalid': 'authenticate', 'identity.unavailable': 'authenticate' },
    }),
    member: schemeOf<Actor>()({
      security: bearer,
      about: 'Pede o token de um usuário cadastrado; vê e altera o que é da sua imobiliária.',
      authenticate,
      // The framework passes the value of this scheme's `authenticate`.
      context: (claims) => core.access.resolveActor(claims as IdentityClaims)(),
      tenant: ({ companyId }) => companyId,
      permits: ({ role }, permission) => (may(role, permission) ? null : LACKING),
      keyScope: ({ userId }, { path }) => `user ${userId}|${path}`,
      fails: {
        'token.invalid': 'authenticate',
        'identity.unavailable': 'authenticate',
        'user.unregistered': 'context',
        'broker.barred': 'context',
        'permission.lacking': 'permits',
      },
    }),
  }
}
