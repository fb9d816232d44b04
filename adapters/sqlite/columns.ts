import { type AnyCollection, fieldsOf, type IndexRow } from '../../core/kernel/records/record.ts'
import { type Column, type Columns, docField, fieldName, listContains, quoted } from './sql.ts'

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

export const columnsOf = ({ ids }: AnyCollection, named: readonly string[], nameOf: ColumnName): Columns => {
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
export const indexColumns = (
  { owner, ids }: AnyCollection,
  { eq, sort, search, include = [], acrossOwners }: IndexRow,
  nameOf: ColumnName,
): string[] => {
  const leading = [acrossOwners ? null : owner, eq, sort].filter(isColumn)
  const held = [...include, search].filter(isColumn)
  const id = ids === 'text' || held.length > 0 ? ['id'] : []
  return [...leading.map(nameOf), ...id, ...held.map(nameOf)]
}
