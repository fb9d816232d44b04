import { reaisFromCents } from '../../kernel/values/money.ts'
import { teamOf } from '../members/team.ts'
import { type EventType, subscriber } from '../office/events.ts'
import { type NotificationType, notify } from '../office/notifications.ts'

/** What people are told of inside the app: what came in, and what went wrong. */
const TYPES = ['charge.paid', 'pix.received', 'charge.failed'] as const satisfies readonly (EventType &
  NotificationType)[]

/** A notification of an event for everybody who works in its account. */
export const inboxSubscriber = subscriber({
  name: 'inbox',
  types: TYPES,
  read: async (store, { accountId }) => (await store.list(teamOf(accountId))).records,
  decide({ accountId, type, subjectId, amountPaidCents }, team, fresh) {
    const told = TYPES.find((each) => each === type)
    const amount = amountPaidCents === null ? null : reaisFromCents(amountPaidCents)
    return told
      ? notify(fresh, team, { accountId, type: told, data: { charge_id: subjectId, amount_paid: amount } })
      : []
  },
})
