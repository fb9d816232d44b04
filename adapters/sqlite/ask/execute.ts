import type { Connection } from '../file/connection.ts'
import type { Row } from '../file/driver.ts'
import type { Sql } from '../tables/sql.ts'
import { cheapestPath, numberIn } from './paths.ts'
import type { PagePath, PagePlan, Plan } from './plan-kinds.ts'

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

const page = (connection: Connection, plan: PagePlan): RawPage => {
  const { limit, offset, wantsTotal, tally } = plan
  const path = cheapestPath(connection, plan, { isPage: true })
  if (!path) throw new Error('a page without a path')
  const count = (): number =>
    numberIn(connection, tally ?? (cheapestPath(connection, plan, { isPage: false }) ?? path).total)
  const total = tally && offset >= FAR ? count() : null
  if (total !== null && offset > total / 2) return fromFarEnd(connection, plan, path, total)
  const found = get(connection, path.forward, limit, offset)
  const there = Number(found?.n)
  // A page that ends early tells the total by itself.
  const known = there < limit && (there > 0 || offset === 0) ? offset + there : total
  return { kind: 'page', docs: textOf(found), isBackward: false, total: wantsTotal ? (known ?? count()) : null }
}

const fromFarEnd = (connection: Connection, plan: PagePlan, { backward }: PagePath, total: number): RawPage => {
  const { limit, offset, wantsTotal } = plan
  const behind = Math.max(0, total - offset - limit)
  const size = Math.min(limit, Math.max(0, total - offset))
  const docs = size === 0 ? null : textOf(get(connection, backward, size, behind))
  return { kind: 'page', docs, isBackward: true, total: wantsTotal ? total : null }
}

const textOf = (row: Row | undefined): string | null => (typeof row?.docs === 'string' ? row.docs : null)
