import { randomUUID } from 'node:crypto'
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
  /** Identifies the last breaking upgrade, if any: a process that has read another one must stop. */
  readonly release: string
  readonly stands: StoredShape
}

// Names of collections have no underscore.
const OWN_TABLES = [
  'CREATE TABLE IF NOT EXISTS _shapes (collection TEXT PRIMARY KEY, shape TEXT NOT NULL) WITHOUT ROWID',
  'CREATE TABLE IF NOT EXISTS _sequences (collection TEXT PRIMARY KEY, next INTEGER NOT NULL) WITHOUT ROWID',
]

/** An upgraded file. */
interface Upgraded {
  readonly shapes: ReadonlyMap<string, Shape>
  /** The `release` of each collection. */
  readonly releases: ReadonlyMap<string, string>
  /** The version of `_shapes` in the transaction that read them. */
  readonly version: number
}

/**
 * Upgrades the file to the collections, in one transaction. Processes of the former release continue after new nullable
 * fields and indexes, and stop after any other change. Collections that are not named are another program's and stay as
 * they are. Throws if the file has fields of a later release, or a release before 0.10.0 wrote it.
 */
export const upgradeFile = (
  connection: Connection,
  collections: readonly AnyCollection[],
  report: (collection: string) => void,
): Upgraded | null =>
  connection.transaction(() => {
    for (const table of OWN_TABLES) connection.run(table)
    const found = readEntries(connection, collections)
    for (const [at, collection] of collections.entries()) {
      const entry = found[at]
      if (!entry) createCollection(connection, collection)
      else if (entry.change.kind !== 'none') upgradeCollection(connection, entry, report)
    }
    return upgradedTo(connection, collections)
  })

/** Returns null if the file needs an upgrade. Throws as `upgradeFile` does. Writes nothing. */
export const readUpgraded = (connection: Connection, collections: readonly AnyCollection[]): Upgraded | null =>
  connection.snapshot(() => {
    const hasShapes = connection.get("SELECT 1 FROM sqlite_schema WHERE name = '_shapes'") !== undefined
    return hasShapes ? upgradedTo(connection, collections) : null
  })

const upgradedTo = (connection: Connection, collections: readonly AnyCollection[]): Upgraded | null => {
  const entries = readEntries(connection, collections).filter((entry) => entry?.change.kind === 'none')
  const found = entries.filter((entry) => entry !== null)
  if (found.length < collections.length) return null
  return {
    shapes: new Map(found.map(({ shape }) => [shape.collection.name, shape])),
    releases: new Map(found.map(({ shape, row }) => [shape.collection.name, row.release])),
    version: versionOf(connection),
  }
}

/**
 * Returns a check that throws `StoreUnavailable` once another release has upgraded the file so that this one cannot
 * serve it. It calls `superseded` then, once. Must run in a transaction or snapshot.
 */
export const ownershipCheck = (
  connection: Connection,
  { releases, version: upgradedTo }: Upgraded,
  superseded: () => void,
): (() => void) => {
  let version = upgradedTo
  let isLost = false
  return () => {
    const now = versionOf(connection)
    if (now !== version && !isLost) {
      const stored = readTexts(connection)
      isLost = [...releases].some(([name, release]) => parse(stored.get(name) ?? '{}').release !== release)
      version = now
      if (isLost) superseded()
    }
    if (isLost) throw new StoreUnavailable('another release of the program has taken the file over')
  }
}

/** A collection in the file: its row, and the work that the collection needs. */
interface Entry {
  readonly text: string
  readonly row: StoredRow
  readonly change: ShapeChange
  readonly shape: Shape
}

/** The last entry of a collection: another file of the same release has an equal one. */
const lastEntries = new WeakMap<AnyCollection, Entry>()

/** Returns the entry of each collection, or null for a new one. Throws as `upgradeFile` does. */
const readEntries = (connection: Connection, collections: readonly AnyCollection[]): readonly (Entry | null)[] => {
  const texts = readTexts(connection)
  return collections.map((collection) => {
    const text = texts.get(collection.name)
    const last = lastEntries.get(collection)
    if (text === undefined || last?.text === text) return text === undefined ? null : (last ?? null)
    const row = parse(text)
    const change = checkedChange(row.stands, collection)
    const entry = { text, row, change, shape: shapeOf(collection, row.columns, change.tallyNumbers) }
    lastEntries.set(collection, entry)
    return entry
  })
}

const readTexts = (connection: Connection): ReadonlyMap<string, string> => {
  const rows = connection.all('SELECT collection, shape FROM _shapes')
  return new Map(rows.map(({ collection, shape }) => [String(collection), String(shape)]))
}

const parse = (text: string): StoredRow => JSON.parse(text)

const writeRow = (connection: Connection, { name }: AnyCollection, row: StoredRow): void => {
  connection.run('INSERT OR REPLACE INTO _shapes VALUES (?, ?)', name, JSON.stringify(row))
  connection.run(`PRAGMA user_version = ${versionOf(connection) + 1}`)
}

const versionOf = (connection: Connection): number => Number(connection.get('PRAGMA user_version')?.user_version)

const createCollection = (connection: Connection, collection: AnyCollection): void => {
  const columns = namedFields(collection)
  const { indexes, tallies, keys } = shapeOf(collection, columns)
  connection.run(createTable(collection, columns))
  for (const { create } of [...indexes, ...tallies]) connection.run(create)
  for (const table of keys.values()) createKey(connection, table)
  writeRow(connection, collection, { columns, release: 'created', stands: storedShape(collection) })
}

const upgradeCollection = (
  connection: Connection,
  { row, change, shape }: Entry,
  report: (collection: string) => void,
): void => {
  const { collection } = shape
  const { columns } = row
  const computed = connection.all('SELECT name FROM pragma_table_xinfo(?)', collection.name).map(({ name }) => name)
  for (const field of namedFields(collection))
    if (!columns.includes(field) && !computed.includes(`g_${field}`)) connection.run(addColumn(collection, field))
  if (change.kind === 'breaking') {
    report(collection.name)
    rebuild(connection, shape, change, row.stands)
  }
  const stored = indexNames(connection, collection.name)
  for (const { name, create } of shape.indexes) if (!stored.has(name)) connection.run(create)
  const stands = storedShape(collection, change.tallyNumbers)
  const release = change.kind === 'breaking' ? randomUUID() : row.release
  writeRow(connection, collection, { columns, release, stands })
}

/**
 * Fills new fields and keys, counts new tallies, and drops the indexes and tables that the collection no longer has.
 */
const rebuild = (connection: Connection, shape: Shape, change: ShapeChange, stands: StoredShape): void => {
  const { collection, indexes, tallies, keys } = shape
  const counted = stands.tallies.map(({ number }) => number)
  // A tally may count a field that is filled now.
  const recounted = tallies.filter(({ number }) => change.fieldsToFill.length > 0 || !counted.includes(number))
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

const createKey = (connection: Connection, table: string): void =>
  connection.run(`CREATE TABLE ${table} (text TEXT PRIMARY KEY, id NOT NULL) WITHOUT ROWID`)
