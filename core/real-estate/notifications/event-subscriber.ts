import { byId, type Store } from '../../ports/store.ts'
import { type Event, type EventType, notify, type Subscriber, subscriber } from '../office.ts'
import { commissions } from '../records/commission.ts'
import { payments } from '../records/payment.ts'
import type { User } from '../records/people.ts'
import { proposals } from '../records/proposal.ts'
import { visits } from '../records/visit.ts'
import { alertRecipients, defaultNotifications } from './alerts.ts'
import {
  commissionApproved,
  commissionPaid,
  newProposal,
  proposalApproved,
  type Text,
  userOfBroker,
  usersInRoles,
  visitConfirmed,
} from './messages.ts'

const TYPES = [
  'proposal.created',
  'proposal.approved',
  'visit.confirmed',
  'commission.approved',
  'commission.paid',
] as const satisfies readonly EventType[]

/** The text of an event's notification and the broker to notify; null if the record was removed. */
type Content = { readonly text: Text; readonly brokerId: string } | null

const contentOf = <R extends { readonly brokerId: string; readonly removedAt: string | null }>(
  record: R | null,
  text: (of: R) => Text,
): Content => (record?.removedAt === null ? { text: text(record), brokerId: record.brokerId } : null)

const readers: { readonly [T in (typeof TYPES)[number]]: (store: Store, id: string) => Promise<Content> } = {
  'proposal.created': async (store, id) => contentOf(await store.find(byId(proposals, id)), newProposal),
  'proposal.approved': async (store, id) => contentOf(await store.find(byId(proposals, id)), proposalApproved),
  'visit.confirmed': async (store, id) => contentOf(await store.find(byId(visits, id)), visitConfirmed),
  'commission.approved': async (store, id) => contentOf(await store.find(byId(commissions, id)), commissionApproved),
  'commission.paid': async (store, id) => contentOf(await store.find(byId(commissions, id)), commissionPaid),
}

const read = async (
  store: Store,
  { type, subjectId, companyId }: Event,
): Promise<{ readonly content: Content; readonly people: readonly User[] }> => {
  const known = TYPES.find((each) => each === type)
  const content = known ? await readers[known](store, subjectId) : null
  if (!content) return { content, people: [] }
  const broker = await userOfBroker(store, companyId, content.brokerId)
  const admins = type === 'proposal.created' ? await usersInRoles(store, companyId, 'Admin') : []
  // A broker who is an Admin is notified once.
  return { content, people: [...(broker ? [broker] : []), ...admins.filter(({ id }) => id !== broker?.id)] }
}

/** Notifies the broker's user and, of a new proposal, the Admins. */
export const notificationSubscriber = (mirrors: boolean): Subscriber =>
  subscriber({
    name: 'notifications',
    types: TYPES,
    read,
    decide: ({ companyId }, { content, people }, fresh) => {
      if (!content) return []
      const drafts = alertRecipients(people).map((person) => ({ ...content.text, companyId, ...person }))
      return notify(fresh, drafts, mirrors)
    },
  })

/** Notifies Admins and Financial of a payment that was already overdue when a run created it or a refund opened it. */
export const defaultSubscriber = (mirrors: boolean): Subscriber =>
  subscriber({
    name: 'notifications.defaulted',
    types: ['payment.defaulted'],
    read: async (store, { subjectId, companyId }) => ({
      payment: await store.find(byId(payments, subjectId)),
      people: await usersInRoles(store, companyId, 'Admin', 'Financial'),
    }),
    concerns: (_, { payment }) => payment?.removedAt === null && payment.status === 'Defaulted',
    decide: (_, { payment, people }, fresh) =>
      payment ? notify(fresh, defaultNotifications(alertRecipients(people), payment), mirrors) : [],
  })
