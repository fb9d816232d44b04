import type { AnyCollection } from '../../../core/kernel/records/collection.ts'
import {
  newerFields,
  newerReleaseMessage,
  shapeChange,
  storedShape,
  usedFields,
} from '../../../core/kernel/records/stored-shape.ts'
import { addColumn, createTable, namedFields } from '../columns.ts'
import type { Connection } from '../connection.ts'
import { keyTable, type Shape, shapeOf } from '../schema.ts'
import { quoted } from '../sql.ts'
import { laidFrom } from './earlier-shape.ts'
import { freshLaid, type Laid, laidText, releaseOf, writeLaid } from './laid.ts'
import { forgetPlace } from './place.ts'

// Names of collections have no underscore, so no name of ours is one of theirs.
const OWN_TABLES = [
  'CREATE TABLE IF NOT EXISTS _shapes (collection TEXT PRIMARY KEY, shape TEXT NOT NULL) WITHOUT ROWID',
  'CREATE TABLE IF NOT EXISTS _sequences (collection TEXT PRIMARY KEY, next INTEGER NOT NULL) WITHOUT ROWID',
  'CREATE TABLE IF NOT EXISTS _places (collection TEXT PRIMARY KEY, last NOT NULL) WITHOUT ROWID',
]

/**
 * Takes the file into hand, in one transaction that reads no record: makes the tables of new collections, adds columns,
 * drops what is gone, and writes down what stands. What is missing is made while the store serves. Collections that are
 * not named are another program's and stay as they are. Throws where a later release has written what this one would lose.
 */
export const migrate = (connection: Connection, collections: readonly AnyCollection[]): void =>
  connection.transaction(() => {
    for (const table of OWN_TABLES) connection.run(table)
    for (const collection of collections) {
      const text = laidText(connection, collection.name)
      if (text === null) begin(connection, collection)
      else takeOver(connection, collection, laidFrom(collection, text))
    }
  })

/**
 * Reports whether the file is exactly as this release writes it, with nothing left to build. Throws if a later release has
 * written what this one would lose. Writes nothing.
 */
export const isCurrent = (connection: Connection, collections: readonly AnyCollection[]): boolean =>
  connection.snapshot(() => {
    const hasShapes = connection.get("SELECT 1 FROM sqlite_schema WHERE name = '_shapes'") !== undefined
    const states = collections.map((collection) => {
      const text = hasShapes ? laidText(connection, collection.name) : null
      if (text === null) return false
      const laid = laidFrom(collection, text)
      if (laid.release !== releaseOf(collection)) {
        refuseNewer(laid, collection)
        return false
      }
      const { missing } = shapeOf(collection, laid)
      return Object.values(missing).every((rows) => rows.length === 0)
    })
    return states.every((state) => state)
  })

const refuseNewer = ({ stands }: Laid, collection: AnyCollection): void => {
  const newer = newerFields(stands, collection)
  if (newer.length > 0) throw new Error(newerReleaseMessage(collection.name, newer))
}

const begin = (connection: Connection, collection: AnyCollection): void => {
  const laid = freshLaid(collection)
  const { indexes, tallies, keys } = shapeOf(collection, laid)
  connection.run(createTable(collection, laid.columns))
  for (const index of indexes) connection.run(index.create)
  for (const tally of tallies) if (tally) connection.run(tally.create)
  for (const table of keys.values()) createKey(connection, table)
  writeLaid(connection, collection.name, laid)
}

const takeOver = (connection: Connection, collection: AnyCollection, before: Laid): void => {
  const { name, ids } = collection
  if (before.stands.ids !== ids) throw new Error(`${name} has ${before.stands.ids} ids in the file`)
  const release = releaseOf(collection)
  if (before.release === release) return
  refuseNewer(before, collection)
  // A column that nothing names any more is kept all the same: a later release may name it again.
  const { columns } = before
  const laid: Laid = { columns, release, stands: stillStanding(collection, before) }
  const shape = shapeOf(collection, laid)
  dropOthers(connection, shape)
  for (const field of namedFields(collection)) {
    if (!columns.includes(field) && !hasColumn(connection, name, `g_${field}`))
      connection.run(addColumn(collection, field))
  }
  for (const key of shape.missing.keys) createKey(connection, keyTable(name, key))
  forgetPlace(connection, name)
  writeLaid(connection, name, laid)
}

/** A tally that names a field which is still to be filled counts what its records do not say yet. */
const stillStanding = (collection: AnyCollection, { stands }: Laid): Laid['stands'] => {
  const { fieldsToFill, tallyNumbers, newTallies } = shapeChange(stands, collection)
  const own = storedShape(collection, tallyNumbers)
  const isNew = new Set(newTallies.map(({ at }) => at))
  const waits = (at: number): boolean => {
    const row = collection.tallies?.[at]
    return row !== undefined && usedFields(collection, row).some((field) => fieldsToFill.includes(field))
  }
  return {
    ...own,
    upgrades: own.upgrades.filter((field) => stands.upgrades.includes(field)),
    keys: own.keys.filter((key) => stands.keys.includes(key)),
    indexes: own.indexes.filter((definition) => stands.indexes.includes(definition)),
    tallies: own.tallies.filter((_, at) => !isNew.has(at) && !waits(at)),
  }
}

/** Drops the indexes of the table and the tables beside it that do not stand. */
const dropOthers = (connection: Connection, { collection, laid, indexes, tallies, keys }: Shape): void => {
  const standing = new Set([
    ...indexes.map(({ name }) => name),
    ...tallies.map((tally) => tally?.table),
    ...laid.stands.keys.map((key) => keys.get(key)),
  ])
  const beside = `${collection.name}_`
  const sql =
    'SELECT type, name FROM sqlite_schema WHERE sql IS NOT NULL AND ' +
    `(type = 'index' AND tbl_name = ? OR type = 'table' AND substr(name, 1, length(?)) = ?)`
  for (const { type, name } of connection.all(sql, collection.name, beside, beside)) {
    const called = quoted(String(name))
    if (!standing.has(called)) connection.run(`DROP ${type === 'index' ? 'INDEX' : 'TABLE'} ${called}`)
  }
}

const hasColumn = (connection: Connection, table: string, column: string): boolean =>
  connection.get('SELECT 1 FROM pragma_table_xinfo(?) WHERE name = ?', table, column) !== undefined

const createKey = (connection: Connection, table: string): void =>
  connection.run(`CREATE TABLE ${table} (text TEXT PRIMARY KEY, id NOT NULL) WITHOUT ROWID`)
