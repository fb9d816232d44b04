import type { Caller, Member } from '../../core/payments/access/authenticate.ts'
import type { Permission } from '../../core/payments/actor.ts'
import type { Payments } from '../../core/payments/payments.ts'
import type { Claims } from '../../core/ports/identity.ts'
import { crudOf } from '../http/rows/crud.ts'
import { type ApiTypes, type Call, rowOf } from '../http/rows/row.ts'
import { dialects, type PaymentsDialect } from './dialects.ts'
import type { PaymentsCode } from './messages/codes.ts'

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
