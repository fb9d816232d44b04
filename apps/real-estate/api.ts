import type { IdentityClaims } from '../../core/ports/identity.ts'
import type { Actor, Permission } from '../../core/real-estate/actor.ts'
import type { RealEstate } from '../../core/real-estate/real-estate.ts'
import { crudOf } from '../http/rows/crud.ts'
import { type ApiTypes, rowOf } from '../http/rows/row.ts'
import { dialects } from './dialects.ts'
import type { RealEstateCode } from './messages/codes.ts'

/** Who may ask, by a row's `auth`. */
export interface RealEstateApi extends ApiTypes {
  readonly core: RealEstate
  readonly principals: {
    readonly public: null
    /** Whoever has a token of the identity provider, registered or not. */
    readonly identity: IdentityClaims
    /** Somebody who is registered, in their company. */
    readonly member: Actor
  }
  readonly permission: Permission
  readonly dialect: keyof typeof dialects
  readonly code: RealEstateCode
}

/** Makes the rows of the real-estate app. */
export const route = rowOf<RealEstateApi>()(dialects)

/** Makes the rows of its plain resources. */
export const crud = crudOf<RealEstateApi>()(dialects)
