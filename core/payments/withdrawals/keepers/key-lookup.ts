import { t } from '../../../fp.ts'
import { type Change, insert, patch } from '../../../kernel/records/change.ts'
import type { Collection } from '../../../kernel/records/collection.ts'
import { orNull, record } from '../../../kernel/records/record.ts'
import { eq } from '../../../kernel/records/where.ts'
import { addSeconds, type Instant } from '../../../kernel/values/day.ts'
import type { Withdrawal } from '../withdrawal.ts'
import { REPEAT_SECONDS, sentId } from './sent-withdrawal.ts'

const lookup = record({
  /** Account, destination and value. */
  id: t.string,
  accountId: t.number,
  /** The withdrawal that it has begun. */
  withdrawalId: t.number,
  startedAt: t.string,
  expiresAt: orNull(t.string),
})

/** The keeper of a look-up: the last one of a key with a value, by which the same again is known. */
export type KeyLookup = t.TypeOf<typeof lookup>

export const keyLookups: Collection<KeyLookup> = {
  name: 'payments.key-lookups',
  ids: 'text',
  codec: lookup,
  owner: 'accountId',
  indexes: [{ sort: 'expiresAt', acrossOwners: true }],
}

/** Whether it is the same one still. */
export const isCurrent = ({ startedAt }: Pick<KeyLookup, 'startedAt'>, now: Instant): boolean =>
  now < addSeconds(startedAt, REPEAT_SECONDS)

/** Keeps the look-up that a withdrawal comes of, in the place of an earlier one. */
export const keepLookup = (
  of: Pick<Withdrawal, 'id' | 'accountId' | 'destination' | 'valueCents'>,
  known: KeyLookup | null,
  now: Instant,
): Change => {
  const told = { withdrawalId: of.id, startedAt: now, expiresAt: addSeconds(now, REPEAT_SECONDS) }
  if (known) return patch(keyLookups, known.id, { set: told, when: eq('withdrawalId', known.withdrawalId) })
  return insert(keyLookups, { id: sentId(of), accountId: of.accountId, ...told })
}
