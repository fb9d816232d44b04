import type { AnyCollection, IndexRow, TallyRow } from '../../../core/kernel/records/collection.ts'
import { fieldsOf } from '../../../core/kernel/records/tally.ts'
import type { Where } from '../../../core/kernel/records/where.ts'
import { type TallyShape, tallyShape } from './tally-table.ts'
import { fieldName, listHolds, literal, quoted, withinDoc } from './values.ts'
import { type Column, type Columns, type Put, whereSql } from './where-sql.ts'

export interface IndexShape {
  readonly row: IndexRow
  readonly name: string
  readonly create: string
  readonly isPartial: boolean
}

/** How a collection lies in the file: a table of its own, and beside it its indexes, keys and tallies. */
export interface Shape {
  readonly collection: AnyCollection
  readonly table: string
  /** The fields that have a column of their own: those that indexes, conditions and tallies name. */
  readonly fields: readonly string[]
  readonly columns: Columns
  /** The named conditions with their values inline: verbatim in an index and in a query that means to use it. */
  readonly conditions: ReadonlyMap<string, string>
  readonly indexes: readonly IndexShape[]
  readonly tallies: readonly TallyShape[]
  /** The table of each unique key. */
  readonly keys: ReadonlyMap<string, string>
}

export const shapeOf = (collection: AnyCollection): Shape => {
  const { name, conditions = {}, indexes = [], tallies = [], keys = {} } = collection
  const fields = columnFields(collection)
  const columns = columnsOf(collection, fields)
  const inline = new Map(
    Object.entries(conditions).map(([key, where]): [string, string] => [key, whereSql(where, columns, literal)]),
  )
  const whenOf = ({ when }: IndexRow | TallyRow): string | null =>
    when === undefined ? null : (inline.get(when) ?? null)
  return {
    collection,
    table: quoted(name),
    fields,
    columns,
    conditions: inline,
    indexes: indexes
      .filter((row) => keyOf(collection, row).length > 0)
      .map((row) => indexShape(collection, row, whenOf(row))),
    tallies: tallies.map((row, index) => tallyShape(`${name}_tally_${index}`, quoted(name), row, columns, whenOf(row))),
    keys: new Map(Object.keys(keys).map((key) => [key, quoted(`${name}_key_${key}`)])),
  }
}

/** The record itself comes last, so that a walk over the columns does not read through it. */
export const createTable = ({ collection, fields }: Shape, table: string): string => {
  const id = collection.ids === 'integer' ? 'id INTEGER PRIMARY KEY' : 'id PRIMARY KEY NOT NULL'
  return `CREATE TABLE ${table} (${[id, ...fields.map((field) => `f_${field}`), 'doc TEXT NOT NULL'].join(', ')})`
}

/** How a query is to reach the records: through an index, by their ids, or as the planner thinks best (null). */
export type Way = IndexShape | 'ids' | null

/** The table as a query names it, with its way said aloud: without statistics the planner takes worse ones. */
export const source = ({ table, collection }: Shape, way: Way): string => {
  if (way === null) return table
  if (way !== 'ids') return `${table} INDEXED BY ${way.name}`
  if (collection.ids === 'integer') return `${table} NOT INDEXED`
  return `${table} INDEXED BY ${quoted(`sqlite_autoindex_${collection.name}_1`)}`
}

export const filter = (shape: Shape, where: Where, when: string | undefined, put: Put): string => {
  const asked = whereSql(where, shape.columns, put)
  if (when === undefined) return asked
  const condition = shape.conditions.get(when)
  if (condition === undefined) throw new Error(`${shape.collection.name} has no condition ${when}`)
  return `${asked} AND ${condition}`
}

const columnFields = ({ owner, conditions = {}, indexes = [], tallies = [], days = {} }: AnyCollection): string[] => {
  const named = [
    owner,
    ...indexes.flatMap(({ eq, sort, search, carries = [] }) => [eq, sort, search, ...carries]),
    ...Object.values(days),
    ...Object.values(conditions).flatMap(fieldsOf),
    ...tallies.flatMap(({ by, sum }) => [...by, ...sum]),
  ]
  return [...new Set(named)].filter(isColumn).map(fieldName)
}

const isColumn = (field: string | null | undefined): field is string => Boolean(field) && field !== 'id'

const columnsOf = ({ ids }: AnyCollection, fields: readonly string[]): Columns => {
  const known = new Map<string, Column>()
  const column = (field: string): Column => {
    const isId = field === 'id'
    const value = isId ? 'id' : fields.includes(field) ? `f_${field}` : withinDoc(field)
    return {
      value,
      raw: value,
      isInteger: isId && ids === 'integer',
      has: (types, bound) => listHolds(field, types, bound),
    }
  }
  return (field) => {
    const made = known.get(field) ?? column(field)
    known.set(field, made)
    return made
  }
}

/** The columns of an index. A table by integer has its id at the end of every index, unsaid. */
const keyOf = ({ owner, ids }: AnyCollection, { eq, sort, search, carries = [], across }: IndexRow): string[] => {
  const leading = [across ? null : owner, eq, sort].filter(isColumn)
  const held = [...carries, search].filter(isColumn)
  const id = ids === 'text' || held.length > 0 ? ['id'] : []
  return [...leading.map((field) => `f_${field}`), ...id, ...held.map((field) => `f_${field}`)]
}

const indexShape = (collection: AnyCollection, row: IndexRow, when: string | null): IndexShape => {
  const { eq = '', sort, search = '', carries = [], across } = row
  const more = [...carries, ...(across ? ['across'] : [])]
  const name = quoted(`${collection.name}_index_${[eq, sort, search, row.when ?? '', ...more].join('_')}`)
  const where = when === null || asksLists(collection, row.when) ? '' : ` WHERE ${when}`
  const columns = keyOf(collection, row).join(', ')
  const create = `CREATE INDEX ${name} ON ${quoted(collection.name)} (${columns})${where}`
  return { row, name, create, isPartial: where !== '' }
}

/** An index cannot be partial by what a list holds; it is then a whole one, and the query filters. */
const asksLists = ({ conditions = {} }: AnyCollection, when: string | undefined): boolean => {
  const asks = (where: Where): boolean => {
    if ('all' in where) return where.all.some(asks)
    if ('any' in where) return where.any.some(asks)
    return 'not' in where ? asks(where.not) : 'has' in where
  }
  const condition = when === undefined ? undefined : conditions[when]
  return condition !== undefined && asks(condition)
}
