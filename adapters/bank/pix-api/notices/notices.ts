import { t } from '../../../../core/fp.ts'
import { type Change, ensure, patch } from '../../../../core/kernel/records/change.ts'
import type { AnyCollection, Collection } from '../../../../core/kernel/records/collection.ts'
import { orNull, record, word } from '../../../../core/kernel/records/record.ts'
import { all, eq, isIn, not } from '../../../../core/kernel/records/where.ts'
import type { Fresh } from '../../../../core/kernel/running/fresh.ts'
import { addSeconds } from '../../../../core/kernel/values/day.ts'
import { listOf, type Store } from '../../../../core/ports/store.ts'

const notice = record({
  /** The payment's end-to-end id: told twice, it is one. */
  id: t.string,
  /** What became of it: `unfounded` the bank does not know, `foreign` is another key's. */
  outcome: orNull(word('taken', 'refused', 'unfounded', 'foreign')),
  /** When the bank is asked of it; null once it ended. */
  dueAt: orNull(t.string),
  attempts: t.number,
  createdAt: t.string,
  /** When it is forgotten; null while it is asked. */
  expiresAt: orNull(t.string),
  /** The span that its work continues; null without tracing. */
  trace: orNull(t.string),
})

/** Somebody said that a Pix came in: nothing is believed of it but its id, by which the bank is asked. */
export type Notice = t.TypeOf<typeof notice>

export const notices: Collection<Notice> = {
  name: 'pix-api.notices',
  ids: 'text',
  codec: notice,
  owner: null,
  conditions: { waiting: not(eq('dueAt', null)) },
  indexes: [
    { sort: 'dueAt', when: 'waiting', acrossOwners: true },
    { sort: 'expiresAt', acrossOwners: true },
  ],
}

const cursor = record({ id: t.string, until: t.string })

/** Until when the bank's list of what came in was gone through. */
export const cursors: Collection<t.TypeOf<typeof cursor>> = {
  name: 'pix-api.cursors',
  ids: 'text',
  codec: cursor,
  owner: null,
}

/** What the adapter keeps: a store is opened with these. */
export const pixApiCollections: readonly AnyCollection[] = [notices, cursors]

/** How long one is remembered that has ended: longer than a bank tells it again, or a sweep finds it again. */
const KEPT_SECONDS = 30 * 86_400

/** When a notice that ends now is forgotten. */
export const forgottenAt = (now: string): string => addSeconds(now, KEPT_SECONDS)

const UNFOUNDED = eq('outcome', 'unfounded')

/** Those of them that the bank did not know when it was asked: who tells of them again may know more. */
export const unfoundedOf = async (store: Store, endToEndIds: readonly string[]): Promise<readonly string[]> => {
  const where = all<'id' | 'outcome'>(isIn('id', endToEndIds), UNFOUNDED)
  const { records } = await store.list(listOf(notices, { where, limit: Math.max(1, endToEndIds.length) }))
  return records.map(({ id }) => id)
}

/** What keeps notices that are not known yet, to be asked of at once; those that were unfounded are asked of again. */
export const noticed = (
  endToEndIds: readonly string[],
  unfounded: readonly string[],
  { steady, trace = null }: Pick<Fresh, 'steady' | 'trace'>,
): readonly Change[] => {
  const asked = { outcome: null, dueAt: steady, attempts: 0, expiresAt: null, trace }
  return [
    ...[...new Set(endToEndIds)].map((id) => ensure(notices, { ...asked, id, createdAt: steady })),
    ...unfounded.map((id) => patch(notices, id, { set: asked, when: UNFOUNDED })),
  ]
}
