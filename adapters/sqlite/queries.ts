import { chooseIndex, conjuncts, isIdCondition } from '../../core/kernel/planner/access-paths.ts'
import type { AnyCollection } from '../../core/kernel/records/collection.ts'
import { fillMissingFields } from '../../core/kernel/records/missing-fields.ts'
import type { Id, Rec } from '../../core/kernel/records/record.ts'
import type { GroupRow } from '../../core/kernel/records/tally.ts'
import type { Where } from '../../core/kernel/records/where.ts'
import type { Group, Listed, Query } from '../../core/ports/store.ts'
import type { QueryCache } from './cache.ts'
import { type Connection, type Row, retryWhileBusy } from './connection.ts'
import { execute, isLongPage, type RawPage, type RawResult } from './execute.ts'
import { ALWAYS_LONG, ownerIn, type Plan, pagePlan, planOf } from './plan.ts'
import type { ReaderPool } from './reader/reader-pool.ts'
import { assertFilled, conditionSql, type IndexShape, type Shape, tableWith } from './schema.ts'
import { bindValues, fromSql } from './sql.ts'

/** Answers what is asked, all at one instant. */
export interface QueryRunner {
  runAll(asks: readonly Query[]): Promise<readonly unknown[]>
  /** What a plan gives, which is no ask's. */
  run(plan: Plan): Promise<RawResult | undefined>
}

interface Parts {
  readonly connection: Connection
  readonly readers: ReaderPool
  readonly cache: QueryCache
  readonly busyWaitMs: number
  readonly shapeFor: (collection: string) => Shape
}

/** Reads answer at once, so a caller who reads in a loop would never let the turn end in which commits are written. */
const READS_A_TURN = 64

/** What is surely short is answered in this thread, the rest by a reader thread. */
export const queryRunner = ({ connection, readers, cache, busyWaitMs, shapeFor }: Parts): QueryRunner => {
  let reads = 0
  const isLong = (plan: Plan): boolean => {
    const { longProbe: walk } = plan
    if (walk !== null) return connection.get(walk.text, ...walk.values) !== undefined
    return plan.kind === 'page' && isLongPage(connection, plan)
  }
  /** Null where a thread is to answer. */
  const here = (plans: readonly Plan[]): readonly RawResult[] | null =>
    plans.some(isLong) ? null : plans.map((plan) => execute(connection, plan))
  const inTurn = async <T>(work: () => T): Promise<T> => {
    reads += 1
    if (reads % READS_A_TURN === 0) await new Promise((resolve) => setImmediate(resolve))
    return retryWhileBusy(() => connection.snapshot(work), busyWaitMs)
  }

  return {
    async runAll(asks) {
      const asked = asks.map((ask) => ({ ask, shape: shapeFor(ask.from.name) }))
      const answered = await inTurn(() => {
        const known = asks.map(cache.get)
        const wanted = asked.filter((_, at) => known[at] === undefined)
        const plans = wanted.map(({ shape, ask }) => planOf(shape, ask))
        const raws = here(plans)
        if (!raws) return null
        const found = wanted.map(({ shape, ask }, at) => {
          const answer = resultOf(shape.collection, ask, raws[at])
          cache.put(ask, answer, charsOf(raws[at]))
          return answer
        })
        return known.map((answer) => (answer === undefined ? found.shift() : answer))
      })
      if (answered) return answered
      const raws = await readers.run(asked.map(({ shape, ask }) => planOf(shape, ask)))
      return asked.map(({ shape, ask }, at) => resultOf(shape.collection, ask, raws[at]))
    },
    async run(plan) {
      const raws = await inTurn(() => here([plan]))
      return (raws ?? (await readers.run([plan])))[0]
    },
  }
}

/** Rows are values, a few each. */
const CHARS_OF_A_ROW = 100

/** What a plan gave, as the ask that it was made of wants it. */
export const resultOf = (collection: AnyCollection, ask: Query, raw: RawResult | undefined): unknown => {
  if (raw?.kind === 'page') return pageOf(collection, raw)
  if (raw?.kind === 'rows' && ask.kind === 'group') return groupRows(ask, raw.rows)
  return raw?.kind === 'doc' && raw.doc !== null ? fillMissingFields(collection)(JSON.parse(raw.doc)) : null
}

export const pageOf = (collection: AnyCollection, { docs, isBackward, total }: RawPage): Listed<Rec> => {
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

/** How long the text of an answer is. */
export const charsOf = (raw: RawResult | undefined): number => {
  if (raw?.kind === 'doc') return raw.doc?.length ?? 0
  if (raw?.kind === 'page') return raw.docs?.length ?? 0
  return (raw?.rows.length ?? 0) * CHARS_OF_A_ROW
}

/** Records that a scan reads at once; fewer at first, since many a caller leaves early. */
const FIRST_PAGE = 100
const NEXT_PAGE = 500
/** Ids that a scan through an index holds at once. */
const SCAN_IDS = 100_000

type Answer = (plan: Plan) => Promise<RawResult | undefined>

/**
 * Every matching record by id, in pages, with no transaction held open between them. Where an index leads to the
 * owner's records but not by id, their ids are gathered first: else the walk would go through everybody's.
 */
export async function* scan(shape: Shape, where: Where, answer: Answer): AsyncGenerator<Rec, void> {
  assertFilled(shape, { where })
  const parts = conjuncts(where)
  const wanted = { parts, when: undefined }
  const byId = parts.some(isIdCondition) || chooseIndex(shape, { ...wanted, sort: 'id' }) !== null
  const index = byId ? null : chooseIndex(shape, { ...wanted, sort: null })
  yield* index ? throughIndex(shape, where, index, answer) : inOrder(shape, where, answer)
}

async function* inOrder(shape: Shape, where: Where, answer: Answer): AsyncGenerator<Rec, void> {
  let last: Id | null = null
  for (let size = FIRST_PAGE; ; size = NEXT_PAGE) {
    const records: readonly Rec[] = await page(shape, after(where, last), size, answer)
    yield* records
    last = records.at(-1)?.id ?? null
    if (records.length < size) return
  }
}

async function* throughIndex(shape: Shape, where: Where, index: IndexShape, answer: Answer): AsyncGenerator<Rec, void> {
  let last: Id | null = null
  let size = FIRST_PAGE
  for (;;) {
    const ids = await idsOf(shape, after(where, last), index, answer)
    for (let start = 0; start < ids.length; start += size, size = NEXT_PAGE) {
      const some = ids.slice(start, start + size)
      yield* await page(shape, { all: [where, { in: ['id', some] }] }, size, answer)
    }
    last = ids.at(-1) ?? null
    if (ids.length < SCAN_IDS) return
  }
}

const after = (where: Where, id: Id | null): Where => (id === null ? where : { all: [where, { gt: ['id', id] }] })

const page = async (shape: Shape, where: Where, limit: number, answer: Answer): Promise<readonly Rec[]> => {
  const plan = pagePlan(shape, { kind: 'list', from: shape.collection, where, limit })
  const raw = await answer({ ...plan, longProbe: plan.longProbe ?? (limit === FIRST_PAGE ? null : ALWAYS_LONG) })
  return raw?.kind === 'page' ? pageOf(shape.collection, raw).records : []
}

const idsOf = async (shape: Shape, where: Where, index: IndexShape, answer: Answer): Promise<Id[]> => {
  const sql = bindValues((put) => {
    const found = `SELECT id FROM ${tableWith(shape, index)} WHERE ${conditionSql(shape, where, undefined, put)}`
    return `SELECT json_group_array(id) AS ids FROM (${found} ORDER BY id LIMIT ${SCAN_IDS})`
  })
  const raw = await answer({ kind: 'rows', sql, longProbe: ALWAYS_LONG, owner: ownerIn(shape, conjuncts(where)) })
  return raw?.kind === 'rows' ? JSON.parse(String(raw.rows[0]?.ids ?? '[]')) : []
}
