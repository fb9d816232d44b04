import { all, eq, isIn } from '../../../kernel/records/where.ts'
import { groupOf, type Store } from '../../../ports/store.ts'
import { type Charge, charges } from '../../charges/charge.ts'
import type { PaymentLink } from './link.ts'

/** How often a link was paid, and what it received. */
export interface LinkUses {
  readonly usesCount: number
  readonly receivedCents: number
}

const UNUSED: LinkUses = { usesCount: 0, receivedCents: 0 }

/**
 * The uses of some links of an account: their charges that were paid, whatever became of them since. The store counts them
 * in the commit that pays a charge, so that no use is ever missed or counted twice.
 */
export const usesOf = (accountId: number, linkIds: readonly string[]) => {
  const [only] = linkIds
  const named = linkIds.length === 1 && only !== undefined ? eq<'linkId'>('linkId', only) : isIn('linkId', linkIds)
  return groupOf(charges, {
    where: all<'accountId' | 'linkId'>(eq('accountId', accountId), named),
    when: 'paidByLink',
    by: ['linkId'],
    sum: ['amountPaidCents'],
  })
}

/** What such a group says of each link. */
export const usesIn = (rows: Awaited<ReturnType<Store['group']>>): ((linkId: string) => LinkUses) => {
  const byLink = new Map(
    rows.map(({ by, count, sums }) => [by.linkId, { usesCount: count, receivedCents: sums.amountPaidCents ?? 0 }]),
  )
  return (linkId) => byLink.get(linkId) ?? UNUSED
}

/** The charges by card of a link that are not decided yet: each holds a use of it. */
export const processingOf = (accountId: number, linkId: string) =>
  groupOf(charges, {
    where: all<keyof Charge & string>(
      eq('accountId', accountId),
      eq('linkId', linkId),
      eq('status', 'pending'),
      eq('paymentMethod', 'CREDIT_CARD'),
    ),
    when: 'linked',
    by: [],
    sum: [],
  })

/** Whether as many have paid as may. Source: decisions.md §3, Payment link. */
export const isUsedUp = ({ maxUses }: Pick<PaymentLink, 'maxUses'>, { usesCount }: LinkUses): boolean =>
  maxUses !== null && usesCount >= maxUses
