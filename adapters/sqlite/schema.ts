import type { AnyCollection, IndexRow, TallyRow, Where } from '../../core/kernel/records/record.ts'
import { indexText, tallyText } from '../../core/kernel/records/stored-shape.ts'
import { type ColumnName, columnNames, columnsOf, indexColumns, namedFields } from './columns.ts'
import { type Bind, type Columns, literal, quoted, whereSql } from './sql.ts'
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
  /** The fields that have a column of their own. */
  readonly stored: readonly string[]
  readonly table: string
  /** The statement that finds a record by its id. */
  readonly byId: string
  readonly columns: Columns
  /** The named conditions with inline values: SQLite uses a partial index only for a query with the same text. */
  readonly conditions: ReadonlyMap<string, string>
  readonly indexes: readonly IndexShape[]
  /** In the order of the collection. */
  readonly tallies: readonly TallyShape[]
  /** The table of each unique key. */
  readonly keys: ReadonlyMap<string, string>
}

export const shapeOf = (
  collection: AnyCollection,
  stored: readonly string[],
  tallyNumbers: readonly number[] = [],
): Shape => {
  const { name, conditions = {}, indexes = [], tallies = [], keys = {} } = collection
  const nameOf = columnNames(stored)
  const columns = columnsOf(collection, namedFields(collection), nameOf)
  const inline = new Map(
    Object.entries(conditions).map(([key, where]): [string, string] => [key, whereSql(where, columns, literal)]),
  )
  const whenOf = ({ when }: IndexRow | TallyRow): string | null =>
    when === undefined ? null : (inline.get(when) ?? null)
  return {
    collection,
    stored,
    table: quoted(name),
    byId: `SELECT doc FROM ${quoted(name)} WHERE id = ?`,
    columns,
    conditions: inline,
    indexes: indexes
      .filter((row) => indexColumns(collection, row, nameOf).length > 0)
      .map((row) => indexShape(collection, row, nameOf, whenOf(row))),
    tallies: tallies.map((row, at) => {
      const made = { number: tallyNumbers[at] ?? at, definition: tallyText(collection, row) }
      return tallyShape({ ...made, collection: name, row, columns, when: whenOf(row) })
    }),
    keys: new Map(Object.keys(keys).map((key) => [key, keyTable(name, key)])),
  }
}

export const keyTable = (collection: string, key: string): string => quoted(`${collection}_key_${key}`)

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
