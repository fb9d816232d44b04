import type { AnyCollection, IndexRow, TallyRow } from '../../core/kernel/records/collection.ts'
import { indexText, shapeChange, tallyText, usedFields } from '../../core/kernel/records/stored-shape.ts'
import type { Where } from '../../core/kernel/records/where.ts'
import { StoreUnavailable } from '../../core/ports/store.ts'
import { type ColumnName, columnNames, columnsOf, indexColumns, namedFields } from './columns.ts'
import { type Bind, type Columns, literal, quoted, whereSql } from './sql.ts'
import type { Laid } from './tables/laid.ts'
import { type TallyShape, tallyShape } from './tallies.ts'

export interface IndexShape {
  readonly row: IndexRow
  /** What it is, wherever it lies. */
  readonly definition: string
  readonly name: string
  readonly create: string
  readonly isPartial: boolean
}

/** How a collection lies in the file: a table of its own, and beside it its indexes, keys and tallies. */
export interface Shape {
  readonly collection: AnyCollection
  readonly laid: Laid
  readonly table: string
  /** Finds a record by its id, in words made once. */
  readonly byId: string
  readonly columns: Columns
  /** The named conditions with their values inline: verbatim in an index and in a query that means to use it. */
  readonly conditions: ReadonlyMap<string, string>
  /** Those that stand: the others are not there for any query. */
  readonly indexes: readonly IndexShape[]
  /** By the rows of the collection; null for one that does not stand: it is not kept, and its records are counted. */
  readonly tallies: readonly (TallyShape | null)[]
  /** The table of each unique key. */
  readonly keys: ReadonlyMap<string, string>
  readonly missing: Missing
}

/** What is still to be made of the records that are there. */
export interface Missing {
  /** Keys that do not hold every text yet: nothing is written meanwhile. */
  readonly keys: readonly string[]
  /** Fields with an upgrade that records still lack: no query can name them. */
  readonly fields: readonly string[]
  readonly indexes: readonly IndexShape[]
  readonly tallies: readonly TallyShape[]
}

export const shapeOf = (collection: AnyCollection, laid: Laid): Shape => {
  const { name, conditions = {}, indexes = [], tallies = [], keys = {} } = collection
  const nameOf = columnNames(laid.columns)
  const columns = columnsOf(collection, namedFields(collection), nameOf)
  const inline = new Map(
    Object.entries(conditions).map(([key, where]): [string, string] => [key, whereSql(where, columns, literal)]),
  )
  const whenOf = ({ when }: IndexRow | TallyRow): string | null =>
    when === undefined ? null : (inline.get(when) ?? null)
  const change = shapeChange(laid.stands, collection)
  const everyIndex = indexes
    .filter((row) => indexColumns(collection, row, nameOf).length > 0)
    .map((row) => indexShape(collection, row, nameOf, whenOf(row)))
  const everyTally = tallies.map((row, at) => {
    const made = { number: change.tallyNumbers[at] ?? at, definition: tallyText(collection, row) }
    return tallyShape({ ...made, collection: name, row, columns, when: whenOf(row) })
  })
  const standing = new Set(laid.stands.indexes)
  const missingTallies = new Set(change.newTallies.map(({ at }) => at))
  return {
    collection,
    laid,
    table: quoted(name),
    byId: `SELECT doc FROM ${quoted(name)} WHERE id = ?`,
    columns,
    conditions: inline,
    indexes: everyIndex.filter(({ definition }) => standing.has(definition)),
    tallies: everyTally.map((tally, at) => (missingTallies.has(at) ? null : tally)),
    keys: new Map(Object.keys(keys).map((key) => [key, keyTable(name, key)])),
    missing: {
      keys: change.newKeys,
      fields: change.fieldsToFill,
      indexes: everyIndex.filter(({ definition }) => !standing.has(definition)),
      tallies: everyTally.filter((_, at) => missingTallies.has(at)),
    },
  }
}

export const keyTable = (collection: string, key: string): string => quoted(`${collection}_key_${key}`)

/** Throws where a query names what records still lack: an answer would be wrong, not slow. */
export const assertFilled = ({ collection, missing }: Shape, named: Parameters<typeof usedFields>[1]): void => {
  if (missing.fields.length === 0) return
  const field = usedFields(collection, named).find((one) => missing.fields.includes(one))
  if (field !== undefined) throw new StoreUnavailable(`${collection.name}: ${field} is still being filled`)
}

/** How a query is to reach the records: through an index, by their ids, or as the planner thinks best (null). */
export type Access = IndexShape | 'ids' | null

/** The table as a query names it, with its way said aloud: without statistics the planner takes worse ones. */
export const tableWith = ({ table, collection }: Shape, way: Access): string => {
  if (way === null) return table
  if (way !== 'ids') return `${table} INDEXED BY ${way.name}`
  if (collection.ids === 'integer') return `${table} NOT INDEXED`
  return `${table} INDEXED BY ${quoted(`sqlite_autoindex_${collection.name}_1`)}`
}

export const conditionSql = (shape: Shape, where: Where, when: string | undefined, put: Bind): string => {
  const asked = whereSql(where, shape.columns, put)
  if (when === undefined) return asked
  const condition = shape.conditions.get(when)
  if (condition === undefined) throw new Error(`${shape.collection.name} has no condition ${when}`)
  return `${asked} AND ${condition}`
}

const indexShape = (collection: AnyCollection, row: IndexRow, nameOf: ColumnName, when: string | null): IndexShape => {
  const { eq = '', sort, search = '', include = [], acrossOwners } = row
  const more = [...include, ...(acrossOwners ? ['across'] : [])]
  const name = quoted(`${collection.name}_index_${[eq, sort, search, row.when ?? '', ...more].join('_')}`)
  const where = when === null || testsLists(collection, row.when) ? '' : ` WHERE ${when}`
  const columns = indexColumns(collection, row, nameOf).join(', ')
  const create = `CREATE INDEX ${name} ON ${quoted(collection.name)} (${columns})${where}`
  return { row, definition: indexText(collection, row), name, create, isPartial: where !== '' }
}

/** An index cannot be partial by what a list holds; it is then a whole one, and the query filters. */
const testsLists = ({ conditions = {} }: AnyCollection, when: string | undefined): boolean => {
  const asks = (where: Where): boolean => {
    if ('all' in where) return where.all.some(asks)
    if ('any' in where) return where.any.some(asks)
    return 'not' in where ? asks(where.not) : 'has' in where
  }
  const condition = when === undefined ? undefined : conditions[when]
  return condition !== undefined && asks(condition)
}
