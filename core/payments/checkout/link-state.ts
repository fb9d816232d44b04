import { failure } from '../../failure.ts'
import { type Either, isLeft, left, right } from '../../fp.ts'
import type { Instant } from '../../kernel/values/day.ts'
import type { Origin } from '../../office/audit.ts'
import type { Cipher } from '../../ports/runtime.ts'
import { byId, type Store } from '../../ports/store.ts'
import { type Account, accounts } from '../accounts/account.ts'
import { findLink, NO_LINK, type UsedLink } from '../links/find-link.ts'
import { linkStatusAt, links } from '../links/link/link.ts'
import { isTokenOf } from '../links/link/link-token.ts'
import { isUsedUp, processingOf, usesIn, usesOf } from '../links/link/link-uses.ts'

/** The key by which a payer opens a link: its public id, and the token that came with it. */
export interface LinkKey {
  readonly id: string
  /** Null where none was sent. */
  readonly token: string | null
  /** The caller's address, which bounds the charges and declined cards of one address; callers without it are bounded together. */
  readonly origin?: Origin | null
}

/** A link with its uses and whom it pays, at one instant. */
export interface OpenLink extends UsedLink {
  readonly account: Account
  /** How many payments by card are not decided yet. */
  readonly processing: number
}

/** The link of a public id, whoever asks; null where there is none, or its account is gone. */
export const findOpenLink = async (store: Store, id: string): Promise<OpenLink | null> => {
  const known = await findLink(store, id)
  if (!known) return null
  const { accountId } = known
  const { link, account, uses, processing } = await store.read({
    link: byId(links, id),
    account: byId(accounts, accountId),
    uses: usesOf(accountId, [id]),
    processing: processingOf(accountId, id),
  })
  if (link?.removedAt !== null || account?.removedAt !== null) return null
  return { link, account, uses: usesIn(uses)(id), processing: processing[0]?.count ?? 0 }
}

const WRONG_TOKEN = failure('unauthorized', 'link.token')
const OVER = failure('gone', 'link.over')
const PAID = failure('gone', 'link.paid')
const USED_UP = failure('gone', 'link.used-up')

type Seals = Pick<Cipher, 'open' | 'digest'>
type Key = Pick<LinkKey, 'token'>

/** A link by its token, whatever has become of it. Fails: `link.unknown`, `link.token`. */
export const namedLink = (
  cipher: Seals,
  found: OpenLink | null,
  { token }: Key,
): Either<typeof NO_LINK | typeof WRONG_TOKEN, OpenLink> => {
  if (!found) return left(NO_LINK)
  return token !== null && isTokenOf(cipher, found.link, token) ? right(found) : left(WRONG_TOKEN)
}

/**
 * Whether a payer may pay by a link: it is there, they have its token, and it still takes payments.
 * Fails: `link.unknown`, `link.token`, `link.over` (expired), `link.paid` (of one use), `link.used-up`.
 * Source: decisions.md §3, Payment link; §9, Links.
 */
export const openedLink = (
  cipher: Seals,
  found: OpenLink | null,
  by: Key,
  now: Instant,
): Either<typeof NO_LINK | typeof WRONG_TOKEN | typeof OVER | typeof PAID | typeof USED_UP, OpenLink> => {
  const named = namedLink(cipher, found, by)
  if (isLeft(named)) return named
  const { link, uses } = named.right
  // Whoever paid it is told so, also when it has expired since.
  if (isUsedUp(link, uses)) return left(link.maxUses === 1 ? PAID : USED_UP)
  return linkStatusAt(link, now) === 'expired' ? left(OVER) : named
}
