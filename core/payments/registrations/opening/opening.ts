import { t } from '../../../fp.ts'
import { pick, storedTypes } from '../../../kernel/input/table.ts'
import type { Collection } from '../../../kernel/records/collection.ts'
import { orNull, record } from '../../../kernel/records/record.ts'
import { accountFields } from '../../accounts/account-fields.ts'

const opening = record({
  /** Our own id of the account at the bank, and the organization's uuid to be. */
  id: t.string,
  userId: t.number,
  ...storedTypes(pick(accountFields, 'name', 'email', 'document')),
  /** Where it was asked from. */
  address: orNull(t.string),
  device: orNull(t.string),
  /** What the bank is being asked of it: it has the opening's own id. Null in records of earlier releases. */
  operationId: orNull(t.string),
  createdAt: t.string,
})

/** An account that the bank is asked to open. It becomes the account, and is then no more. */
export type Opening = t.TypeOf<typeof opening>

export const openings: Collection<Opening> = {
  name: 'payments.openings',
  ids: 'text',
  codec: opening,
  owner: null,
  // What the bank is asked is a record of its own since 0.4.0.
  retired: ['state', 'reason', 'dueAt', 'attempts'],
}
