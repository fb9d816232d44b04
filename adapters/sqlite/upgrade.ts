import { createHash, randomUUID } from 'node:crypto'
import { fillMissingFields, upgradeValues } from '../../core/kernel/records/missing-fields.ts'
import type { AnyCollection, Id, Rec } from '../../core/kernel/records/record.ts'
import {
  checkedChange,
  type ShapeChange,
  type StoredShape,
  storedShape,
} from '../../core/kernel/records/stored-shape.ts'
import { StoreUnavailable } from '../../core/ports/store.ts'
import type { Connection } from './connection.ts'
import { addColumn, columnNames, createTable, keyTable, namedFields, type Shape, shapeOf } from './schema.ts'
import { columnValue, quoted } from './sql.ts'

/** The row of a collection in `_shapes`. */
interface StoredRow {
  /** The fields that have a column of their own; other named fields are computed from the record. */
  readonly columns: readonly string[]
  /** Identifies the last breaking upgrade: a process that has read another one must stop. */
  readonly release: string
  readonly stands: StoredShape
}

// Names of collections have no underscore.
const OWN_TABLES = [
  'CREATE TABLE IF NOT EXISTS _shapes (collection TEXT PRIMARY KEY, shape TEXT NOT NULL) WITHOUT ROWID',
  'CREATE TABLE IF NOT EXISTS _sequences (collection TEXT PRIMARY KEY, next INTEGER NOT NULL) WITHOUT ROWID',
]

/** The rows of the collections, and the version of `_shapes` in the transaction that read them. */
interface Upgraded {
  readonly rows: readonly StoredRow[]
  readonly version: number
}

/**
 * Upgrades the file to the collections, in one transaction, and returns their rows. Processes of the former release
 * continue after new nullable fields and indexes, and stop after any other change. Collections that are not named are
 * another program's and stay as they are. Throws if the file has fields of a later release, or a release before 0.10.0
 * wrote it.
 */
export const upgradeFile = (
  connection: Connection,
  collections: readonly AnyCollection[],
  report: (collection: string) => void,
): Upgraded =>
  connection.transaction(() => {
    for (const table of OWN_TABLES) connection.run(table)
    const stored = readRows(connection)
    const rows = collections.map((collection) => {
      const row = stored(collection)
      return row ? upgradeCollection(connection, collection, row, report) : createCollection(connection, collection)
    })
    return { rows, version: versionOf(connection) }
  })

/**
 * Returns the rows of the collections if the file needs no upgrade, else null. Throws as `upgradeFile` does. Writes
 * nothing.
 */
export const readUpgraded = (connection: Connection, collections: readonly AnyCollection[]): Upgraded | null =>
  connection.snapshot(() => {
    if (connection.get("SELECT 1 FROM sqlite_schema WHERE name = '_shapes'") === undefined) return null
    const stored = readRows(connection)
    const rows = collections.flatMap((collection) => {
      const row = stored(collection)
      return row && comparedTo(collection, row).change.kind === 'none' ? [row] : []
    })
    return rows.length === collections.length ? { rows, version: versionOf(connection) } : null
  })

export const shapesOf = (collections: readonly AnyCollection[], { rows }: Upgraded): ReadonlyMap<string, Shape> =>
  new Map(
    collections.flatMap((collection, at) => {
      const row = rows[at]
      return row ? [[collection.name, comparedTo(collection, row).shape]] : []
    }),
  )

/**
 * Returns a check that throws `StoreUnavailable` once another release has upgraded the file so that this one cannot
 * serve it. It calls `superseded` then, once. Must run in a transaction or snapshot.
 */
export const ownershipCheck = (
  connection: Connection,
  collections: readonly AnyCollection[],
  { rows, version: upgradedTo }: Upgraded,
  superseded: () => void,
): (() => void) => {
  let version = upgradedTo
  let isLost = false
  return () => {
    const now = versionOf(connection)
    if (now !== version && !isLost) {
      const stored = readRows(connection)
      isLost = collections.some((each, at) => stored(each)?.release !== rows[at]?.release)
      version = now
      if (isLost) superseded()
    }
    if (isLost) throw new StoreUnavailable('another release of the program has taken the file over')
  }
}

interface Compared {
  readonly change: ShapeChange
  readonly shape: Shape
}

/** The row that a collection had in the last file: another file of the same release has an equal one. */
const lastRows = new WeakMap<AnyCollection, { readonly text: string; readonly row: StoredRow }>()
const comparisons = new WeakMap<StoredRow, Compared>()

/** Reads all rows of the file, and returns a function that finds that of a collection. */
const readRows = (connection: Connection): ((collection: AnyCollection) => StoredRow | null) => {
  const stored = connection.all('SELECT collection, shape FROM _shapes')
  const texts = new Map(stored.map(({ collection, shape }) => [String(collection), String(shape)]))
  return (collection) => {
    const text = texts.get(collection.name)
    return text === undefined ? null : parseRow(collection, text)
  }
}

const parseRow = (collection: AnyCollection, text: string): StoredRow => {
  const last = lastRows.get(collection)
  if (last?.text === text) return last.row
  const row: StoredRow = JSON.parse(text)
  lastRows.set(collection, { text, row })
  return row
}

/** Compares the row of a collection with it. Throws as `upgradeFile` does. */
const comparedTo = (collection: AnyCollection, row: StoredRow): Compared => {
  const known = comparisons.get(row)
  if (known) return known
  const change = checkedChange(row.stands, collection)
  const compared = { change, shape: shapeOf(collection, row.columns, change.tallyNumbers) }
  comparisons.set(row, compared)
  return compared
}

const writeRow = (connection: Connection, { name }: AnyCollection, row: StoredRow): StoredRow => {
  connection.run('INSERT OR REPLACE INTO _shapes VALUES (?, ?)', name, JSON.stringify(row))
  connection.run(`PRAGMA user_version = ${versionOf(connection) + 1}`)
  return row
}

const versionOf = (connection: Connection): number => Number(connection.get('PRAGMA user_version')?.user_version)

const digestOf = (shape: StoredShape): string => createHash('sha256').update(JSON.stringify(shape)).digest('hex')

const createCollection = (connection: Connection, collection: AnyCollection): StoredRow => {
  const columns = namedFields(collection)
  const { indexes, tallies, keys } = shapeOf(collection, columns)
  connection.run(createTable(collection, columns))
  for (const { create } of [...indexes, ...tallies]) connection.run(create)
  for (const table of keys.values()) createKey(connection, table)
  const stands = storedShape(collection)
  return writeRow(connection, collection, { columns, release: digestOf(stands), stands })
}

const upgradeCollection = (
  connection: Connection,
  collection: AnyCollection,
  row: StoredRow,
  report: (collection: string) => void,
): StoredRow => {
  const { change, shape } = comparedTo(collection, row)
  if (change.kind === 'none') return row
  const { columns } = row
  for (const field of namedFields(collection)) {
    if (!columns.includes(field) && !hasColumn(connection, collection.name, `g_${field}`))
      connection.run(addColumn(collection, field))
  }
  if (change.kind === 'breaking') {
    report(collection.name)
    rebuild(connection, shape, change, row.stands)
  }
  const stored = indexNames(connection, collection.name)
  for (const { name, create } of shape.indexes) if (!stored.has(name)) connection.run(create)
  const stands = storedShape(collection, change.tallyNumbers)
  const release = change.kind === 'breaking' ? randomUUID() : row.release
  return writeRow(connection, collection, { columns, release, stands })
}

/**
 * Fills new fields and keys, counts new tallies, and drops the indexes and tables that the collection no longer has.
 */
const rebuild = (connection: Connection, shape: Shape, change: ShapeChange, stands: StoredShape): void => {
  const { collection, indexes, tallies, keys } = shape
  // A tally may count a field that is filled now.
  const recounted = tallies.filter((_, at) => change.fieldsToFill.length > 0 || change.newTallies.has(at))
  const kept = new Set([
    ...indexes.filter(({ definition }) => stands.indexes.includes(definition)).map(({ name }) => name),
    ...tallies.filter((tally) => !recounted.includes(tally)).map(({ table }) => table),
    ...[...keys].filter(([key]) => !change.newKeys.includes(key)).map(([, table]) => table),
  ])
  dropOthers(connection, shape, kept)
  for (const key of change.newKeys) createKey(connection, keyTable(collection.name, key))
  if (change.fieldsToFill.length + change.newKeys.length > 0) fillRecords(connection, shape, change)
  for (const { create, fill } of recounted) {
    connection.run(create)
    connection.run(fill)
  }
}

/** Drops the indexes of the table, and the tables of keys and tallies, that are not kept. */
const dropOthers = (connection: Connection, { collection }: Shape, kept: ReadonlySet<string | undefined>): void => {
  const prefix = `${collection.name}_`
  const sql = `SELECT name FROM sqlite_schema WHERE type = 'table' AND substr(name, 1, length(?)) = ?`
  const tables = connection.all(sql, prefix, prefix).map(({ name }) => quoted(String(name)))
  for (const table of tables) if (!kept.has(table)) connection.run(`DROP TABLE ${table}`)
  for (const index of indexNames(connection, collection.name))
    if (!kept.has(index)) connection.run(`DROP INDEX ${index}`)
}

const indexNames = (connection: Connection, table: string): ReadonlySet<string> => {
  const sql = `SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL AND tbl_name = ?`
  return new Set(connection.all(sql, table).map(({ name }) => quoted(String(name))))
}

const RECORDS_AT_ONCE = 1_000

/** Stores the upgraded fields and the texts of new keys. Of records with the same text, the first by id gets it. */
const fillRecords = (
  connection: Connection,
  { collection, stored, table, keys }: Shape,
  { fieldsToFill, newKeys }: ShapeChange,
): void => {
  const complete = fillMissingFields(collection)
  const columns = stored.filter((field) => fieldsToFill.includes(field))
  const set = [...columns.map(columnNames(stored)), 'doc'].map((column) => `${column} = ?`).join(', ')
  const claims = newKeys.map((key) => ({ key, sql: `INSERT OR IGNORE INTO ${keys.get(key)} VALUES (?, ?)` }))
  for (let last: Id | null = null; ; ) {
    const rows = connection.all(
      `SELECT doc FROM ${table} ${last === null ? '' : 'WHERE id > ? '}ORDER BY id LIMIT ${RECORDS_AT_ONCE}`,
      ...(last === null ? [] : [last]),
    )
    for (const { doc } of rows) {
      const found: Rec = JSON.parse(String(doc))
      const values = upgradeValues(collection, found, fieldsToFill)
      const filled = values ? { ...found, ...values } : found
      const inColumns = columns.map((field) => columnValue(filled, field))
      if (values)
        connection.run(`UPDATE ${table} SET ${set} WHERE id = ?`, ...inColumns, JSON.stringify(filled), found.id)
      const record = complete(filled)
      for (const { key, sql } of claims) {
        const text = collection.keys?.[key]?.(record) ?? null
        if (text !== null) connection.run(sql, text, record.id)
      }
      last = found.id
    }
    if (rows.length < RECORDS_AT_ONCE) return
  }
}

const hasColumn = (connection: Connection, table: string, column: string): boolean =>
  connection.get('SELECT 1 FROM pragma_table_xinfo(?) WHERE name = ?', table, column) !== undefined

const createKey = (connection: Connection, table: string): void =>
  connection.run(`CREATE TABLE ${table} (text TEXT PRIMARY KEY, id NOT NULL) WITHOUT ROWID`)
