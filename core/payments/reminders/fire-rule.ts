import { byId, type Store } from '../../ports/store.ts'
import { accounts, isExisting, type RuleName } from '../accounts/account.ts'
import { charges } from '../charges/charge.ts'
import { isPayerVeiled } from '../charges/detail.ts'
import { clients } from '../customers/client.ts'
import { EVENT_TYPES, type Event, type Subscriber, subscriber } from '../events.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { readQuota } from './message-quota.ts'
import { queueMessages, targetsOf } from './payer-messages.ts'

const RULE_OF_EVENT: Readonly<Partial<Record<Event['type'], RuleName>>> = {
  'charge.created': 'on_creation',
  'charge.paid': 'on_payment',
  'charge.partially_paid': 'on_payment',
  'charge.updated': 'on_update',
  'charge.refunded': 'on_update',
  'charge.deleted': 'on_delete',
}

/** Sends the payer the messages that the account's rules have for an event, one for each channel. */
export const ruleSubscriber = (ports: Pick<PaymentsPorts, 'cipher' | 'clock' | 'settings'>): Subscriber =>
  subscriber({
    name: 'rules',
    types: EVENT_TYPES.filter((type) => RULE_OF_EVENT[type] !== undefined),
    read: async (store, event) => {
      const fired = await readFiredRule(store, event)
      if (!fired) return null
      const targets = targetsOf(fired, event.id)
      return { fired, targets, quota: await readQuota(ports, store, event.accountId, targets) }
    },
    concerns: (_, facts) => facts !== null,
    decide({ amountPaidCents }, facts, fresh) {
      if (!facts) return []
      const { fired, targets, quota } = facts
      const { steady, today } = fresh
      const about = { ...fired, paidCents: amountPaidCents, publicUrl: ports.settings.publicUrl, steady, today }
      const { counting, queuing } = queueMessages(ports.cipher, fresh, quota, [{ about, targets }])
      return [...counting, ...queuing]
    },
  })

/** Reads the rule that an event fires, with its charge and payer; null if it fires none. */
const readFiredRule = async (store: Store, { type, accountId, subjectId }: Event) => {
  const name = RULE_OF_EVENT[type]
  if (name === undefined) return null
  const account = await store.find(byId(accounts, accountId))
  // The pages of a removed account, to which the messages link, no longer exist.
  const rule = isExisting(account) ? account.notificationRules?.[name] : null
  if (!account || !rule?.enabled) return null
  const charge = await store.find(byId(charges, subjectId))
  const client = charge && (await store.find(byId(clients, charge.clientId)))
  // The caller of a payment link may name any client, so that client gets no automatic message.
  return charge && client && !isPayerVeiled({ charge, client }) ? { name, rule, account, charge, client } : null
}
