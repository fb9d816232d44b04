import type { Id, Rec } from '../../../core/kernel/records/collection.ts'
import { missingAsNull } from '../../../core/kernel/records/missing-fields.ts'
import { StoreUnavailable } from '../../../core/ports/store.ts'
import type { Connection } from '../file/connection.ts'
import { createTable, type Shape } from './schema.ts'
import { quoted, withinDoc } from './values.ts'

// Names of collections have no underscore, so no name of ours is one of theirs.
const OWN_TABLES = [
  'CREATE TABLE IF NOT EXISTS _shapes (collection TEXT PRIMARY KEY, shape TEXT NOT NULL) WITHOUT ROWID',
  'CREATE TABLE IF NOT EXISTS _sequences (collection TEXT PRIMARY KEY, next INTEGER NOT NULL) WITHOUT ROWID',
]
const RECORDS_AT_ONCE = 1_000

/** What of a shape lies in the file, by name; compared as text. */
interface Laid {
  readonly ids: string
  readonly fields: readonly string[]
  readonly indexes: Readonly<Record<string, string>>
  readonly tallies: Readonly<Record<string, string>>
  readonly keys: readonly string[]
}

const layOf = ({ collection, fields, indexes, tallies, keys }: Shape): Laid => ({
  ids: collection.ids,
  fields,
  indexes: Object.fromEntries(indexes.map(({ name, create }) => [name, create])),
  tallies: Object.fromEntries(tallies.map(({ table, create, fill }) => [table, `${create}; ${fill}`])),
  keys: [...keys.values()],
})

const laidText = (connection: Connection, { collection }: Shape): string | undefined =>
  connection.get('SELECT shape FROM _shapes WHERE collection = ?', collection.name)?.shape?.toString()

const versionOf = (connection: Connection): number => Number(connection.get('PRAGMA user_version')?.user_version)

/**
 * Brings the file to what the collections say, in one transaction: makes what is missing, remakes what has changed,
 * drops what is gone. Collections that are not named are another program's and stay as they are. A unique key is
 * known by its name: a key whose function changes needs a new one. Answers the version of the file's tables.
 */
export const migrate = (connection: Connection, shapes: readonly Shape[]): number =>
  connection.transaction(() => {
    for (const table of OWN_TABLES) connection.run(table)
    const changed = shapes.filter((shape) => laidText(connection, shape) !== JSON.stringify(layOf(shape)))
    for (const shape of changed) lay(connection, shape)
    if (changed.length > 0) connection.run(`PRAGMA user_version = ${versionOf(connection) + 1}`)
    return versionOf(connection)
  })

/** Throws, within a transaction, where a newer program has changed the tables: writing on would falsify its tallies. */
export const shapeGuard = (connection: Connection, shapes: readonly Shape[], since: number): (() => void) => {
  let known = since
  return () => {
    const version = versionOf(connection)
    if (version === known) return
    const isOurs = shapes.every((shape) => laidText(connection, shape) === JSON.stringify(layOf(shape)))
    if (!isOurs) throw new StoreUnavailable('another version of the program has changed the tables')
    known = version
  }
}

const lay = (connection: Connection, shape: Shape): void => {
  const text = laidText(connection, shape)
  const before: Laid | null = text === undefined ? null : JSON.parse(text)
  const after = layOf(shape)
  if (before && before.ids !== after.ids) throw new Error(`${shape.collection.name} has ${before.ids} ids in the file`)
  layTable(connection, shape, before)
  layTallies(connection, shape, before?.tallies ?? {})
  layKeys(connection, shape, before?.keys ?? [])
  connection.run('INSERT OR REPLACE INTO _shapes VALUES (?, ?)', shape.collection.name, JSON.stringify(after))
}

const layTable = (connection: Connection, shape: Shape, before: Laid | null): void => {
  const { table, fields, indexes } = shape
  const keep = before !== null && before.fields.join() === fields.join()
  if (before === null) connection.run(createTable(shape, table))
  else if (!keep) remake(connection, shape)
  const there = keep ? before.indexes : {}
  const wanted = new Map(indexes.map(({ name, create }) => [name, create]))
  for (const [name, create] of Object.entries(there))
    if (wanted.get(name) !== create) connection.run(`DROP INDEX ${name}`)
  for (const [name, create] of wanted) if (there[name] !== create) connection.run(create)
}

/** The columns come out of the stored records; the indexes fall with the old table. */
const remake = (connection: Connection, shape: Shape): void => {
  const made = quoted(`${shape.collection.name}_new`)
  connection.run(createTable(shape, made))
  const columns = ['id', ...shape.fields.map(withinDoc), 'doc']
  connection.run(`INSERT INTO ${made} SELECT ${columns.join(', ')} FROM ${shape.table} ORDER BY id`)
  connection.run(`DROP TABLE ${shape.table}`)
  connection.run(`ALTER TABLE ${made} RENAME TO ${shape.table}`)
}

const layTallies = (connection: Connection, { tallies }: Shape, there: Laid['tallies']): void => {
  const wanted = new Map(tallies.map((tally) => [tally.table, `${tally.create}; ${tally.fill}`]))
  for (const [table, made] of Object.entries(there)) {
    if (wanted.get(table) !== made) connection.run(`DROP TABLE ${table}`)
  }
  for (const { table, create, fill } of tallies) {
    if (there[table] === wanted.get(table)) continue
    connection.run(create)
    connection.run(fill)
  }
}

const layKeys = (connection: Connection, shape: Shape, there: readonly string[]): void => {
  const wanted = [...shape.keys.values()]
  for (const table of there) if (!wanted.includes(table)) connection.run(`DROP TABLE ${table}`)
  for (const [key, table] of shape.keys) {
    if (there.includes(table)) continue
    connection.run(`CREATE TABLE ${table} (text TEXT PRIMARY KEY, id NOT NULL) WITHOUT ROWID`)
    const textOf = shape.collection.keys?.[key]
    for (const record of everyRecord(connection, shape)) {
      const text = textOf?.(record) ?? null
      if (text !== null) connection.run(`INSERT INTO ${table} VALUES (?, ?)`, text, record.id)
    }
  }
}

function* everyRecord(connection: Connection, { collection, table }: Shape): Iterable<Rec> {
  const fill = missingAsNull(collection)
  let last: Id | null = null
  for (;;) {
    const after: string = last === null ? '' : 'WHERE id > ? '
    const sql = `SELECT doc FROM ${table} ${after}ORDER BY id LIMIT ${RECORDS_AT_ONCE}`
    const rows = connection.all(sql, ...(last === null ? [] : [last]))
    for (const { doc } of rows) {
      const record = fill<Rec>(JSON.parse(String(doc)))
      yield record
      last = record.id
    }
    if (rows.length < RECORDS_AT_ONCE) return
  }
}
