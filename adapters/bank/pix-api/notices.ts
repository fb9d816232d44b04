import { isLeft, right } from '../../../core/failure.ts'
import {
  type AnyCollection,
  all,
  type Change,
  type Collection,
  ensure,
  eq,
  isIn,
  orNull,
  patch,
  record,
  t,
  word,
} from '../../../core/kernel/records/record.ts'
import { queueConditions, queueIndex } from '../../../core/kernel/running/queue.ts'
import {
  accept,
  decideAndCommit,
  type Fresh,
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
  /** The end-to-end id of the payment. */
  id: t.string,
  /** Null until the check ended. `unfounded`: unknown to the bank; `foreign`: paid to another key. */
  outcome: orNull(word('taken', 'refused', 'unfounded', 'foreign')),
  /** The next check; null once it ended. */
  dueAt: orNull(t.string),
  attempts: t.number,
  createdAt: t.string,
  /** When the record is deleted; null until the check ended. */
  expiresAt: orNull(t.string),
  /** The span that its check continues; null without tracing. */
  trace: orNull(t.string),
})

/** A notice of a received Pix. Only its id is trusted, to request the payment from the bank. */
export type Notice = t.TypeOf<typeof notice>

export const notices: Collection<Notice> = {
  name: 'pix-api.notices',
  ids: 'text',
  codec: notice,
  owner: null,
  conditions: queueConditions,
  indexes: [queueIndex(), { sort: 'expiresAt', acrossOwners: true }],
}

const cursor = record({ id: t.string, until: t.string })

/** The end of the last sweep. */
export const cursors: Collection<t.TypeOf<typeof cursor>> = {
  name: 'pix-api.cursors',
  ids: 'text',
  codec: cursor,
  owner: null,
}

/** The collections of the adapter, which a store is opened with. */
export const pixApiCollections: readonly AnyCollection[] = [notices, cursors]

/** Longer than a bank repeats a notice, or a sweep finds it again. */
const RETENTION_SECONDS = 30 * 86_400

export const expiryFrom = (now: string): string => addSeconds(now, RETENTION_SECONDS)

const UNFOUNDED = eq('outcome', 'unfounded')

/** Lists the notices of payments that the bank did not know: a repeated notice reopens them. */
export const listUnfounded = async (store: Store, endToEndIds: readonly string[]): Promise<readonly string[]> => {
  const where = all<'id' | 'outcome'>(isIn('id', endToEndIds), UNFOUNDED)
  const { records } = await store.list(listOf(notices, { where, limit: Math.max(1, endToEndIds.length) }))
  return records.map(({ id }) => id)
}

/** The changes that store new notices and reopen unfounded ones, all due now. */
export const storeNotices = (
  endToEndIds: readonly string[],
  unfounded: readonly string[],
  { steady, trace = null }: Pick<Fresh, 'steady' | 'trace'>,
): readonly Change[] => {
  const due = { outcome: null, dueAt: steady, attempts: 0, expiresAt: null, trace }
  return [
    ...[...new Set(endToEndIds)].map((id) => ensure(notices, { ...due, id, createdAt: steady })),
    ...unfounded.map((id) => patch(notices, id, { set: due, when: UNFOUNDED })),
  ]
}

/** The most notices of one commit. */
const BATCH_SIZE = 500

/** Reads the end-to-end ids of a webhook's body. */
export const endToEndIdsIn = (pix: unknown): readonly string[] =>
  listIn(pix)
    .map((item) => endToEndIdIn(objectIn(item).endToEndId))
    .filter((id) => id !== null)

/** Stores the notices of a webhook call, which the worker checks with the bank. */
export const pixApiWebhookEndpoint =
  (runtime: Runtime) =>
  (endToEndIds: readonly string[]): UseCase<null, RunnerCode> =>
  async () => {
    for (let from = 0; from < endToEndIds.length; from += BATCH_SIZE) {
      const ids = endToEndIds.slice(from, from + BATCH_SIZE)
      const stored = await decideAndCommit(
        runtime,
        (store) => listUnfounded(store, ids),
        (unfounded, fresh) => accept(null, ...storeNotices(ids, unfounded, fresh)),
      )
      if (isLeft(stored)) return stored
    }
    return right(null)
  }

/** The outcome of a check; null if it is to be repeated. */
export type NoticeOutcome = Notice['outcome']

/** A bank may send a notice shortly before it can return the payment. */
const MAX_UNKNOWN_ATTEMPTS = 8

/**
 * Requests the payment of a notice from the bank, and notifies the platform of it. An unreadable answer is reported,
 * and requested again.
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

/** A Pix that pays no known charge is credited to the account of the key. */
const notify = async (
  { paid, received }: Pick<BankNotifications, 'paid' | 'received'>,
  { txid, pixKey: _, ...payment }: PixRecord,
  pixKey: string,
): Promise<NoticeOutcome> => {
  if (txid !== null) {
    const result = await paid({ ...payment, txid, method: 'pix' })()
    if (!isLeft(result)) return 'taken'
    if (result.left.code !== 'title.unknown') return result.left.tag === 'unavailable' ? null : 'refused'
  }
  const result = await received({ ...payment, txid, pixKey })()
  if (!isLeft(result)) return 'taken'
  // The payment may arrive before the account of its key exists.
  return result.left.tag === 'unavailable' || result.left.code === 'account.unknown' ? null : 'refused'
}
