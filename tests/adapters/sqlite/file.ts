import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ExecutionContext } from 'ava'
import { type OpenDatabase, openDatabase, type Statement } from '../../../adapters/sqlite/connection.ts'
import { type SqliteOptions, type SqliteStore, sqliteStore } from '../../../adapters/sqlite/store.ts'
import type { AnyCollection } from '../../../core/kernel/records/record.ts'
import { thingCollections } from '../../fixtures/things.ts'

export const someFile = async (): Promise<{ readonly path: string; remove(): Promise<void> }> => {
  const folder = await mkdtemp(join(tmpdir(), 'portico-sqlite-'))
  return { path: join(folder, 'store.db'), remove: () => rm(folder, { recursive: true, force: true }) }
}

/** Returns the path of a database file in a temporary folder that is removed after the test. */
export const fileFor = async (t: ExecutionContext): Promise<string> => {
  const { path, remove } = await someFile()
  t.teardown(remove)
  return path
}

/** Opens a store until the end of the test. */
export const openUntilEnd = async (
  t: ExecutionContext,
  path: string,
  collections: readonly AnyCollection[] = thingCollections,
  options?: SqliteOptions,
): Promise<SqliteStore> => {
  const store = await sqliteStore(path, collections, options)
  t.teardown(store.close)
  return store
}

/** Opens databases whose statements run through a function. */
export const openingThrough =
  (through: <A>(sql: string, run: () => A) => A): OpenDatabase =>
  async (file) => {
    const database = await openDatabase(file)
    const prepare = (sql: string): Statement => {
      const statement = database.prepare(sql)
      return {
        run: (...values) => through(sql, () => statement.run(...values)),
        get: (...values) => through(sql, () => statement.get(...values)),
        all: (...values) => through(sql, () => statement.all(...values)),
      }
    }
    return { prepare, close: () => database.close() }
  }
