import { t } from '../../../fp.ts'
import { stored } from '../../../kernel/input/stored.ts'
import { pick } from '../../../kernel/input/table.ts'
import type { Collection } from '../../../kernel/records/collection.ts'
import { orNull, record, word } from '../../../kernel/records/record.ts'
import { eq, not } from '../../../kernel/records/where.ts'
import { accountFields } from '../../accounts/account-fields.ts'

const opening = record({
  /** Our own id of the account at the bank, and the organization's uuid to be. */
  id: t.string,
  userId: t.number,
  ...stored(pick(accountFields, 'name', 'email', 'document')),
  /** Where it was asked from. */
  address: orNull(t.string),
  device: orNull(t.string),
  /** A refused one only remembers why, for a repeat of its request, until it is due. */
  state: word('asking', 'refused'),
  reason: orNull(t.string),
  /** When somebody else may ask the bank, or forget a refused one. */
  dueAt: orNull(t.string),
  attempts: t.number,
  createdAt: t.string,
})

/** An account that the bank is asked to open. It becomes the account, and is then no more. */
export type Opening = t.TypeOf<typeof opening>

export const openings: Collection<Opening> = {
  name: 'payments.openings',
  ids: 'text',
  codec: opening,
  owner: null,
  conditions: { waiting: not(eq('dueAt', null)) },
  indexes: [{ sort: 'dueAt', when: 'waiting', across: true }],
}

/** How long the bank may take before somebody else asks it: longer than one call's time-out. */
export const OPENING_LEASE_SECONDS = 60
/** As long as a repeat may carry the same idempotency key. */
export const REFUSED_OPENING_SECONDS = 24 * 3_600

const FIRST_WAIT_SECONDS = 2
const LONGEST_WAIT_SECONDS = 600

/** How long a bank that did not answer is left alone, after so many tries before this one. */
export const secondsToNextAsk = (attempts: number): number =>
  Math.min(LONGEST_WAIT_SECONDS, FIRST_WAIT_SECONDS * 2 ** Math.min(attempts, 10))
