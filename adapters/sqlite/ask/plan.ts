import { conjuncts } from '../../../core/kernel/planner/access-paths.ts'
import { toInstantRanges } from '../../../core/kernel/planner/day-fields.ts'
import type { Rec } from '../../../core/kernel/records/record.ts'
import { type Find, type Group, type Query, StoreUnavailable } from '../../../core/ports/store.ts'
import type { SqlValue } from '../file/driver.ts'
import { assertFilled, filter, type Shape } from '../tables/schema.ts'
import { bound } from '../tables/sql.ts'
import { tallyFor } from '../tables/tally-table.ts'
import { whereSql } from '../tables/where-sql.ts'
import { pagePlan } from './page-plan.ts'
import type { DocPlan, Plan, RowsPlan } from './plan-kinds.ts'
import { probe, tallyWalk, whoseOf } from './walks.ts'

export const planOf = (shape: Shape, ask: Query): Plan => {
  if (ask.kind === 'find') return findPlan(shape, ask)
  assertFilled(shape, ask)
  return ask.kind === 'list' ? pagePlan(shape, ask) : groupPlan(shape, ask)
}

const findPlan = ({ table, byId, keys, collection, missing }: Shape, { by }: Find<Rec>): DocPlan => {
  const doc = (text: string, ...values: readonly SqlValue[]): DocPlan => ({
    kind: 'doc',
    sql: { text, values },
    walk: null,
    whose: '',
  })
  if ('id' in by) {
    // An integer column would turn a text that looks like a number into one.
    const isOne = collection.ids === 'text' || typeof by.id === 'number'
    return isOne ? doc(byId, by.id) : doc(`SELECT doc FROM ${table} WHERE 0`)
  }
  const key = keys.get(by.key)
  if (!key) throw new Error(`${collection.name} has no key ${by.key}`)
  if (missing.keys.includes(by.key)) throw new StoreUnavailable(`${collection.name} has not its key ${by.key} yet`)
  return doc(`SELECT doc FROM ${table} WHERE id = (SELECT id FROM ${key} WHERE text = ?)`, by.is)
}

const groupPlan = (shape: Shape, { where, when, by, sum }: Group<Rec>): RowsPlan => {
  const tally = tallyFor(shape, { where, when, by, sum })
  const columns = tally ? tally.columns : shape.columns
  const [counted, table] = tally ? ['coalesce(sum(count), 0)', tally.table] : ['count(*)', shape.table]
  const amount = (field: string): string => (tally ? `s_${field}` : columns(field).value)
  const fields = [
    ...by.map((field, index) => `${columns(field).value} AS b${index}`),
    `${counted} AS n`,
    ...sum.map((field, index) => `coalesce(sum(${amount(field)}), 0) AS s${index}`),
  ]
  const grouped = by.length === 0 ? '' : ` GROUP BY ${by.map((_, index) => index + 1).join(', ')}`
  const parts = toInstantRanges(shape.collection, conjuncts(where))
  return {
    kind: 'rows',
    sql: bound((put) => {
      const condition = tally ? whereSql(where, columns, put) : filter(shape, { all: parts }, when, put)
      return `SELECT ${fields.join(', ')} FROM ${table} WHERE ${condition}${grouped}`
    }),
    walk: tally ? tallyWalk(tally, conjuncts(where)) : probe(shape, parts, when),
    whose: whoseOf(shape, parts),
  }
}
