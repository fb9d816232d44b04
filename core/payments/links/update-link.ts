import { failure, invalid, issue } from '../../failure.ts'
import { left } from '../../fp.ts'
import { patch } from '../../kernel/records/change.ts'
import { all, eq, type Where } from '../../kernel/records/where.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'
import { accept, useCase, withValidInput } from '../../kernel/running/use-case.ts'
import type { Actor } from '../actor.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { distinct, endOf, isPayableBy, UNSUPPORTED } from './create-link.ts'
import { detailOf, findOwnLink, NO_LINK, type UsedLink } from './find-link.ts'
import { linkStatusAt, links, type PaymentLink, USED } from './link/link.ts'
import { LINK_METHODS } from './link/link-fields.ts'
import { type CheckedLinkChange, type LinkChange, linkChange } from './link-inputs.ts'

type Changer = Pick<Actor, 'userId' | 'accountId'>

/**
 * Changes a link; what is left out stays, and null clears. More uses open one again that was used up.
 * Fails: `fields` (`link.method-used`: somebody has begun to pay by that method), `link.unknown`, `link.expired`,
 * `bank.unsupported`. Source: 02-billing.md, Payment links; decisions.md §7 and §9.
 */
export const updateLink = (ports: PaymentsPorts) => (actor: Changer, id: string, given: LinkChange) =>
  withValidInput(ports, linkChange, given, (asked) =>
    useCase(
      ports,
      (store) => findOwnLink(store, actor.accountId, id),
      (used, fresh) => decideLinkChange(ports, used, actor, asked, fresh),
    ),
  )

export const decideLinkChange = (
  ports: Parameters<typeof detailOf>[0] & Pick<PaymentsPorts, 'bank' | 'acquirer'>,
  used: UsedLink | null,
  { userId }: Changer,
  asked: CheckedLinkChange,
  fresh: Fresh,
) => {
  if (!used) return left(NO_LINK)
  const { link } = used
  if (linkStatusAt(link, fresh.steady) === 'expired') return left(failure('conflict', 'link.expired'))
  const { paymentMethods, expiresAt } = asked
  const dropped = paymentMethods ? LINK_METHODS.filter((method) => !paymentMethods.includes(method)) : []
  if (dropped.some((method) => link[USED[method]])) return left(invalid([issue('paymentMethods', 'link.method-used')]))
  if (paymentMethods && !isPayableBy(ports, paymentMethods)) return left(UNSUPPORTED)
  if (Object.keys(asked).length === 0) return accept(detailOf(ports, used))
  const set: Partial<PaymentLink> = {
    ...asked,
    ...(paymentMethods && { paymentMethods: distinct(paymentMethods) }),
    ...(expiresAt !== undefined && endOf(expiresAt)),
    updatedBy: userId,
    updatedAt: fresh.now,
    updatedDay: fresh.today,
  }
  const unused = dropped.map((method): Where<keyof PaymentLink & string> => eq(USED[method], false))
  const when = all<keyof PaymentLink & string>(eq('removedAt', null), ...unused)
  return accept(detailOf(ports, { ...used, link: { ...link, ...set } }), patch(links, link.id, { set, when }))
}

/**
 * Removes a link: it is in no list and opens nothing; what was asked for through it stays.
 * Fails: `link.unknown`. Source: 02-billing.md, Payment links.
 */
export const removeLink = (ports: PaymentsPorts) => (actor: Changer, id: string) =>
  useCase(
    ports,
    (store) => findOwnLink(store, actor.accountId, id),
    (used, fresh) => {
      if (!used) return left(NO_LINK)
      const set = { removedAt: fresh.now, updatedBy: actor.userId, updatedAt: fresh.now, updatedDay: fresh.today }
      return accept(null, patch(links, used.link.id, { set, when: eq('removedAt', null) }))
    },
  )
