import { type Event, isShown } from '../../../core/payments/events.ts'
import type { Delivery } from '../../../core/payments/webhooks/deliveries.ts'
import { webhookSubscriber } from '../../../core/payments/webhooks/subscriber.ts'
import { MOST_TRIES } from '../environment/watch.ts'
import { groupBy, type Invariant, unless } from './judged.ts'

const MOST_MAIL_TRIES = 10

/**
 * An event has one delivery for each target once the webhook subscriber has run, and none before; those for ADMINs have
 * none.
 */
export const fannedOutOnce: Invariant = ({ held }) => {
  const made = groupBy(held.deliveries, ({ eventId }) => eventId)
  const accounts = new Map(held.accounts.map((account) => [account.id, account]))
  const known = new Set(held.events.map(({ id }) => id))
  return [
    ...held.events.flatMap((event) => {
      const urls = [...event.urls, accounts.get(event.accountId)?.webhookUrl ?? null].filter((url) => url !== null)
      const expected = isShown(event) && webhooksWereTold(event) ? [...new Set(urls)] : []
      const own = (made.get(event.id) ?? []).map(({ url }) => url)
      return unless([
        [String(own.sort()) === String(expected.toSorted()), `event ${event.id} goes to ${own} and not ${expected}`],
      ])
    }),
    ...held.deliveries.filter(({ eventId }) => !known.has(eventId)).map(({ id }) => `delivery ${id} has no event`),
  ]
}

/** Reports whether the webhook subscriber has run: other subscribers may be due if the common commit failed. */
const webhooksWereTold = ({ dueAt, missed }: Pick<Event, 'dueAt' | 'missed'>): boolean =>
  dueAt === null || !(missed?.includes(webhookSubscriber.name) ?? true)

/** The status of a delivery follows from the answers of its receiver, and a finished one is not retried. */
export const deliveredAsAnswered: Invariant = ({ held, environment }) =>
  held.deliveries.flatMap(({ id, webhookId, status, attempts, dueAt, deliveredAt, response }) => {
    const received = environment.receivers.received.get(webhookId)
    const isGivenUp = received?.gone || attempts >= MOST_TRIES
    return unless([
      [(status === 'pending') === (dueAt !== null), `delivery ${id} is ${status} and due ${dueAt}`],
      [(status === 'delivered') === (deliveredAt !== null), `delivery ${id} is ${status}, delivered at ${deliveredAt}`],
      [status !== 'delivered' || (received?.accepted ?? 0) > 0, `delivery ${id} was never accepted`],
      [attempts >= 0, `delivery ${id} was tried ${attempts} times`],
      [status !== 'failed' || isGivenUp === true, `delivery ${id} was given up after ${attempts} tries`],
      [
        endOf(response?.status ?? null) === null || endOf(response?.status ?? null) === status,
        `delivery ${id} goes on`,
      ],
      [
        (received?.posts ?? 0) <= attempts + (environment.watch.givenBack.get(id) ?? 0),
        `delivery ${id} was posted ${received?.posts} times in ${attempts} tries`,
      ],
    ])
  })

/** Returns the final status that an answer causes, if any. */
const endOf = (answered: number | null): Delivery['status'] | null => {
  if (answered === 410) return 'failed'
  return answered !== null && answered >= 200 && answered < 300 ? 'delivered' : null
}

/** A finished mail arrived, was tried ten times, has expired or has a reason for not being sent. */
export const mailedOrTried: Invariant = ({ held, environment }) =>
  held.mails
    .filter(({ dueAt, expiresAt }) => dueAt === null && Date.parse(expiresAt) > environment.agenda.nowMs())
    .filter(({ unsentReason }) => unsentReason === null)
    .filter(({ id, attempts }) => !environment.mailbox.arrived.has(id) && attempts < MOST_MAIL_TRIES)
    .map(({ id, attempts }) => `mail ${id} was given up after ${attempts} tries`)
