import { fillMissingFields, upgradeValues } from '../../../core/kernel/records/missing-fields.ts'
import type { Rec } from '../../../core/kernel/records/record.ts'
import { columnNames } from '../columns.ts'
import type { Connection } from '../connection.ts'
import type { Shape } from '../schema.ts'
import { columnValue } from '../sql.ts'
import { type Laid, writeLaid } from '../tables/laid.ts'
import { forgetPlace, keepPlace, placeOf } from '../tables/place.ts'

// A slice keeps the loop for some ten milliseconds: the functions of a collection are in its own thread.
const KEYED_AT_ONCE = 1_000
const FILLED_AT_ONCE = 400

/**
 * Goes through the next records of a collection, within a transaction; the last of them says that what was missing stands.
 * Nothing where another process has said so.
 */
export type Slice = (connection: Connection, shape: Shape) => void

/** Holds the texts of new keys, by id: of records that give the same text the first holds it. */
export const keySlice: Slice = (connection, shape) => {
  const { collection, laid, missing, keys } = shape
  if (missing.keys.length === 0) return
  const read = fillMissingFields(collection)
  const holds = missing.keys.map((key) => ({ key, sql: `INSERT OR IGNORE INTO ${keys.get(key)} VALUES (?, ?)` }))
  slice(connection, shape, KEYED_AT_ONCE, { keys: [...laid.stands.keys, ...missing.keys] }, (stored) => {
    const record = read(stored)
    for (const { key, sql } of holds) {
      const text = collection.keys?.[key]?.(record) ?? null
      if (text !== null) connection.run(sql, text, record.id)
    }
  })
}

/** Gives records the fields that an upgrade has for them. What else they have, or lack, stays as it was. */
export const fieldSlice: Slice = (connection, shape) => {
  const { collection, laid, missing, table } = shape
  if (missing.fields.length === 0) return
  const stored = laid.columns.filter((field) => missing.fields.includes(field))
  const set = [...stored.map(columnNames(laid.columns)), 'doc'].map((column) => `${column} = ?`).join(', ')
  const sql = `UPDATE ${table} SET ${set} WHERE id = ?`
  slice(connection, shape, FILLED_AT_ONCE, { upgrades: [...laid.stands.upgrades, ...missing.fields] }, (record) => {
    const given = upgradeValues(collection, record, missing.fields)
    if (given === null) return
    const filled = { ...record, ...given }
    connection.run(sql, ...stored.map((field) => columnValue(filled, field)), JSON.stringify(filled), record.id)
  })
}

const slice = (
  connection: Connection,
  { collection: { name }, laid, table }: Shape,
  size: number,
  then: Partial<Laid['stands']>,
  each: (record: Rec) => void,
): void => {
  const place = placeOf(connection, name)
  const after = place === null ? '' : 'WHERE id > ? '
  const sql = `SELECT doc FROM ${table} ${after}ORDER BY id LIMIT ${size}`
  const records: readonly Rec[] = connection
    .all(sql, ...(place === null ? [] : [place]))
    .map(({ doc }) => JSON.parse(String(doc)))
  for (const record of records) each(record)
  const last = records.at(-1)
  if (last && records.length === size) keepPlace(connection, name, last.id)
  else {
    forgetPlace(connection, name)
    writeLaid(connection, name, { ...laid, stands: { ...laid.stands, ...then } })
  }
}
