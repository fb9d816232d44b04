import { all, type Change, check, eq, patch } from '../../kernel/records/record.ts'
import type { Fresh } from '../../kernel/running/use-case.ts'
import { addSeconds, type Instant } from '../../kernel/values/day.ts'
import { byId, listOf, type Store } from '../../ports/store.ts'
import type { TryLimit } from '../access/code-tries.ts'
import { type Account, accounts } from '../accounts/account.ts'
import { nextUpdatedAt } from '../accounts/change-account.ts'
import { type Claim, type ClaimKind, claimId, claims, reserveUnique } from '../claim.ts'
import { bookOf, ledgerAccountId, ledgerAccounts } from '../ledger/ledger.ts'
import { allMemberships, membershipOf, memberships } from '../members/membership.ts'
import { type User, users } from '../members/user.ts'
import { auditAccount, changesOf } from '../office.ts'
import { ADMIN } from '../payments-ports.ts'

/** The limit of organizations that a user founds in a day, counted from the first. */
export const FOUNDINGS: TryLimit = { max: 30, seconds: 24 * 3_600 }

export const foundingsId = (userId: number): string => `founding|${userId}`

/** The limit of accounts that are read for a user; a user with more keeps the document. */
const MAX_MEMBERSHIPS = 20

/** The time in which the members of a removed organization cannot reuse its document. */
const KEPT_SECONDS = 30 * 24 * 3_600

/** An organization that holds a document, with the facts that decide if it keeps it. */
interface HolderAccount {
  readonly account: Account
  /** Its oldest ADMIN; null if the store does not have that user. */
  readonly founder: User | null
  readonly hasEntries: boolean
  /** True if the new founder is a member. */
  readonly isOwn: boolean
  /** True if the new founder has confirmed the e-mail. */
  readonly isProven: boolean
}

const readHolder = async (store: Store, accountId: number, founderId: number | null): Promise<HolderAccount | null> => {
  const { account, book, oldest, own, person } = await store.read({
    account: byId(accounts, accountId),
    book: bookOf(accountId),
    oldest: listOf(memberships, {
      where: all(eq('accountId', accountId), eq('roleId', ADMIN.id)),
      sort: { by: 'createdAt', dir: 'asc' },
      limit: 1,
    }),
    own: membershipOf(accountId, founderId ?? 0),
    person: byId(users, founderId ?? 0),
  })
  if (!account) return null
  const [first] = oldest.records
  const founder = first ? await store.find(byId(users, first.userId)) : null
  const isProven = person !== null && person.emailVerifiedAt !== null
  return { account, founder, hasEntries: book?.seq !== 0, isOwn: own !== null, isProven }
}

const isUnconfirmed = (user: User | null): user is User => user !== null && user.emailVerifiedAt === null

const mayRelease = ({ account, founder, hasEntries, isOwn, isProven }: HolderAccount, now: Instant): boolean => {
  if (hasEntries) return false
  if (account.removedAt === null) return !isOwn && isProven && isUnconfirmed(founder)
  return !isOwn || addSeconds(account.removedAt, KEPT_SECONDS) <= now
}

/** Fails the commit if money was posted to the account in the meantime. */
const checkNoEntries = (accountId: number): Change =>
  check(ledgerAccounts, ledgerAccountId(accountId, 'main'), eq('seq', 0))

/** Guards against a user who confirms the e-mail or changes the document in the meantime. */
const unchangedUser = ({ emailVerifiedAt, document }: User) =>
  all(eq('emailVerifiedAt', emailVerifiedAt), eq('document', document))

/** A claimed document, and the changes by which its holder releases it; null if the holder keeps it. */
export interface DocumentHolder {
  readonly claim: Claim
  readonly release: (fresh: Fresh) => readonly Change[] | null
}

const keepsDocument = () => null

/**
 * Reads the organization that holds a document. An organization with a ledger entry keeps it. A removed one releases it
 * to other founders at once and to its own members after 30 days; one whose founder has not confirmed the e-mail
 * releases it to a founder who has. An organization that released its document works on and still shows it.
 */
export const readDocumentHolder = async (
  store: Store,
  document: string,
  founderId: number | null,
): Promise<DocumentHolder | null> => {
  const claim = await store.find(byId(claims, claimId('document', document)))
  if (!claim || typeof claim.holder === 'string') return claim && { claim, release: keepsDocument }
  const holder = await readHolder(store, claim.holder, founderId)
  const release = (fresh: Fresh) => (holder && mayRelease(holder, fresh.steady) ? releaseDocument(holder, fresh) : null)
  return { claim, release }
}

const releaseDocument = ({ account, founder }: HolderAccount, fresh: Fresh): readonly Change[] => {
  const { id, removedAt, updatedAt } = account
  const set = { documentPassedAt: fresh.now }
  return [
    patch(accounts, id, {
      set: { ...set, updatedAt: nextUpdatedAt(account, fresh.now) },
      when: all(eq('removedAt', removedAt), eq('updatedAt', updatedAt)),
    }),
    checkNoEntries(id),
    ...(removedAt === null && founder ? [check(users, founder.id, unchangedUser(founder))] : []),
    ...auditAccount(fresh, { userId: null }, id, 'account.updated', changesOf(account, set)),
  ]
}

/** Reads the user who holds a document. It is free if all of the user's accounts are removed and without entries. */
export const readUserDocumentHolder = async (store: Store, document: string): Promise<DocumentHolder | null> => {
  const claim = await store.find(byId(claims, claimId('user-document', document)))
  if (!claim || typeof claim.holder === 'string') return claim && { claim, release: keepsDocument }
  const user = await store.find(byId(users, claim.holder))
  const accountIds = (await store.list(allMemberships(claim.holder))).records.map(({ accountId }) => accountId)
  if (!user || accountIds.length === 0 || accountIds.length > MAX_MEMBERSHIPS) return { claim, release: keepsDocument }
  const holders = await Promise.all(accountIds.map((accountId) => readHolder(store, accountId, null)))
  const isFree = holders.every((each) => each && !each.hasEntries && each.account.removedAt !== null)
  if (!isFree) return { claim, release: keepsDocument }
  const release = ({ now }: Fresh) => [
    patch(users, user.id, { set: { documentPassedAt: now }, when: unchangedUser(user) }),
    ...accountIds.map(checkNoEntries),
  ]
  return { claim, release }
}

/** Reports whether the holder of a document keeps it. */
export const isTaken = (holder: DocumentHolder | null, fresh: Fresh): boolean =>
  holder !== null && holder.release(fresh) === null

/** Returns the changes that claim a document that is free or that its holder releases. */
export const claimDocument = (
  kind: Extract<ClaimKind, 'document' | 'user-document'>,
  document: string,
  holder: string,
  current: DocumentHolder | null,
  fresh: Fresh,
): readonly Change[] => {
  if (!current) return [reserveUnique(kind, document, holder, null)]
  const { claim, release } = current
  const moved = patch(claims, claim.id, { set: { holder, accountId: null }, when: eq('holder', claim.holder) })
  return [moved, ...(release(fresh) ?? [])]
}
