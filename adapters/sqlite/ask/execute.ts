import type { Connection } from '../file/connection.ts'
import type { Row } from '../file/driver.ts'
import type { Sql } from '../tables/sql.ts'
import { dayPage } from './day-walk.ts'
import { cheapestPath, numberIn } from './paths.ts'
import type { PagePath, PagePlan, Plan } from './plan-kinds.ts'
import { WALK_HERE } from './walks.ts'

/** What a plan gave, still as text: cheap to send between threads. */
export type Raw = RawDoc | RawPage | RawRows

export interface RawDoc {
  readonly kind: 'doc'
  readonly doc: string | null
}

export interface RawPage {
  readonly kind: 'page'
  /** A JSON list, null for an empty page. */
  readonly docs: string | null
  readonly isBackward: boolean
  readonly total: number | null
}

export interface RawRows {
  readonly kind: 'rows'
  readonly rows: readonly Row[]
}

/** Answers one plan; several statements, so the caller holds a snapshot where the instant matters. */
export const execute = (connection: Connection, plan: Plan): Raw => {
  if (plan.kind === 'page') return page(connection, plan)
  if (plan.kind === 'rows') return { kind: 'rows', rows: all(connection, plan.sql) }
  const doc = get(connection, plan.sql)?.doc
  return { kind: 'doc', doc: typeof doc === 'string' ? doc : null }
}

const get = (connection: Connection, { text, values }: Sql, ...more: readonly number[]): Row | undefined =>
  connection.get(text, ...values, ...more)

const all = (connection: Connection, { text, values }: Sql): Row[] => connection.all(text, ...values)

/** From this offset on it is asked which end is nearer. */
const FAR = 200

/** Where a page is found, or null where there is none. */
interface Place {
  readonly path: PagePath
  readonly isForward: boolean
  readonly size: number
  readonly offset: number
}

/** The way that a page is read now, by what tallies and counting tell of it; and its total where they tell it too. */
export const placeOf = (
  connection: Connection,
  plan: PagePlan,
): { readonly place: Place | null; readonly total: number | null } => {
  const { paths, limit, offset, tally, byDay } = plan
  const isDeep = offset >= FAR
  const isOpen = isDeep || paths.length > 1
  const total = tally && isOpen ? numberIn(connection, tally) : null
  if (total !== null && offset >= total) return { place: null, total }
  const isForward = !(isDeep && total !== null && offset > total / 2)
  const size = total === null ? limit : Math.min(limit, total - offset)
  const skipped = isForward || total === null ? offset : total - offset - size
  // Few are sooner sorted than looked for among all of the days, which are walked through in this thread.
  const isMany = total !== null && total > WALK_HERE
  const days = byDay && isMany ? dayPage(connection, byDay, isForward, { offset: skipped, limit: size }) : null
  const page = { matches: days ? null : total, upTo: skipped + size }
  const path = cheapestPath(connection, days?.paths ?? paths, { page })
  return { place: path && { path, isForward, size, offset: days?.offset ?? skipped }, total }
}

const page = (connection: Connection, plan: PagePlan): RawPage => {
  const { paths, limit, offset, wantsTotal, tally } = plan
  const { place, total } = placeOf(connection, plan)
  if (!place) return { kind: 'page', docs: null, isBackward: false, total: wantsTotal ? total : null }
  const { path, isForward, size } = place
  const found = get(connection, isForward ? path.forward : path.backward, size, place.offset)
  const there = Number(found?.n)
  // A page that ends early tells the total by itself.
  const known = total ?? (there < limit && (there > 0 || offset === 0) ? offset + there : null)
  const count = (): number =>
    numberIn(connection, tally ?? (cheapestPath(connection, paths, { page: null }) ?? path).total)
  const told = wantsTotal ? (known ?? count()) : null
  return { kind: 'page', docs: textOf(found), isBackward: !isForward, total: told }
}

const textOf = (row: Row | undefined): string | null => (typeof row?.docs === 'string' ? row.docs : null)
