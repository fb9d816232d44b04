import { conjuncts } from '../../core/kernel/planner/access-paths.ts'
import { FIRST_PAGE, SCAN_IDS, scanRecords } from '../../core/kernel/planner/scan.ts'
import { fillMissingFields } from '../../core/kernel/records/missing-fields.ts'
import type { AnyCollection, Rec, Where } from '../../core/kernel/records/record.ts'
import type { GroupRow } from '../../core/kernel/records/tally.ts'
import type { Group, Listed, Query } from '../../core/ports/store.ts'
import type { QueryCache } from './cache.ts'
import { type Connection, type Row, retryWhileBusy } from './connection.ts'
import { execute, isLongPage, type RawPage, type RawResult } from './execute.ts'
import { ALWAYS_LONG, ownerIn, type Plan, pagePlan, planOf } from './plan.ts'
import type { ReaderPool } from './reader/reader-pool.ts'
import { conditionSql, type Shape, tableWith } from './schema.ts'
import { bindValues, fromSql } from './sql.ts'

/** Runs queries in this thread, or in a reader thread if they may take long. */
interface QueryRunner {
  /** Runs queries as of one instant. */
  runAll(queries: readonly Query[]): Promise<readonly unknown[]>
  /** Runs a plan and returns the raw result. */
  run(plan: Plan): Promise<RawResult | undefined>
}

interface Parts {
  readonly connection: Connection
  readonly readers: ReaderPool
  readonly cache: QueryCache
  readonly busyWaitMs: number
  readonly shapeFor: (collection: string) => Shape
}

/** Then the event loop continues, because commits are written at the end of a turn. */
const READS_A_TURN = 64

export const queryRunner = ({ connection, readers, cache, busyWaitMs, shapeFor }: Parts): QueryRunner => {
  let reads = 0
  const isLong = (plan: Plan): boolean => {
    const { longProbe } = plan
    if (longProbe !== null) return connection.get(longProbe.text, ...longProbe.values) !== undefined
    return plan.kind === 'page' && isLongPage(connection, plan)
  }
  /** Returns null if a reader thread must run them. */
  const runHere = (plans: readonly Plan[]): readonly RawResult[] | null =>
    plans.some(isLong) ? null : plans.map((plan) => execute(connection, plan))
  const inTurn = async <T>(work: () => T): Promise<T> => {
    reads += 1
    if (reads % READS_A_TURN === 0) await new Promise((resolve) => setImmediate(resolve))
    return retryWhileBusy(() => connection.snapshot(work), busyWaitMs)
  }

  return {
    async runAll(queries) {
      const all = queries.map((query) => ({ query, shape: shapeFor(query.from.name) }))
      const results = await inTurn(() => {
        const cached = queries.map(cache.get)
        const uncached = all.filter((_, at) => cached[at] === undefined)
        const plans = uncached.map(({ shape, query }) => planOf(shape, query))
        const raws = runHere(plans)
        if (!raws) return null
        const found = uncached.map(({ shape, query }, at) => {
          const result = resultOf(shape.collection, query, raws[at])
          cache.put(query, result, charsOf(raws[at]))
          return result
        })
        return cached.map((result) => (result === undefined ? found.shift() : result))
      })
      if (results) return results
      const raws = await readers.run(all.map(({ shape, query }) => planOf(shape, query)))
      return all.map(({ shape, query }, at) => resultOf(shape.collection, query, raws[at]))
    },
    async run(plan) {
      const raws = await inTurn(() => runHere([plan]))
      return (raws ?? (await readers.run([plan])))[0]
    },
  }
}

/** A row of a group has a few scalar values. */
const CHARS_OF_A_ROW = 100

const resultOf = (collection: AnyCollection, query: Query, raw: RawResult | undefined): unknown => {
  if (raw?.kind === 'page') return pageOf(collection, raw)
  if (raw?.kind === 'rows' && query.kind === 'group') return groupRows(query, raw.rows)
  return raw?.kind === 'doc' && raw.doc !== null ? fillMissingFields(collection)(JSON.parse(raw.doc)) : null
}

const pageOf = (collection: AnyCollection, { docs, isBackward, total }: RawPage): Listed<Rec> => {
  const stored: Rec[] = docs === null ? [] : JSON.parse(docs)
  const records = stored.map(fillMissingFields(collection))
  return { records: isBackward ? records.reverse() : records, total }
}

const groupRows = ({ by, sum }: Group<Rec>, rows: readonly Row[]): GroupRow[] =>
  rows.map((row) => ({
    by: Object.fromEntries(by.map((field, index) => [field, fromSql(row[`b${index}`])])),
    count: Number(row.n),
    sums: Object.fromEntries(sum.map((field, index) => [field, Number(row[`s${index}`])])),
  }))

const charsOf = (raw: RawResult | undefined): number => {
  if (raw?.kind === 'doc') return raw.doc?.length ?? 0
  if (raw?.kind === 'page') return raw.docs?.length ?? 0
  return (raw?.rows.length ?? 0) * CHARS_OF_A_ROW
}

type RunPlan = (plan: Plan) => Promise<RawResult | undefined>

/** Yields all matching records by id, without an open transaction between the pages. */
export const scan = (shape: Shape, where: Where, run: RunPlan): AsyncIterable<Rec> =>
  scanRecords(shape, where, {
    async records(some, limit) {
      const plan = pagePlan(shape, { kind: 'list', from: shape.collection, where: some, limit })
      const raw = await run({ ...plan, longProbe: plan.longProbe ?? (limit === FIRST_PAGE ? null : ALWAYS_LONG) })
      return raw?.kind === 'page' ? pageOf(shape.collection, raw).records : []
    },
    async ids(some, index) {
      const sql = bindValues((bind) => {
        const found = `SELECT id FROM ${tableWith(shape, index)} WHERE ${conditionSql(shape, some, undefined, bind)}`
        return `SELECT json_group_array(id) AS ids FROM (${found} ORDER BY id LIMIT ${SCAN_IDS})`
      })
      const raw = await run({ kind: 'rows', sql, longProbe: ALWAYS_LONG, owner: ownerIn(shape, conjuncts(some)) })
      return raw?.kind === 'rows' ? JSON.parse(String(raw.rows[0]?.ids ?? '[]')) : []
    },
  })
