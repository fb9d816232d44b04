import { type Rec, type Scalar, scalarOf } from '../../../core/kernel/records/record.ts'
import type { SqlValue } from '../file/driver.ts'

// Booleans are blobs, so that none of them equals a number, as `eq` has it. They sort false before true.
const FALSE = Uint8Array.of(0)
const TRUE = Uint8Array.of(1)
const NOT_SCALAR = Uint8Array.of(2)
/** Null in a tally table, where it is part of a primary key. */
export const NOTHING = new Uint8Array(0)

export const sqlOf = (value: Scalar): SqlValue => {
  if (typeof value === 'boolean') return value ? TRUE : FALSE
  return value
}

/** A field of a record as its column holds it; a list or an object is only known to be there. */
export const columnOf = (record: Rec, field: string): SqlValue => {
  const value = scalarOf(record, field)
  return value === undefined ? NOT_SCALAR : sqlOf(value)
}

export const scalarFrom = (value: SqlValue | undefined): Scalar => {
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
export const withinDoc = (field: string): string =>
  `CASE json_type(doc, ${path(field)}) WHEN 'true' THEN x'01' WHEN 'false' THEN x'00' ` +
  `WHEN 'array' THEN x'02' WHEN 'object' THEN x'02' ELSE json_extract(doc, ${path(field)}) END`

/** Whether a list within the stored JSON holds the value; `put` sets it in. */
export const listHolds = (field: string, types: string, value: string): string =>
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
