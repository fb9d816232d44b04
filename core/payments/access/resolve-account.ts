import { failure } from '../../failure.ts'
import { left } from '../../fp.ts'
import { accept, useCase, withoutKeys } from '../../kernel/running/use-case.ts'
import { parseId } from '../../kernel/values/text.ts'
import { byId, byKey, type Store } from '../../ports/store.ts'
import { type Account, accounts, type ShownAccount, shownAccount } from '../accounts/account.ts'
import type { Actor } from '../actor.ts'
import { permissionsOf } from '../actor.ts'
import {
  ACTIVE_MEMBERSHIP,
  everyAccountMembership,
  type Membership,
  memberKey,
  memberships,
} from '../members/membership.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import type { Caller } from './sessions/authenticate.ts'

/** What a request itself says about whose account it is for; the account comes before the organization. */
export interface Named {
  /** Of `X-Account-Id` or `account`: an account id. */
  readonly account: string | null
  /** Of `X-Organization-Id` or `organization`: a uuid. */
  readonly organization: string | null
}

/** Somebody who acts in an account, with the account as it stood when they asked. */
export interface Member extends Actor {
  readonly account: ShownAccount
  /** This account, where their token was given for its API key; null for who signed in themselves. */
  readonly boundTo: number | null
}

/** How a generation of the API refuses an account that is not the caller's. */
export type Generation = 'v1' | 'legacy'

interface Facts {
  /** Whether the request or its token names an account: another one is never taken for it. */
  readonly named: boolean
  readonly account: Account | null
  readonly membership: Membership | null
}

/**
 * The account that a request acts in: the one it names, else the token's, else the caller's newest. To a token that is bound
 * to its account every other one is foreign, whoever works there.
 * Fails: `organization.none`; `organization.unknown` for a removed one, and on v1 for a foreign one; `account.foreign`
 * on legacy. Source: decisions.md §1, Active account; §12, Context and sessions.
 */
export const resolveAccount = (ports: PaymentsPorts) => (caller: Caller, named: Named, generation: Generation) =>
  withoutKeys(
    useCase(
      ports,
      (store) => readPlace(store, caller, named),
      (facts) => decidePlace(facts, caller, generation),
    ),
  )

const readPlace = async (store: Store, caller: Caller, { account, organization }: Named): Promise<Facts> => {
  if (account !== null) return readById(store, caller, parseId(account))
  if (organization !== null) return readByUuid(store, caller, organization)
  const ofToken = caller.boundTo ?? caller.tokenAccountId
  if (ofToken !== null) return readById(store, caller, ofToken)
  // Nearly always it is the newest, and nobody else's account is looked at.
  const [membership] = caller.memberships
  const newest = membership && (await store.find(byId(accounts, membership.accountId)))
  if (membership && newest?.removedAt === null) return { account: newest, membership, named: false }
  for await (const each of everyAccountMembership(store, caller.userId, caller.memberships))
    return { ...each, named: false }
  return { account: null, membership: null, named: false }
}

const readById = async (store: Store, { userId }: Caller, id: number | null): Promise<Facts> => {
  if (id === null) return { account: null, membership: null, named: true }
  const membership = byKey(memberships, 'member', memberKey(id, userId))
  return { ...(await store.read({ account: byId(accounts, id), membership })), named: true }
}

const readByUuid = async (store: Store, caller: Caller, uuid: string): Promise<Facts> => {
  const account = await store.find(byKey(accounts, 'uuid', uuid.toLowerCase()))
  if (!account) return { account, membership: null, named: true }
  const known = caller.memberships.find(({ accountId }) => accountId === account.id)
  const membership = known ?? (await store.find(byKey(memberships, 'member', memberKey(account.id, caller.userId))))
  return { account, membership, named: true }
}

/** Whether the caller may act there, and with what permissions: those that the membership's role gives now, to their token. */
export const decidePlace = (
  { account, membership, named }: Facts,
  { userId, boundTo, origin = null }: Pick<Caller, 'userId' | 'boundTo' | 'origin'>,
  generation: Generation,
) => {
  if (!named && !account) return left(failure('not-found', 'organization.none'))
  const isOpen = membership?.status === ACTIVE_MEMBERSHIP && (boundTo === null || boundTo === account?.id)
  if (!account || !isOpen) {
    const isV1 = generation === 'v1'
    return left(isV1 ? failure('not-found', 'organization.unknown') : failure('forbidden', 'account.foreign'))
  }
  if (account.removedAt !== null) return left(failure('not-found', 'organization.unknown'))
  const { roleId } = membership
  const permissions = permissionsOf(roleId, boundTo)
  return accept<Member>({
    userId,
    accountId: account.id,
    roleId,
    permissions,
    boundTo,
    account: shownAccount(account),
    origin,
  })
}
