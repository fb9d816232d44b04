import { failure } from '../../failure.ts'
import { readUseCase } from '../../kernel/running/use-case.ts'
import { byId, type Store } from '../../ports/store.ts'
import type { Actor } from '../actor.ts'
import { clients } from '../customers/client.ts'
import { users } from '../members/user.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { links, type PaymentLink } from './link/link.ts'
import { publicUrlOf } from './link/link-token.ts'
import { type LinkUses, usesIn, usesOf } from './link/link-uses.ts'
import type { FullLink, LinkDetail, NamedRecord } from './link-view.ts'

export const NO_LINK = failure('not-found', 'link.unknown')

/** The link of this public id; null where there is none, or it was removed. */
export const findLink = async (store: Pick<Store, 'find'>, id: string): Promise<PaymentLink | null> => {
  const link = await store.find(byId(links, id))
  return link?.removedAt === null ? link : null
}

/** A link with how often it was paid, at one instant. */
export interface UsedLink {
  readonly link: PaymentLink
  readonly uses: LinkUses
}

export const findUsedLink = async (store: Store, id: string): Promise<UsedLink | null> => {
  const known = await findLink(store, id)
  if (!known) return null
  const { link, uses } = await store.read({ link: byId(links, id), uses: usesOf(known.accountId, [id]) })
  return link?.removedAt === null ? { link, uses: usesIn(uses)(id) } : null
}

/** The same for somebody of an account: another's is none. */
export const findOwnLink = async (store: Store, accountId: number, id: string): Promise<UsedLink | null> => {
  const found = await findUsedLink(store, id)
  return found?.link.accountId === accountId ? found : null
}

/** A link as it is shown now. */
export const detailOf = (
  ports: Pick<PaymentsPorts, 'cipher' | 'settings' | 'clock'>,
  { link, uses }: UsedLink,
): LinkDetail => {
  const { tokenSealed: _, cardPayments: __, ...shown } = link
  return { link: shown, uses, publicUrl: publicUrlOf(ports, link), asOf: ports.clock.steady() }
}

/** One of the account's links, with whom it names. Fails: `link.unknown`, for another account's too. */
export const readLink =
  (ports: PaymentsPorts) =>
  ({ accountId }: Pick<Actor, 'accountId'>, id: string) =>
    readUseCase('link.unknown', async (): Promise<FullLink | null> => {
      const used = await findOwnLink(ports.store, accountId, id)
      return used && { ...detailOf(ports, used), ...(await namedBy(ports, used.link)) }
    })

const namedBy = async ({ store }: Pick<PaymentsPorts, 'store'>, link: PaymentLink) => {
  const { createdBy, updatedBy, clientId } = link
  const [creator, updater, customer] = await Promise.all([
    store.find(byId(users, createdBy)),
    updatedBy === null ? null : store.find(byId(users, updatedBy)),
    clientId === null ? null : store.find(byId(clients, clientId)),
  ])
  return { creator: named(creator), updater: named(updater), customer: named(customer) }
}

const named = (of: NamedRecord | null): NamedRecord | null => of && { id: of.id, name: of.name }
