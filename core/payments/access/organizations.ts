import { failure, isLeft, left, right } from '../../failure.ts'
import { allOptional, type DecodedOf, type InputOf, input, pick } from '../../kernel/input/input.ts'
import { type Paging, paging } from '../../kernel/input/query.ts'
import { view } from '../../kernel/input/view.ts'
import { eq, patch } from '../../kernel/records/record.ts'
import {
  accept,
  type Fresh,
  readUseCase,
  useCase,
  useCaseOf,
  withoutKeys,
  withValidInput,
} from '../../kernel/running/use-case.ts'
import { type Listing, offsetOf } from '../../kernel/values/page.ts'
import { byId, type Store } from '../../ports/store.ts'
import { type Account, accountFields, accounts, type ShownAccount, shownAccount } from '../accounts/account.ts'
import { changeAccount, serialByAccount } from '../accounts/change-account.ts'
import { type AccountDetail, accountDetail } from '../accounts/views.ts'
import { type Claim, claimId, claims } from '../claim.ts'
import { accessibleMemberships } from '../members/membership.ts'
import { type AuditActor, changesOf, recordAudit } from '../office.ts'
import { type Actor, type PaymentsPorts, type Person, permissionsOf } from '../payments-ports.ts'
import type { Caller } from './authenticate.ts'

/**
 * Lists the caller's organizations, newest membership first: a page, or all if `requestedPage` is null. Fails:
 * `fields`.
 */
export const listOrganizations =
  (ports: PaymentsPorts) =>
  (caller: Pick<Caller, 'userId' | 'boundTo' | 'memberships'>, requestedPage: Paging | null) =>
    withValidInput(ports, paging, requestedPage ?? {}, (page) =>
      useCaseOf<Listing<ShownAccount>>()(async () => {
        const all = organizations(ports, caller)
        if (requestedPage === null) return right({ all })
        // Removed organizations are known only from their accounts; a caller has few enough to read them all.
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

export const organizationView = view(
  'Organization',
  pick(accountFields, 'id', 'uuid', 'name', 'email', 'document', 'status'),
  (account: ShownAccount) => account,
)

/** Reads the actor's account, with its secrets if the actor may change it. Fails: `account.unknown`. */
export const readAccount =
  (ports: Pick<PaymentsPorts, 'store' | 'cipher' | 'settings'>) =>
  ({ accountId, permissions }: Pick<Actor, 'accountId' | 'permissions'>) =>
    readUseCase('account.unknown', async () => {
      const account = await ports.store.find(byId(accounts, accountId))
      return account && account.removedAt === null ? accountDetail(ports, account, permissions) : null
    })

/** Reads the accounts that the caller's token opens, newest membership first. */
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

export const listOwnAccounts = (ports: PaymentsPorts) => (caller: Pick<Person, 'userId' | 'boundTo'>) =>
  withoutKeys(
    useCase(
      ports,
      (store) => ownAccounts(ports, store, caller),
      (own) => accept(own),
    ),
  )

/** The changes of an organization; absent fields stay. Only the e-mail can be cleared. */
export const organizationChangeFields = allOptional(pick(accountFields, 'name', 'email', 'document', 'status'))

export const organizationChange = input('OrganizationChange', organizationChangeFields)

export type OrganizationChange = InputOf<typeof organizationChange>

interface Facts {
  readonly account: Account | null
  /** The claim of the new document, if taken. */
  readonly claim: Claim | null
}

type AccountActor = Pick<Actor, 'accountId' | 'userId' | 'origin'>

const UNKNOWN_ORGANIZATION = failure('not-found', 'organization.unknown')

/**
 * Changes an organization, which is the account under its v1 name. Any status may follow any other.
 * Fails: `organization.unknown`, `fields` (`document.taken`).
 */
export const updateOrganization = (ports: PaymentsPorts) => {
  const inSequence = serialByAccount(ports.store)
  return (actor: AccountActor, submitted: OrganizationChange) =>
    withValidInput(ports, organizationChange, submitted, (change) => {
      const update = useCase(
        ports,
        async (store): Promise<Facts> => ({
          account: await store.find(byId(accounts, actor.accountId)),
          claim: change.document ? await store.find(byId(claims, claimId('document', change.document))) : null,
        }),
        (facts, fresh) => decideUpdate(facts, actor, change, fresh),
      )
      return useCaseOf<ShownAccount>()((hooks) => inSequence(actor.accountId)(() => update(hooks)))
    })
}

export const decideUpdate = (
  { account, claim }: Facts,
  actor: AuditActor,
  change: DecodedOf<typeof organizationChange>,
  fresh: Fresh,
) => {
  if (!account || account.removedAt !== null) return left(UNKNOWN_ORGANIZATION)
  const about = { claim, by: actor, action: 'account.updated' } as const
  const changed = changeAccount(account, change, about, fresh)
  return isLeft(changed) ? changed : accept(shownAccount(changed.right.account), ...changed.right.changes)
}

/**
 * Removes an organization: no list shows it, and its routes return 404. Its records stay. Fails:
 * `organization.unknown`.
 */
export const removeOrganization = (ports: PaymentsPorts) => (actor: AccountActor) =>
  useCase(
    ports,
    (store) => store.find(byId(accounts, actor.accountId)),
    (account, fresh) => {
      if (!account || account.removedAt !== null) return left(UNKNOWN_ORGANIZATION)
      const { now } = fresh
      const set = { status: 'DELETED', removedAt: now, updatedAt: now } as const
      const entry = { chain: `account:${account.id}`, subject: `account:${account.id}` } as const
      return accept(
        null,
        patch(accounts, account.id, { set, when: eq('removedAt', null) }),
        ...recordAudit(fresh, actor, { ...entry, action: 'organization.removed', changes: changesOf(account, set) }),
      )
    },
  )
