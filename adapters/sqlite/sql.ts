import { type Rec, type Scalar, scalarOf, type Where } from '../../core/kernel/records/record.ts'
import type { SqlValue } from './connection.ts'

/** SQL with its values: plain data, which can be sent to a reader thread. */
export interface Sql {
  readonly text: string
  readonly values: readonly SqlValue[]
}

/** Composes SQL whose values are bound, in the order of the calls of `bind`. */
export const bindValues = (compose: (bind: Bind) => string): Sql => {
  const values: SqlValue[] = []
  const text = compose((value) => {
    values.push(value)
    return '?'
  })
  return { text, values }
}

/** A field in the SQL of a table. */
export interface Column {
  /** The value, null if it is null. */
  readonly value: string
  /** For comparisons with a value other than null; as in indexes. */
  readonly raw: string
  /** True if SQLite would convert a numeric text to an integer for a comparison. */
  readonly isInteger: boolean
  /** Tests a list for a value; null if the table has no lists. */
  readonly has: ((types: string, value: string) => string) | null
}

export type Columns = (field: string) => Column

/** Returns the SQL of a value: a parameter or a literal. */
export type Bind = (value: SqlValue) => string

type Bound = string | number

const NEVER = '0'
const TEXTS = `'text'`
const NUMBERS = `'integer', 'real'`
/** Longer lists are bound as one value, so that each length does not need its own statement. */
const MAX_LISTED = 16

/** Translates a condition to SQL that is true for exactly the records that `matches` accepts. */
export const whereSql = (where: Where, columns: Columns, bind: Bind): string => {
  const parts = (list: readonly Where[], word: string, none: string): string =>
    list.length === 0 ? none : `(${list.map((part) => whereSql(part, columns, bind)).join(word)})`
  if ('all' in where) return parts(where.all, ' AND ', '1')
  if ('any' in where) return parts(where.any, ' OR ', NEVER)
  // `IS NOT TRUE`, because the complement includes comparisons with null, which are neither true nor false.
  if ('not' in where) return `(${whereSql(where.not, columns, bind)} IS NOT TRUE)`
  if ('eq' in where) return equals(columns(where.eq[0]), where.eq[1], bind)
  if ('in' in where) return isOneOf(columns(where.in[0]), where.in[1], bind)
  if ('has' in where) {
    const { has } = columns(where.has[0])
    return has ? has(typeof where.has[1] === 'string' ? TEXTS : NUMBERS, bind(where.has[1])) : NEVER
  }
  if ('contains' in where) {
    const { value } = columns(where.contains[0])
    return `(typeof(${value}) = 'text' AND instr(${value}, ${bind(where.contains[1])}) > 0)`
  }
  if ('lt' in where) return ordered(columns(where.lt[0]), '<', where.lt[1], bind)
  if ('lte' in where) return ordered(columns(where.lte[0]), '<=', where.lte[1], bind)
  if ('gt' in where) return ordered(columns(where.gt[0]), '>', where.gt[1], bind)
  return ordered(columns(where.gte[0]), '>=', where.gte[1], bind)
}

const fits = ({ isInteger }: Column, value: Scalar): boolean => !isInteger || typeof value === 'number'

const equals = (column: Column, value: Scalar, bind: Bind): string => {
  if (value === null) return `${column.value} IS NULL`
  return fits(column, value) ? `${column.raw} = ${bind(toSql(value))}` : NEVER
}

const isOneOf = (column: Column, values: readonly Scalar[], bind: Bind): string => {
  const some = values.filter((value) => value !== null && fits(column, value))
  const parts = values.includes(null) ? [`${column.value} IS NULL`] : []
  const plain = some.filter((value) => typeof value !== 'boolean')
  if (plain.length > MAX_LISTED) {
    parts.push(`${column.raw} IN (SELECT value FROM json_each(${bind(JSON.stringify(plain))}))`)
    parts.push(...some.filter((value) => typeof value === 'boolean').map((value) => equals(column, value, bind)))
  } else if (some.length > 0) {
    parts.push(`${column.raw} IN (${some.map((value) => bind(toSql(value))).join(', ')})`)
  }
  return parts.length === 0 ? NEVER : `(${parts.join(' OR ')})`
}

/** SQLite sorts null, numbers, texts and blobs in this order, so values of another type than the bound are excluded. */
const ordered = (column: Column, sign: '<' | '<=' | '>' | '>=', bound: Bound, bind: Bind): string => {
  if (!fits(column, bound)) return NEVER
  if (column.isInteger) return `${column.raw} ${sign} ${bind(bound)}`
  const within = typeof bound === 'string' ? TEXTS : NUMBERS
  return `(${column.raw} ${sign} ${bind(bound)} AND typeof(${column.raw}) IN (${within}))`
}

// Booleans are blobs, so that they equal no number, as in `eq`. False sorts before true.
const FALSE = Uint8Array.of(0)
const TRUE = Uint8Array.of(1)
const NOT_SCALAR = Uint8Array.of(2)
/** Null in a tally table, where it is part of the primary key. */
export const NULL_VALUE = new Uint8Array(0)

export const toSql = (value: Scalar): SqlValue => {
  if (typeof value === 'boolean') return value ? TRUE : FALSE
  return value
}

/** Returns the column value of a field. Lists and objects have one common value. */
export const columnValue = (record: Rec, field: string): SqlValue => {
  const value = scalarOf(record, field)
  return value === undefined ? NOT_SCALAR : toSql(value)
}

export const fromSql = (value: SqlValue | undefined): Scalar => {
  if (!(value instanceof Uint8Array)) return value ?? null
  if (value[0] === NOT_SCALAR[0]) throw new Error('a group cannot be by a field that is a list or an object')
  return value.length === 0 ? null : value[0] === TRUE[0]
}

const FIELD = /^[A-Za-z_][A-Za-z0-9_]*$/

/** Checks a field name before it goes into SQL. Field names come from code, never from users. */
export const fieldName = (field: string): string => {
  if (!FIELD.test(field)) throw new Error(`invalid field name: ${field}`)
  return field
}

const path = (field: string): string => `'$.${fieldName(field)}'`

/** Reads a field of the stored JSON as a column value. */
export const docField = (field: string): string =>
  `CASE json_type(doc, ${path(field)}) WHEN 'true' THEN x'01' WHEN 'false' THEN x'00' ` +
  `WHEN 'array' THEN x'02' WHEN 'object' THEN x'02' ELSE json_extract(doc, ${path(field)}) END`

/** Tests a list of the stored JSON for a value. */
export const listContains = (field: string, types: string, value: string): string =>
  `(json_type(doc, ${path(field)}) = 'array' AND EXISTS (SELECT 1 FROM json_each(doc, ${path(field)}) AS element ` +
  `WHERE element.type IN (${types}) AND element.value = ${value}))`

/** Writes a value into SQL that cannot bind values: the condition of an index. */
export const literal = (value: SqlValue): string => {
  if (value === null) return 'NULL'
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`
  return `x'${Array.from(value, (byte) => byte.toString(16).padStart(2, '0')).join('')}'`
}

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
