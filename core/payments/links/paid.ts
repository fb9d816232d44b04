import { SNAKE_CASE } from '../../kernel/input/field.ts'
import { instant, oneOf } from '../../kernel/input/scalars.ts'
import { output, view } from '../../kernel/input/view.ts'
import { type Change, patch } from '../../kernel/records/change.ts'
import { always } from '../../kernel/records/where.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'
import type { Instant } from '../../kernel/values/day.ts'
import { reaisFromCents } from '../../kernel/values/money.ts'
import { byId, type Store } from '../../ports/store.ts'
import { charges } from '../charges/charge.ts'
import type { ChargeDetail } from '../charges/detail.ts'
import { nextEventTime } from '../charges/events.ts'
import { chargeView } from '../charges/views.ts'
import { type Event, recordEvent, subscriber } from '../office.ts'
import { links, usesByLink, usesQuery } from './link.ts'
import { type LinkDetail, linkView, type UsedLink } from './read-link.ts'

// Its address carries the token: a receiver's logs are no place for it.
const { publicUrl: _, ...eventLinkFields } = linkView.table

/** What a receiver is told of a link that was paid, but for the charge. */
export const eventLinkView = view('ToldPaymentLink', eventLinkFields, (detail: Omit<LinkDetail, 'publicUrl'>) =>
  linkView.of({ ...detail, publicUrl: '' }),
)

interface PaidLink extends LinkDetail {
  readonly charge: ChargeDetail
}

const paidLinkView = view(
  'PaidPaymentLink',
  {
    ...eventLinkFields,
    charge: output.view(chargeView, { about: 'A cobrança que foi paga, como a API a mostrava então' }),
  },
  ({ charge, ...detail }: PaidLink) => ({ ...linkView.of(detail), charge }),
)

interface LinkEvent {
  readonly type: 'payment_link.paid'
  readonly timestamp: Instant
  readonly data: PaidLink
}

/** The body of a webhook that tells of a link that was paid. Source: decisions.md §3, Events. */
export const linkEventView = view(
  'PaymentLinkEvent',
  {
    type: oneOf(['payment_link.paid'], { about: 'O que aconteceu' }),
    timestamp: instant({ about: 'Quando aconteceu' }),
    data: output.view(paidLinkView, { about: 'O link, e a cobrança que foi paga' }),
  },
  (event: LinkEvent) => event,
)

/** The link of the charge that was paid, a removed one too; null where it was asked by none. */
const readPaidLink = async (store: Store, { accountId, subjectId }: Event): Promise<UsedLink | null> => {
  const linkId = (await store.find(byId(charges, subjectId)))?.linkId ?? null
  if (linkId === null) return null
  const { link, uses } = await store.read({ link: byId(links, linkId), uses: usesQuery(accountId, [linkId]) })
  return link && { link, uses: usesByLink(uses)(linkId) }
}

/** What a link has received is summed up, and that somebody paid by it is told, once for each payment. */
export const paidSubscriber = subscriber({
  name: 'links',
  types: ['charge.paid', 'pix.received'],
  read: readPaidLink,
  concerns: (_, used) => used !== null,
  decide: (event, used, fresh) => (used ? decideReceived(event, used, fresh) : []),
})

export const decideReceived = (event: Event, { link, uses }: UsedLink, fresh: Fresh): readonly Change[] => {
  // Two events at once both know of what came before them: the more that was received, the later was it read.
  const summed = patch(links, link.id, { max: { receivedCents: uses.receivedCents }, when: always })
  if (event.type !== 'charge.paid') return [summed]
  const data = {
    ...eventLinkView.on(SNAKE_CASE).encode({ link, uses, asOf: fresh.steady }),
    charge: paidChargeOf(event),
  }
  const { accountId, subjectId } = event
  const about = { accountId, subjectId, data, urls: [link.webhookUrl] }
  const time = nextEventTime(fresh, subjectId)
  return [summed, time.moved, recordEvent(fresh, 'payment_link.paid', about, time.take)]
}

/** The charge as the event tells of it. */
const paidChargeOf = ({ data, amountPaidCents }: Pick<Event, 'data' | 'amountPaidCents'>) => ({
  ...JSON.parse(data),
  ...(amountPaidCents === null ? {} : { amount_paid: reaisFromCents(amountPaidCents) }),
})
