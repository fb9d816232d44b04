import { chooseIndex, conjuncts, isIdCondition } from '../../../core/kernel/planner/access-paths.ts'
import type { Id, Rec } from '../../../core/kernel/records/record.ts'
import type { Where } from '../../../core/kernel/records/where.ts'
import { assertFilled, filter, type IndexShape, type Shape, source } from '../tables/schema.ts'
import { bound } from '../tables/sql.ts'
import { listed } from './answers.ts'
import type { Raw } from './execute.ts'
import { pagePlan } from './page-plan.ts'
import type { Plan } from './plan-kinds.ts'
import { LONG, whoseOf } from './walks.ts'

/** Records that a scan reads at once; fewer at first, since many a caller leaves early. */
const FIRST_PAGE = 100
const NEXT_PAGE = 500
/** Ids that a scan through an index holds at once. */
const SCAN_IDS = 100_000

type Answer = (plan: Plan) => Promise<Raw | undefined>

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
  const raw = await answer({ ...plan, walk: plan.walk ?? (limit === FIRST_PAGE ? null : LONG) })
  return raw?.kind === 'page' ? listed(shape.collection, raw).records : []
}

const idsOf = async (shape: Shape, where: Where, index: IndexShape, answer: Answer): Promise<Id[]> => {
  const sql = bound((put) => {
    const found = `SELECT id FROM ${source(shape, index)} WHERE ${filter(shape, where, undefined, put)}`
    return `SELECT json_group_array(id) AS ids FROM (${found} ORDER BY id LIMIT ${SCAN_IDS})`
  })
  const raw = await answer({ kind: 'rows', sql, walk: LONG, whose: whoseOf(shape, conjuncts(where)) })
  return raw?.kind === 'rows' ? JSON.parse(String(raw.rows[0]?.ids ?? '[]')) : []
}
