import {
  type AnyCollection,
  fieldsOf,
  type IndexRow,
  type TallyRow,
  type Where,
} from '../../core/kernel/records/record.ts'
import { indexText, tallyText } from '../../core/kernel/records/stored-shape.ts'
import {
  type Bind,
  type Column,
  type Columns,
  docField,
  fieldName,
  listContains,
  literal,
  quoted,
  whereSql,
} from './sql.ts'
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

/** Returns the fields of indexes, conditions, days and tallies. Each is a column, stored or computed. */
export const namedFields = ({
  owner,
  conditions = {},
  indexes = [],
  tallies = [],
  days = {},
}: AnyCollection): string[] => {
  const named = [
    owner,
    ...indexes.flatMap(({ eq, sort, search, include = [] }) => [eq, sort, search, ...include]),
    ...Object.values(days),
    ...Object.values(conditions).flatMap(fieldsOf),
    ...tallies.flatMap(({ by, sum }) => [...by, ...sum]),
  ]
  return [...new Set(named)].filter(isColumn).map(fieldName)
}

const isColumn = (field: string | null | undefined): field is string => Boolean(field) && field !== 'id'

/** Returns the name of the column of a field. */
export type ColumnName = (field: string) => string

const stored: ColumnName = (field) => `f_${field}`
const computed: ColumnName = (field) => `g_${field}`

export const columnNames = (columns: readonly string[]): ColumnName => {
  const storedFields = new Set(columns)
  return (field) => (storedFields.has(field) ? stored(field) : computed(field))
}

/** `doc` is the last column, so that a scan of the others does not read it. */
export const createTable = ({ name, ids }: AnyCollection, fields: readonly string[]): string => {
  const id = ids === 'integer' ? 'id INTEGER PRIMARY KEY' : 'id PRIMARY KEY NOT NULL'
  return `CREATE TABLE ${quoted(name)} (${[id, ...fields.map(stored), 'doc TEXT NOT NULL'].join(', ')})`
}

/**
 * Adds a column for a field that was named after the table was created. It is computed, so that no record is written.
 * Its expression must not change, because it is stored in files.
 */
export const addColumn = ({ name }: AnyCollection, field: string): string =>
  `ALTER TABLE ${quoted(name)} ADD COLUMN ${computed(field)} GENERATED ALWAYS AS (${docField(field)}) VIRTUAL`

const columnsOf = ({ ids }: AnyCollection, named: readonly string[], nameOf: ColumnName): Columns => {
  const known = new Map<string, Column>()
  const column = (field: string): Column => {
    const isId = field === 'id'
    const value = isId ? 'id' : named.includes(field) ? nameOf(field) : docField(field)
    return {
      value,
      raw: value,
      isInteger: isId && ids === 'integer',
      has: (types, bound) => listContains(field, types, bound),
    }
  }
  return (field) => {
    const made = known.get(field) ?? column(field)
    known.set(field, made)
    return made
  }
}

/** Returns the columns of an index. With integer ids, SQLite itself adds the id at the end of an index. */
const indexColumns = (
  { owner, ids }: AnyCollection,
  { eq, sort, search, include = [], acrossOwners }: IndexRow,
  nameOf: ColumnName,
): string[] => {
  const leading = [acrossOwners ? null : owner, eq, sort].filter(isColumn)
  const further = [...include, search].filter(isColumn)
  const id = ids === 'text' || further.length > 0 ? ['id'] : []
  return [...leading.map(nameOf), ...id, ...further.map(nameOf)]
}
