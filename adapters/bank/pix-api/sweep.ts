import { isLeft } from '../../../core/failure.ts'
import { always, type Change, insert, patch } from '../../../core/kernel/records/record.ts'
import type { JobRow, JobSlice } from '../../../core/kernel/running/jobs.ts'
import { addSeconds } from '../../../core/kernel/values/day.ts'
import type { BankNotifications } from '../../../core/ports/bank.ts'
import { byId, type Store } from '../../../core/ports/store.ts'
import { doneOf, endToEndIdIn, unreadablePix } from './answers.ts'
import type { PixApi } from './client.ts'
import { LIST, listReceivedPix } from './movements.ts'
import { cursors, endToEndIdsIn, listUnfounded, storeNotices } from './notices.ts'

const EVERY_SECONDS = 60
/** Each sweep begins this long before the end of the last one: the bank may list a Pix late. */
const OVERLAP_SECONDS = 900
/** The longest period of one request. */
const MAX_PERIOD_SECONDS = 86_400
const CURSOR = 'sweep'

/** A page of the list of a period. */
interface Position {
  readonly from: string
  readonly to: string
  readonly page: number
}

interface SweepPorts {
  readonly api: PixApi
  readonly store: Store
  readonly notifications: Pick<BankNotifications, 'unreadable'>
  /** Runs before each sweep. */
  readonly registerWebhook: () => Promise<void>
}

/** Lists the Pix received since the last sweep, page by page, and stores notices of those that the webhook missed. */
export const sweepJob = (ports: SweepPorts): JobRow => ({
  name: 'sweep-pix-api',
  schedule: { everySeconds: EVERY_SECONDS },
  run: async ({ steady, cursor }) => {
    if (cursor === null) await ports.registerWebhook()
    const position = cursor === null ? await begin(ports.store, steady) : (JSON.parse(cursor) as Position)
    return position && sweepPage(ports, position, steady)
  },
})

/** Returns the first page of a sweep; null for the first sweep ever, which only stores where the next one begins. */
const begin = async (store: Store, steady: string): Promise<Position | null> => {
  const cursor = await store.find(byId(cursors, CURSOR))
  if (cursor) return nextPeriod(cursor.until, steady)
  await store.commit([insert(cursors, { id: CURSOR, until: steady })])
  return null
}

const nextPeriod = (until: string, steady: string): Position => {
  const from = addSeconds(until, -OVERLAP_SECONDS)
  const last = addSeconds(from, MAX_PERIOD_SECONDS)
  return { from, to: last < steady ? last : steady, page: 0 }
}

/**
 * Stores the notices of a page, and returns the next position. If the page is not received, or its unreadable records
 * cannot be reported, the next sweep requests it again.
 */
const sweepPage = async (
  { api, store, notifications }: SweepPorts,
  { from, to, page }: Position,
  steady: JobSlice['steady'],
) => {
  const listed = await listReceivedPix(api, { from, to, page })
  if (listed.outcome === 'unknown' && listed.unreadable) await notifications.unreadable(listed.unreadable)()
  if (listed.outcome !== 'done') return null
  const { pages, items } = listed.value
  const endToEndIds = endToEndIdsIn(items)
  // Records without an id cannot be requested by it.
  for (const item of items.filter(({ endToEndId }) => endToEndIdIn(endToEndId) === null))
    if (isLeft(await notifications.unreadable(unreadablePix(item, LIST, api.pixKey))())) return null
  const isLast = page + 1 >= pages
  const moved: readonly Change[] = isLast ? [patch(cursors, CURSOR, { max: { until: to }, when: always })] : []
  const changes = [...storeNotices(endToEndIds, await listUnfounded(store, endToEndIds), { steady }), ...moved]
  // A conflict with another process: the next sweep lists the page again.
  if (changes.length > 0 && !(await store.commit(changes)).ok) return null
  if (!isLast) return JSON.stringify({ from, to, page: page + 1 })
  return to < steady ? JSON.stringify(nextPeriod(to, steady)) : null
}

/** The registration of the webhook at the bank. */
export interface PixApiWebhook {
  /** Registers the webhook, once. */
  register(): Promise<void>
}

/** For a platform that the bank cannot reach: only the sweep finds payments. */
export const noWebhook: PixApiWebhook = { register: async () => {} }

/**
 * The webhook of the account's key, at `url`, to which the bank appends `/pix`. If the bank rejects it, one warning is
 * logged, and each sweep tries again.
 */
export const pixApiWebhook = (api: PixApi, url: string, warn: (line: string) => void): PixApiWebhook => {
  let state: 'new' | 'warned' | 'registered' = 'new'
  return {
    async register() {
      if (state === 'registered') return
      const path = `/webhook/${encodeURIComponent(api.pixKey)}`
      const answer = doneOf(await api.request('PUT', path, { webhookUrl: url }))
      if (answer.outcome !== 'done' && state === 'new') {
        const why = answer.outcome === 'refused' ? answer.reason : answer.outcome
        warn(`the bank rejected the webhook (${why}): until it accepts it, only the sweep finds payments`)
      }
      state = answer.outcome === 'done' ? 'registered' : 'warned'
    },
  }
}
