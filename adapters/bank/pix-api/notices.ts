import { isLeft, right, t } from '../../../core/fp.ts'
import { type Change, ensure, patch } from '../../../core/kernel/records/change.ts'
import type { AnyCollection, Collection } from '../../../core/kernel/records/collection.ts'
import { orNull, record, word } from '../../../core/kernel/records/record.ts'
import { all, eq, isIn, not } from '../../../core/kernel/records/where.ts'
import type { Fresh } from '../../../core/kernel/running/fresh.ts'
import {
  accept,
  decideAndCommit,
  type RunnerCode,
  type Runtime,
  type UseCase,
} from '../../../core/kernel/running/use-case.ts'
import { addSeconds } from '../../../core/kernel/values/day.ts'
import type { BankNotifications } from '../../../core/ports/bank.ts'
import { listOf, type Store } from '../../../core/ports/store.ts'
import {
  answerOf,
  endToEndIdIn,
  idIn,
  isNotFound,
  isOtherKey,
  listIn,
  objectIn,
  type PixRecord,
  pixIn,
  unreadablePix,
} from './answers.ts'
import type { PixApi } from './client.ts'

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
const RETENTION_SECONDS = 30 * 86_400

/** When a notice that ends now is forgotten. */
export const expiryFrom = (now: string): string => addSeconds(now, RETENTION_SECONDS)

const UNFOUNDED = eq('outcome', 'unfounded')

/** Those of them that the bank did not know when it was asked: who tells of them again may know more. */
export const listUnfounded = async (store: Store, endToEndIds: readonly string[]): Promise<readonly string[]> => {
  const where = all<'id' | 'outcome'>(isIn('id', endToEndIds), UNFOUNDED)
  const { records } = await store.list(listOf(notices, { where, limit: Math.max(1, endToEndIds.length) }))
  return records.map(({ id }) => id)
}

/** What keeps notices that are not known yet, to be asked of at once; those that were unfounded are asked of again. */
export const storeNotices = (
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

/** How many notices one commit keeps. */
const AT_ONCE = 500

/** The ids of the payments that a webhook of the bank tells of: what else it says is asked, not believed. */
export const endToEndIdsIn = (pix: unknown): readonly string[] =>
  listIn(pix)
    .map((each) => endToEndIdIn(objectIn(each).endToEndId))
    .filter((id) => id !== null)

/** Keeps what a webhook of the bank tells of: the worker asks the bank. It answers once it is kept. */
export const pixApiWebhookEndpoint =
  (runtime: Runtime) =>
  (endToEndIds: readonly string[]): UseCase<null, RunnerCode> =>
  async () => {
    for (let from = 0; from < endToEndIds.length; from += AT_ONCE) {
      const ids = endToEndIds.slice(from, from + AT_ONCE)
      const kept = await decideAndCommit(
        runtime,
        (store) => listUnfounded(store, ids),
        (unfounded, fresh) => accept(null, ...storeNotices(ids, unfounded, fresh)),
      )
      if (isLeft(kept)) return kept
    }
    return right(null)
  }

/** What becomes of a notice; null where it is to be asked again. */
export type NoticeOutcome = Notice['outcome']

/** A bank may tell of a payment a little before it knows of it itself. */
const MAX_UNKNOWN_ATTEMPTS = 8

/**
 * Requests a payment from the bank by the id that was told, and notifies the platform of the bank's answer: nothing else is
 * believed. An answer that cannot be read is reported, and requested again.
 */
export const checkNotice = async (
  api: PixApi,
  notifications: Pick<BankNotifications, 'paid' | 'received' | 'unreadable'>,
  { id, attempts }: Pick<Notice, 'id' | 'attempts'>,
): Promise<NoticeOutcome> => {
  const reply = await api.request('GET', `/pix/${id}`)
  if (isNotFound(reply)) return attempts < MAX_UNKNOWN_ATTEMPTS ? null : 'unfounded'
  const known = answerOf(
    reply,
    (body) => {
      const pix = pixIn(objectIn(body))
      return pix?.endToEndId === id || isOtherKey(idIn(body.chave), api.pixKey) ? { pix } : null
    },
    (body) => ({ ...unreadablePix(body, id, api.pixKey), id }),
  )
  if (known.outcome === 'unknown' && known.unreadable) await notifications.unreadable(known.unreadable)()
  if (known.outcome !== 'done') return null
  const { pix } = known.value
  return pix === null || isOtherKey(pix.pixKey, api.pixKey) ? 'foreign' : notify(notifications, pix, api.pixKey)
}

/** Money for a charge is the charge's; any other is the account's. */
const notify = async (
  { paid, received }: Pick<BankNotifications, 'paid' | 'received'>,
  { txid, pixKey: _, ...payment }: PixRecord,
  pixKey: string,
): Promise<NoticeOutcome> => {
  if (txid !== null) {
    const told = await paid({ ...payment, txid, method: 'pix' })()
    if (!isLeft(told)) return 'taken'
    if (told.left.code !== 'title.unknown') return told.left.tag === 'unavailable' ? null : 'refused'
  }
  const told = await received({ ...payment, txid, pixKey })()
  if (!isLeft(told)) return 'taken'
  // It waits for the account that is to have the key: no money is lost for having come first.
  return told.left.tag === 'unavailable' || told.left.code === 'account.unknown' ? null : 'refused'
}
