import { reaisFromCents } from '../../kernel/values/money.ts'
import { teamOf } from '../members/team.ts'
import { type Event, type EventType, NO_RECORD, subscriber } from '../office/events.ts'
import { type NotificationType, notify } from '../office/notifications.ts'

/** What people are told of inside the app: what came in, and what went wrong. */
const TYPES = ['charge.paid', 'pix.received', 'charge.failed'] as const satisfies readonly (EventType &
  NotificationType)[]

const dataOf = ({ subjectId, amountPaidCents, data }: Pick<Event, 'subjectId' | 'amountPaidCents' | 'data'>) => {
  // Of money without a charge, what is told is all that there is.
  if (subjectId === NO_RECORD) return { charge_id: null, ...JSON.parse(data) }
  return { charge_id: subjectId, amount_paid: amountPaidCents === null ? null : reaisFromCents(amountPaidCents) }
}

/** A notification of an event for everybody who works in its account. */
export const inboxSubscriber = subscriber({
  name: 'inbox',
  types: TYPES,
  read: async (store, { accountId }) => (await store.list(teamOf(accountId))).records,
  decide(event, team, fresh) {
    const { accountId, type } = event
    const told = TYPES.find((each) => each === type)
    return told ? notify(fresh, team, { accountId, type: told, data: dataOf(event) }) : []
  },
})
