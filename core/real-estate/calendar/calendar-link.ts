import { t } from '../../fp.ts'
import type { Collection } from '../../kernel/records/collection.ts'
import { record } from '../../kernel/records/record.ts'

const calendarLink = record({
  /** The id of the broker whose visits it shows. */
  id: t.string,
  companyId: t.string,
  /** Of the token that opens it, which is kept nowhere. */
  tokenDigest: t.string,
  createdAt: t.string,
  updatedAt: t.string,
})

/** By what a broker's calendar is opened: one at a time. */
export type CalendarLink = t.TypeOf<typeof calendarLink>

export const calendarLinks: Collection<CalendarLink> = {
  name: 'estate.calendar-links',
  ids: 'text',
  codec: calendarLink,
  owner: 'companyId',
  keys: { token: ({ tokenDigest }) => tokenDigest },
}
