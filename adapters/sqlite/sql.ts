import { type Rec, type Scalar, scalarOf } from '../../core/kernel/records/record.ts'
import type { Where } from '../../core/kernel/records/where.ts'
import type { SqlValue } from './connection.ts'

/** SQL with its bound values: plain data, so that it can be sent to the reader thread. */
export interface Sql {
  readonly text: string
  readonly values: readonly SqlValue[]
}

/** SQL whose values are bound, in the order in which they are put. */
export const bindValues = (compose: (put: Bind) => string): Sql => {
  const values: SqlValue[] = []
  const text = compose((value) => {
    values.push(value)
    return '?'
  })
  return { text, values }
}

/** How a table holds a field. */
export interface Column {
  /** The field, null where it is null. */
  readonly value: string
  /** The same to be compared with a value that is not null; what an index knows. */
  readonly raw: string
  /** An integer column would turn a text that looks like a number into one. */
  readonly isInteger: boolean
  /** Whether the list that it holds has the value; null where a table holds no lists. */
  readonly has: ((types: string, value: string) => string) | null
}

export type Columns = (field: string) => Column

/** Sets a value into SQL: bound, or as a literal. */
export type Bind = (value: SqlValue) => string

type Bound = string | number

const NEVER = '0'
const TEXTS = `'text'`
const NUMBERS = `'integer', 'real'`
/** Longer lists travel as one value, so that their length makes no new statement. */
const MAX_LISTED = 16

/** The condition in SQL, true for exactly the records that `matches` accepts. Values only through `put`. */
export const whereSql = (where: Where, columns: Columns, put: Bind): string => {
  const parts = (list: readonly Where[], word: string, none: string): string =>
    list.length === 0 ? none : `(${list.map((part) => whereSql(part, columns, put)).join(word)})`
  if ('all' in where) return parts(where.all, ' AND ', '1')
  if ('any' in where) return parts(where.any, ' OR ', NEVER)
  // Not plain NOT: what is neither true nor false (a comparison with null) belongs to the complement.
  if ('not' in where) return `(${whereSql(where.not, columns, put)} IS NOT TRUE)`
  if ('eq' in where) return equals(columns(where.eq[0]), where.eq[1], put)
  if ('in' in where) return isOneOf(columns(where.in[0]), where.in[1], put)
  if ('has' in where) {
    const { has } = columns(where.has[0])
    return has ? has(typeof where.has[1] === 'string' ? TEXTS : NUMBERS, put(where.has[1])) : NEVER
  }
  if ('contains' in where) {
    const { value } = columns(where.contains[0])
    return `(typeof(${value}) = 'text' AND instr(${value}, ${put(where.contains[1])}) > 0)`
  }
  if ('lt' in where) return ordered(columns(where.lt[0]), '<', where.lt[1], put)
  if ('lte' in where) return ordered(columns(where.lte[0]), '<=', where.lte[1], put)
  if ('gt' in where) return ordered(columns(where.gt[0]), '>', where.gt[1], put)
  return ordered(columns(where.gte[0]), '>=', where.gte[1], put)
}

const fits = ({ isInteger }: Column, value: Scalar): boolean => !isInteger || typeof value === 'number'

const equals = (column: Column, value: Scalar, put: Bind): string => {
  if (value === null) return `${column.value} IS NULL`
  return fits(column, value) ? `${column.raw} = ${put(toSql(value))}` : NEVER
}

const isOneOf = (column: Column, values: readonly Scalar[], put: Bind): string => {
  const some = values.filter((value) => value !== null && fits(column, value))
  const parts = values.includes(null) ? [`${column.value} IS NULL`] : []
  const plain = some.filter((value) => typeof value !== 'boolean')
  if (plain.length > MAX_LISTED) {
    parts.push(`${column.raw} IN (SELECT value FROM json_each(${put(JSON.stringify(plain))}))`)
    parts.push(...some.filter((value) => typeof value === 'boolean').map((value) => equals(column, value, put)))
  } else if (some.length > 0) {
    parts.push(`${column.raw} IN (${some.map((value) => put(toSql(value))).join(', ')})`)
  }
  return parts.length === 0 ? NEVER : `(${parts.join(' OR ')})`
}

/** SQLite orders null, numbers, texts, blobs; a bound says nothing of values of another kind. */
const ordered = (column: Column, sign: '<' | '<=' | '>' | '>=', bound: Bound, put: Bind): string => {
  if (!fits(column, bound)) return NEVER
  if (column.isInteger) return `${column.raw} ${sign} ${put(bound)}`
  const within = typeof bound === 'string' ? TEXTS : NUMBERS
  return `(${column.raw} ${sign} ${put(bound)} AND typeof(${column.raw}) IN (${within}))`
}

// Booleans are blobs, so that none of them equals a number, as `eq` has it. They sort false before true.
const FALSE = Uint8Array.of(0)
const TRUE = Uint8Array.of(1)
const NOT_SCALAR = Uint8Array.of(2)
/** Null in a tally table, where it is part of a primary key. */
export const NULL_VALUE = new Uint8Array(0)

export const toSql = (value: Scalar): SqlValue => {
  if (typeof value === 'boolean') return value ? TRUE : FALSE
  return value
}

/** A field of a record as its column holds it; a list or an object is only known to be there. */
export const columnValue = (record: Rec, field: string): SqlValue => {
  const value = scalarOf(record, field)
  return value === undefined ? NOT_SCALAR : toSql(value)
}

export const fromSql = (value: SqlValue | undefined): Scalar => {
  if (!(value instanceof Uint8Array)) return value ?? null
  if (value[0] === NOT_SCALAR[0]) throw new Error('nothing is counted by a field that is a list or an object')
  return value.length === 0 ? null : value[0] === TRUE[0]
}

const FIELD = /^[A-Za-z_][A-Za-z0-9_]*$/

/** The name of a field, fit to stand within SQL. Fields are named by code, never by users. */
export const fieldName = (field: string): string => {
  if (!FIELD.test(field)) throw new Error(`${field} is no name of a field`)
  return field
}

const path = (field: string): string => `'$.${fieldName(field)}'`

/** A field within the stored JSON, as a column would hold it. */
export const docField = (field: string): string =>
  `CASE json_type(doc, ${path(field)}) WHEN 'true' THEN x'01' WHEN 'false' THEN x'00' ` +
  `WHEN 'array' THEN x'02' WHEN 'object' THEN x'02' ELSE json_extract(doc, ${path(field)}) END`

/** Whether a list within the stored JSON holds the value; `put` sets it in. */
export const listContains = (field: string, types: string, value: string): string =>
  `(json_type(doc, ${path(field)}) = 'array' AND EXISTS (SELECT 1 FROM json_each(doc, ${path(field)}) AS element ` +
  `WHERE element.type IN (${types}) AND element.value = ${value}))`

/** A value set into SQL where none can be bound: in the condition of an index. */
export const literal = (value: SqlValue): string => {
  if (value === null) return 'NULL'
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`
  return `x'${Array.from(value, (byte) => byte.toString(16).padStart(2, '0')).join('')}'`
}

/** A name set into SQL. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
