import { failure } from '../../failure.ts'
import { isLeft, left, right } from '../../fp.ts'
import { allOptional, type DecodedOf, type InputOf, input } from '../../kernel/input/input.ts'
import { type Paging, paging } from '../../kernel/input/query.ts'
import { pick } from '../../kernel/input/table.ts'
import { view } from '../../kernel/input/view.ts'
import { patch } from '../../kernel/records/change.ts'
import { eq } from '../../kernel/records/where.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'
import { accept, readUseCase, useCase, useCaseOf, withoutKeys, withValidInput } from '../../kernel/running/use-case.ts'
import { type Listing, offsetOf } from '../../kernel/values/page.ts'
import { byId, type Store } from '../../ports/store.ts'
import { type Account, accountFields, accounts, type ShownAccount, shownAccount } from '../accounts/account.ts'
import { changeAccount, serialByAccount } from '../accounts/change-account.ts'
import { type AccountDetail, accountDetail } from '../accounts/views.ts'
import { type Actor, type Person, permissionsOf } from '../actor.ts'
import { type Claim, claimId, claims } from '../claim.ts'
import { accessibleMemberships } from '../members/membership.ts'
import { type AuditActor, changesOf, recordAudit } from '../office.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import type { Caller } from './authenticate.ts'

/**
 * The organizations that the caller belongs to, the newest membership first: a page, or all of them.
 * Fails: `fields`. Source: 01-access.md, GET /v1/organizations.
 */
export const listOrganizations =
  (ports: PaymentsPorts) => (caller: Pick<Caller, 'userId' | 'boundTo' | 'memberships'>, given: Paging | null) =>
    withValidInput(ports, paging, given ?? {}, (page) =>
      useCaseOf<Listing<ShownAccount>>()(async () => {
        const all = organizations(ports, caller)
        if (given === null) return right({ all })
        // Which of them were removed only the accounts tell, and nobody belongs to more than a few.
        const records: ShownAccount[] = []
        for await (const organization of all) records.push(organization)
        const start = offsetOf(page)
        return right({ ...page, records: records.slice(start, start + page.perPage), total: records.length })
      }),
    )

async function* organizations(
  { store }: PaymentsPorts,
  caller: Pick<Caller, 'userId' | 'boundTo' | 'memberships'>,
): AsyncIterable<ShownAccount> {
  for await (const { account } of accessibleMemberships(store, caller, caller.memberships)) yield shownAccount(account)
}

/** Source: 01-access.md, v1 organization. */
export const organizationView = view(
  'Organization',
  pick(accountFields, 'id', 'uuid', 'name', 'email', 'document', 'status'),
  (account: ShownAccount) => account,
)

/**
 * The active account; who may write it sees its secrets. Fails: `account.unknown`.
 * Source: 01-access.md, GET /access/account; decisions.md §12.
 */
export const readAccount =
  (ports: Pick<PaymentsPorts, 'store' | 'cipher' | 'settings'>) =>
  ({ accountId, permissions }: Pick<Actor, 'accountId' | 'permissions'>) =>
    readUseCase('account.unknown', async () => {
      const account = await ports.store.find(byId(accounts, accountId))
      return account && account.removedAt === null ? accountDetail(ports, account, permissions) : null
    })

/** Every account that somebody works in and their token opens, the newest membership first. */
export const ownAccounts = async (
  ports: Pick<PaymentsPorts, 'cipher' | 'settings'>,
  store: Store,
  caller: Pick<Person, 'userId' | 'boundTo'>,
): Promise<readonly AccountDetail[]> => {
  const own: AccountDetail[] = []
  for await (const { account, membership } of accessibleMemberships(store, caller))
    own.push(accountDetail(ports, account, permissionsOf(membership.roleId, caller.boundTo)))
  return own
}

/** The caller's accounts, the newest membership first. Source: 01-access.md, GET /access/accounts. */
export const listOwnAccounts = (ports: PaymentsPorts) => (caller: Pick<Person, 'userId' | 'boundTo'>) =>
  withoutKeys(
    useCase(
      ports,
      (store) => ownAccounts(ports, store, caller),
      (own) => accept(own),
    ),
  )

/** What of an organization may change; what is left out stays. The e-mail alone may be cleared. */
export const organizationChangeFields = allOptional(pick(accountFields, 'name', 'email', 'document', 'status'))

export const organizationChange = input('OrganizationChange', organizationChangeFields)

export type OrganizationChange = InputOf<typeof organizationChange>

interface Facts {
  readonly account: Account | null
  /** Who has the new document. */
  readonly claim: Claim | null
}

type Acting = Pick<Actor, 'accountId' | 'userId' | 'origin'>

const UNKNOWN = failure('not-found', 'organization.unknown')

/**
 * Changes an organization: name, e-mail and document are its account's too, and any status may follow any other.
 * Fails: `organization.unknown`, `fields` (`document.taken`). Source: 01-access.md, PUT /v1/organizations/{id};
 * decisions.md §1, Organization status.
 */
export const updateOrganization = (ports: PaymentsPorts) => {
  const line = serialByAccount(ports.store)
  return (actor: Acting, given: OrganizationChange) =>
    withValidInput(ports, organizationChange, given, (change) => {
      const update = useCase(
        ports,
        async (store): Promise<Facts> => ({
          account: await store.find(byId(accounts, actor.accountId)),
          claim: change.document ? await store.find(byId(claims, claimId('document', change.document))) : null,
        }),
        (facts, fresh) => decideUpdate(facts, actor, change, fresh),
      )
      return useCaseOf<ShownAccount>()((hooks) => line(actor.accountId)(() => update(hooks)))
    })
}

export const decideUpdate = (
  { account, claim }: Facts,
  actor: AuditActor,
  change: DecodedOf<typeof organizationChange>,
  fresh: Fresh,
) => {
  if (!account || account.removedAt !== null) return left(UNKNOWN)
  const about = { claim, by: actor, action: 'account.updated' } as const
  const changed = changeAccount(account, change, about, fresh)
  return isLeft(changed) ? changed : accept(shownAccount(changed.right.account), ...changed.right.changes)
}

/**
 * Removes an organization for good: it is in no list and answers 404. Nothing of it is erased. Fails: `organization.unknown`. Source: 01-access.md, DELETE /v1/organizations/{id}; decisions.md §1.
 */
export const removeOrganization = (ports: PaymentsPorts) => (actor: Pick<Actor, 'accountId' | 'userId' | 'origin'>) =>
  useCase(
    ports,
    (store) => store.find(byId(accounts, actor.accountId)),
    (account, fresh) => {
      if (!account || account.removedAt !== null) return left(failure('not-found', 'organization.unknown'))
      const { now } = fresh
      const set = { status: 'DELETED', removedAt: now, updatedAt: now } as const
      const told = { chain: `account:${account.id}`, subject: `account:${account.id}` } as const
      return accept(
        null,
        patch(accounts, account.id, { set, when: eq('removedAt', null) }),
        ...recordAudit(fresh, actor, { ...told, action: 'organization.removed', changes: changesOf(account, set) }),
      )
    },
  )
