import { isLeft } from '../../../core/fp.ts'
import { type Change, insert, patch } from '../../../core/kernel/records/change.ts'
import { always } from '../../../core/kernel/records/where.ts'
import type { JobRow, JobSlice } from '../../../core/kernel/running/jobs.ts'
import { addSeconds } from '../../../core/kernel/values/day.ts'
import type { BankNotifications } from '../../../core/ports/bank.ts'
import { byId, type Store } from '../../../core/ports/store.ts'
import { answerOf, doneOf, endToEndIdIn, pixPageIn, unreadablePix } from './answers.ts'
import type { PixApi } from './client.ts'
import { cursors, endToEndIdsIn, listUnfounded, storeNotices } from './notices.ts'

const EVERY_SECONDS = 60
/** What the bank lists late is found again: as far as this before where the last sweep ended. */
const OVERLAP_SECONDS = 900
/** No bank is asked for more of its list at once. */
const MAX_PERIOD_SECONDS = 86_400
const ITEMS_A_PAGE = 100
const CURSOR = 'sweep'

/** A page of the bank's list, of what came in from a moment to another. */
interface Position {
  readonly from: string
  readonly to: string
  readonly page: number
}

/** What a sweep works with. */
interface SweepPorts {
  readonly api: PixApi
  readonly store: Store
  readonly notifications: Pick<BankNotifications, 'unreadable'>
  /** Runs before each sweep. */
  readonly before: () => Promise<void>
}

/** Lists the Pix received since the last sweep, page by page: those that no webhook told of become notices now. */
export const sweepJob = (sweeping: SweepPorts): JobRow => ({
  name: 'sweep-pix-api',
  schedule: { everySeconds: EVERY_SECONDS },
  run: async ({ steady, cursor: place }) => {
    if (place === null) await sweeping.before()
    const at = place === null ? await begin(sweeping.store, steady) : (JSON.parse(place) as Position)
    return at && sweepPage(sweeping, at, steady)
  },
})

/** Where the next sweep begins; null for the first of all, which only says from when on it is swept. */
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
 * Stores the notices of a page, and returns where the sweep continues. A page that does not come, or whose unreadable records
 * cannot be reported now, is requested again by the next sweep.
 */
const sweepPage = async (
  { api, store, notifications }: SweepPorts,
  { from, to, page }: Position,
  steady: JobSlice['steady'],
) => {
  const asked = new URLSearchParams({
    inicio: from,
    fim: to,
    'paginacao.paginaAtual': `${page}`,
    'paginacao.itensPorPagina': `${ITEMS_A_PAGE}`,
  })
  const unreadablePage = () => unreadablePix({}, 'GET /pix', api.pixKey)
  const listed = answerOf(await api.request('GET', `/pix?${asked}`), pixPageIn, unreadablePage)
  if (listed.outcome === 'unknown' && listed.unreadable) await notifications.unreadable(listed.unreadable)()
  if (listed.outcome !== 'done') return null
  const { pages, items } = listed.value
  const endToEndIds = endToEndIdsIn(items)
  // Without an id the bank cannot be asked for them.
  for (const told of items.filter(({ endToEndId }) => endToEndIdIn(endToEndId) === null))
    if (isLeft(await notifications.unreadable(unreadablePix(told, 'GET /pix', api.pixKey))())) return null
  const isLast = page + 1 >= pages
  const moved: readonly Change[] = isLast ? [patch(cursors, CURSOR, { max: { until: to }, when: always })] : []
  const changes = [...storeNotices(endToEndIds, await listUnfounded(store, endToEndIds), { steady }), ...moved]
  // Another process stored one of them at the same moment: the next sweep finds the page again.
  if (changes.length > 0 && !(await store.commit(changes)).ok) return null
  if (!isLast) return JSON.stringify({ from, to, page: page + 1 })
  return to < steady ? JSON.stringify(nextPeriod(to, steady)) : null
}

/** Where a bank is to tell of payments, and whether it knows. */
export interface PixApiWebhook {
  /** Has the bank tell of payments from now on; nothing where it does so already. */
  register(): Promise<void>
}

/** What is registered where there is no address that a bank can call: the sweep alone finds payments. */
export const noWebhook: PixApiWebhook = { register: async () => {} }

/**
 * The webhook of the account's key, at `url`, to which the bank adds `/pix`. One that the bank does not take is told once, and
 * asked for again by the next sweep.
 */
export const pixApiWebhook = (api: PixApi, url: string, warn: (line: string) => void): PixApiWebhook => {
  let state: 'new' | 'told' | 'registered' = 'new'
  return {
    async register() {
      if (state === 'registered') return
      const path = `/webhook/${encodeURIComponent(api.pixKey)}`
      const answer = doneOf(await api.request('PUT', path, { webhookUrl: url }))
      if (answer.outcome !== 'done' && state === 'new') {
        const why = answer.outcome === 'refused' ? answer.reason : answer.outcome
        warn(`the bank does not take the webhook (${why}): payments are found by the sweep until it does`)
      }
      state = answer.outcome === 'done' ? 'registered' : 'told'
    },
  }
}
