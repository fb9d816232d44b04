import { SNAKE_CASE } from '../../kernel/input/field.ts'
import { type Change, patch } from '../../kernel/records/change.ts'
import { always } from '../../kernel/records/where.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'
import { reaisFromCents } from '../../kernel/values/money.ts'
import { byId, type Store } from '../../ports/store.ts'
import { charges } from '../charges/charge.ts'
import { nextEventTime } from '../charges/record-charge-event.ts'
import { type Event, recordEvent, subscriber } from '../office/events.ts'
import type { UsedLink } from './find-link.ts'
import { links } from './link/link.ts'
import { usesIn, usesOf } from './link/link-uses.ts'
import { toldLinkView } from './paid-link-view.ts'

/** The link of the charge that was paid, a removed one too; null where it was asked by none. */
const readUsed = async (store: Store, { accountId, subjectId }: Event): Promise<UsedLink | null> => {
  const linkId = (await store.find(byId(charges, subjectId)))?.linkId ?? null
  if (linkId === null) return null
  const { link, uses } = await store.read({ link: byId(links, linkId), uses: usesOf(accountId, [linkId]) })
  return link && { link, uses: usesIn(uses)(linkId) }
}

/** What a link has received is summed up, and that somebody paid by it is told, once for each payment. */
export const paidSubscriber = subscriber({
  name: 'links',
  types: ['charge.paid', 'pix.received'],
  read: readUsed,
  concerns: (_, used) => used !== null,
  decide: (event, used, fresh) => (used ? decideReceived(event, used, fresh) : []),
})

export const decideReceived = (event: Event, { link, uses }: UsedLink, fresh: Fresh): readonly Change[] => {
  // Two events at once both know of what came before them: the more that was received, the later was it read.
  const summed = patch(links, link.id, { max: { receivedCents: uses.receivedCents }, when: always })
  if (event.type !== 'charge.paid') return [summed]
  const data = { ...toldLinkView.on(SNAKE_CASE).encode({ link, uses, asOf: fresh.steady }), charge: chargeIn(event) }
  const { accountId, subjectId } = event
  const about = { accountId, subjectId, data, urls: [link.webhookUrl] }
  const time = nextEventTime(fresh, subjectId)
  return [summed, time.moved, recordEvent(fresh, 'payment_link.paid', about, time.take)]
}

/** The charge as the event tells of it. */
const chargeIn = ({ data, amountPaidCents }: Pick<Event, 'data' | 'amountPaidCents'>) => ({
  ...JSON.parse(data),
  ...(amountPaidCents === null ? {} : { amount_paid: reaisFromCents(amountPaidCents) }),
})
