import { type Change, insert, patch } from '../../../../core/kernel/records/change.ts'
import { always } from '../../../../core/kernel/records/where.ts'
import type { JobRow, JobSlice } from '../../../../core/kernel/running/job.ts'
import { plusSeconds } from '../../../../core/kernel/values/day.ts'
import { byId, type Store } from '../../../../core/ports/store.ts'
import { type Told, toldIn } from '../client/json.ts'
import type { PixApi } from '../client/pix-api.ts'
import { answerOf } from '../client/reply.ts'
import { endToEndIdsIn } from './inlet.ts'
import { cursors, noticed, unfoundedOf } from './notices.ts'

const EVERY_SECONDS = 60
/** What the bank lists late is found again: as far as this before where the last sweep ended. */
const OVERLAP_SECONDS = 900
/** No bank is asked for more of its list at once. */
const LONGEST_SECONDS = 86_400
const ITEMS_A_PAGE = 100
const CURSOR = 'sweep'

/** A page of the bank's list, of what came in from a moment to another. */
interface Place {
  readonly from: string
  readonly to: string
  readonly page: number
}

/** Goes through what came in since the last time, page by page: what no webhook told of is told now. */
export const sweepJob = (api: PixApi, store: Store, before: () => Promise<void> = async () => {}): JobRow => ({
  name: 'sweep-pix-api',
  schedule: { everySeconds: EVERY_SECONDS },
  run: async ({ steady, place }) => {
    if (place === null) await before()
    const at = place === null ? await begin(store, steady) : (JSON.parse(place) as Place)
    return at && sweepPage(api, store, at, steady)
  },
})

/** Where the next sweep begins; null for the first of all, which only says from when on it is swept. */
const begin = async (store: Store, steady: string): Promise<Place | null> => {
  const cursor = await store.find(byId(cursors, CURSOR))
  if (cursor) return stretchAfter(cursor.until, steady)
  await store.commit([insert(cursors, { id: CURSOR, until: steady })])
  return null
}

const stretchAfter = (until: string, steady: string): Place => {
  const from = plusSeconds(until, -OVERLAP_SECONDS)
  const last = plusSeconds(from, LONGEST_SECONDS)
  return { from, to: last < steady ? last : steady, page: 0 }
}

/** Keeps what a page tells of, and says where to go on. A page that does not come is asked for again by the next sweep. */
const sweepPage = async (api: PixApi, store: Store, { from, to, page }: Place, steady: JobSlice['steady']) => {
  const asked = new URLSearchParams({
    inicio: from,
    fim: to,
    'paginacao.paginaAtual': `${page}`,
    'paginacao.itensPorPagina': `${ITEMS_A_PAGE}`,
  })
  const listed = answerOf(await api.ask('GET', `/pix?${asked}`), pageIn)
  if (listed.outcome !== 'done') return null
  const { pages, endToEndIds } = listed.value
  const isLast = page + 1 >= pages
  const moved: readonly Change[] = isLast ? [patch(cursors, CURSOR, { max: { until: to }, when: always })] : []
  const changes = [...noticed(endToEndIds, await unfoundedOf(store, endToEndIds), steady), ...moved]
  // Somebody else told of one of them at the same moment: the next sweep finds the page again.
  if (changes.length > 0 && !(await store.commit(changes)).ok) return null
  if (!isLast) return JSON.stringify({ from, to, page: page + 1 })
  return to < steady ? JSON.stringify(stretchAfter(to, steady)) : null
}

const pageIn = ({ parametros, pix }: Told) => {
  const { quantidadeDePaginas } = toldIn(toldIn(parametros).paginacao)
  const pages = Number(quantidadeDePaginas)
  return Number.isInteger(pages) ? { pages, endToEndIds: endToEndIdsIn(pix) } : null
}
