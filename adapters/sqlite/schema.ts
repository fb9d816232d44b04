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
  /** Identifies the index in the stored shape. */
  readonly definition: string
  readonly name: string
  readonly create: string
  readonly isPartial: boolean
}

/** The table of a collection in the file, with its indexes, keys and tallies. */
export interface Shape {
  readonly collection: AnyCollection
  readonly laid: Laid
  readonly table: string
  /** The statement that finds a record by its id. */
  readonly byId: string
  readonly columns: Columns
  /** The named conditions with inline values: SQLite uses a partial index only for a query with the same text. */
  readonly conditions: ReadonlyMap<string, string>
  /** The indexes that are built. */
  readonly indexes: readonly IndexShape[]
  /**
   * In the order of the collection's tally rows; null for one that is not built, so that records are counted instead.
   */
  readonly tallies: readonly (TallyShape | null)[]
  /** The table of each unique key. */
  readonly keys: ReadonlyMap<string, string>
  readonly missing: Missing
}

/** Parts that are still to be built from the stored records. */
export interface Missing {
  /** Keys without all records: the collection cannot be written meanwhile. */
  readonly keys: readonly string[]
  /** Fields with an upgrade that some records lack: queries cannot use them. */
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
  const allIndexes = indexes
    .filter((row) => indexColumns(collection, row, nameOf).length > 0)
    .map((row) => indexShape(collection, row, nameOf, whenOf(row)))
  const allTallies = tallies.map((row, at) => {
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
    indexes: allIndexes.filter(({ definition }) => standing.has(definition)),
    tallies: allTallies.map((tally, at) => (missingTallies.has(at) ? null : tally)),
    keys: new Map(Object.keys(keys).map((key) => [key, keyTable(name, key)])),
    missing: {
      keys: change.newKeys,
      fields: change.fieldsToFill,
      indexes: allIndexes.filter(({ definition }) => !standing.has(definition)),
      tallies: allTallies.filter((_, at) => missingTallies.has(at)),
    },
  }
}

export const keyTable = (collection: string, key: string): string => quoted(`${collection}_key_${key}`)

/** Throws if a query uses a field that some records lack: the result would be wrong. */
export const assertFilled = ({ collection, missing }: Shape, named: Parameters<typeof usedFields>[1]): void => {
  if (missing.fields.length === 0) return
  const field = usedFields(collection, named).find((one) => missing.fields.includes(one))
  if (field !== undefined) throw new StoreUnavailable(`${collection.name}: its field ${field} is being filled`)
}

/** The access path of a query: an index, ids, or the choice of SQLite (null). */
export type Access = IndexShape | 'ids' | null

/** The table in a FROM clause with its access path: without statistics, SQLite chooses worse ones. */
export const tableWith = ({ table, collection }: Shape, access: Access): string => {
  if (access === null) return table
  if (access !== 'ids') return `${table} INDEXED BY ${access.name}`
  if (collection.ids === 'integer') return `${table} NOT INDEXED`
  return `${table} INDEXED BY ${quoted(`sqlite_autoindex_${collection.name}_1`)}`
}

export const conditionSql = (shape: Shape, where: Where, when: string | undefined, bind: Bind): string => {
  const condition = whereSql(where, shape.columns, bind)
  if (when === undefined) return condition
  const named = shape.conditions.get(when)
  if (named === undefined) throw new Error(`${shape.collection.name} has no condition ${when}`)
  return `${condition} AND ${named}`
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

/** SQLite does not allow a condition on list elements in a partial index. The index is then a full one. */
const testsLists = ({ conditions = {} }: AnyCollection, when: string | undefined): boolean => {
  const hasLists = (where: Where): boolean => {
    if ('all' in where) return where.all.some(hasLists)
    if ('any' in where) return where.any.some(hasLists)
    return 'not' in where ? hasLists(where.not) : 'has' in where
  }
  const condition = when === undefined ? undefined : conditions[when]
  return condition !== undefined && hasLists(condition)
}
