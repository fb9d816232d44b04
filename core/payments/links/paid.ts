import { output, SNAKE_CASE, view } from '../../kernel/input/mod.ts'
import { always, type Change, patch } from '../../kernel/records/record.ts'
import type { Fresh } from '../../kernel/running/use-case.ts'
import { reaisFromCents } from '../../kernel/values/money.ts'
import { byId, type Store } from '../../ports/store.ts'
import { charges } from '../charges/charge.ts'
import { type ChargeDetail, chargeView } from '../charges/detail.ts'
import { nextEventTime } from '../charges/write.ts'
import { type Event, eventView, recordEvent, subscriber } from '../events.ts'
import { links, usesByLink, usesQueries } from './link.ts'
import { type LinkDetail, linkView, type UsedLink } from './read-link.ts'

// The URL contains the token, which must not reach a receiver's logs.
const { publicUrl: _, ...eventLinkFields } = linkView.table

/** A paid link in a webhook, without the charge. */
const eventLinkView = view('ToldPaymentLink', eventLinkFields, (detail: Omit<LinkDetail, 'publicUrl'>) =>
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

/** The body of the webhook `payment_link.paid`. */
export const linkEventView = eventView(
  'PaymentLinkEvent',
  ['payment_link.paid'],
  paidLinkView,
  'O link, e a cobrança que foi paga',
)

/** Reads the link of a charge that received money, also if removed; null if the charge has none. */
const readPaidLink = async (store: Store, { accountId, subjectId }: Event): Promise<UsedLink | null> => {
  const linkId = (await store.find(byId(charges, subjectId)))?.linkId ?? null
  if (linkId === null) return null
  const { link, ...uses } = await store.read({ link: byId(links, linkId), ...usesQueries(accountId, [linkId]) })
  return link && { link, uses: usesByLink(uses)(linkId) }
}

/** Updates the amount that a link received, and records one event for each paid charge. */
export const paidSubscriber = subscriber({
  name: 'links',
  types: ['charge.paid', 'charge.partially_paid', 'pix.received'],
  read: readPaidLink,
  concerns: (_, used) => used !== null,
  decide: (event, used, fresh) => (used ? decideReceived(event, used, fresh) : []),
})

const decideReceived = (event: Event, { link, uses }: UsedLink, fresh: Fresh): readonly Change[] => {
  // Of two simultaneous events the greater sum was read later.
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

/** Returns the charge as the event contains it. */
const paidChargeOf = ({ data, amountPaidCents }: Pick<Event, 'data' | 'amountPaidCents'>) => ({
  ...JSON.parse(data),
  ...(amountPaidCents === null ? {} : { amount_paid: reaisFromCents(amountPaidCents) }),
})
