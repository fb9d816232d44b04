import { dirname, resolve } from 'node:path'
import { emitWarning } from 'node:process'
import { type AnyCollection, tableOf } from '../../core/kernel/records/record.ts'
import { type Query, type Store, StoreUnavailable, StoreUnwritable, type Superseded } from '../../core/ports/store.ts'
import { makeDirectory } from '../files/disk-files.ts'
import { queryCache } from './cache.ts'
import { batchWriter, commitBatcher, reserve, returnIds } from './commits.ts'
import {
  BUSY_WAIT_MS,
  type Connection,
  connect,
  type Database,
  type OpenDatabase,
  openDatabase,
  retryWhileBusy,
} from './connection.ts'
import { createDatabaseFile } from './database-file.ts'
import { cheapestPath, executeAll, locatePage } from './execute.ts'
import { type Plan, planOf } from './plan.ts'
import { queryRunner, scan } from './queries.ts'
import { type ReaderPool, readerPool } from './reader/reader-pool.ts'
import type { Shape } from './schema.ts'
import type { Sql } from './sql.ts'
import { ownershipCheck, readUpgraded, shapesOf, upgradeFile } from './upgrade.ts'

export interface SqliteOptions {
  /** The longest wait of a call while another process has locked the file. */
  readonly busyWaitMs?: number
  readonly open?: OpenDatabase
  /** Called when a newer release has taken the file over; by default emits a process warning. */
  readonly superseded?: Superseded
  /** Receives a line for each collection that is upgraded before the store opens, which may take minutes. */
  readonly report?: (line: string) => void
  /**
   * Opens the file for reading only and creates no file beside it. Rejects with `StoreUnwritable` if this release would
   * have to upgrade the file first.
   */
  readonly readOnly?: boolean
}

export interface SqliteStore extends Store {
  /** Returns the query plan of a query as text, for tests. */
  explain(query: Query): Promise<string>
}

/**
 * Opens the embedded store: one file, which processes of one machine can share. Creates the file, if there is none,
 * readable by its owner only. The file is upgraded first, if this release needs more of it. Commits of one turn
 * of the event loop share one transaction and one flush.
 */
export const sqliteStore = async (
  path: string,
  collections: readonly AnyCollection[],
  options: SqliteOptions = {},
): Promise<SqliteStore> => {
  const { busyWaitMs = BUSY_WAIT_MS, open = openDatabase, superseded = emitWarning, readOnly = false } = options
  const report = (name: string) => options.report?.(`${file}: ${name} is upgraded for this release`)
  const table = [...tableOf(collections).values()]
  const file = resolve(path)
  const database = await openFile(file, open, readOnly)
  try {
    const connection = await retryWhileBusy(() => connect(database, { readOnly }), busyWaitMs)
    const upgrade = readOnly ? readUpgraded : upgradeFile
    const rows = await retryWhileBusy(() => upgrade(connection, table, report), busyWaitMs)
    if (rows === null) throw new StoreUnwritable(`${file} was written by another release and must be upgraded first`)
    const takenOver = () => superseded(`${file}: another release has taken the store over`)
    const assertOwn = ownershipCheck(connection, table, rows, takenOver)
    return storeOf({ file, connection, shapes: shapesOf(table, rows), assertOwn, busyWaitMs, readOnly })
  } catch (error) {
    database.close()
    throw error
  }
}

const openFile = async (file: string, open: OpenDatabase, readOnly: boolean): Promise<Database> => {
  try {
    if (readOnly) return await open(file, { readOnly })
    await makeDirectory(dirname(file))
    await createDatabaseFile(file, open)
    return await open(file)
  } catch (error) {
    const why = error instanceof Error ? error.message : error
    throw new StoreUnavailable(`${file} cannot be opened: ${why}`, { cause: error })
  }
}

interface Opened {
  readonly file: string
  readonly connection: Connection
  readonly shapes: ReadonlyMap<string, Shape>
  /** Throws `StoreUnavailable` after another release has taken over; in a transaction or snapshot. */
  readonly assertOwn: () => void
  readonly busyWaitMs: number
  readonly readOnly: boolean
}

/** Threads open the file for writing, so a read-only store runs all queries in this thread. */
const withoutThreads = ({ connection, busyWaitMs }: Opened): ReaderPool => ({
  run: (plans) => executeAll(connection, plans, busyWaitMs),
  close: async () => {},
})

const LOOK_EVERY_MS = 1_000

const storeOf = (opened: Opened): SqliteStore => {
  const { file, connection, shapes, assertOwn, busyWaitMs, readOnly } = opened
  const cache = queryCache(connection)
  const write = batchWriter({ connection, shapes, cache })
  const commits = commitBatcher({ connection, write, guard: assertOwn, busyWaitMs })
  const readers = readOnly ? withoutThreads(opened) : readerPool(file)
  // A process that writes nothing also learns that another release has taken over.
  const watch = setInterval(() => isTakenOver(opened), LOOK_EVERY_MS).unref()
  let closing: Promise<void> | null = null

  const shapeFor = (name: string): Shape => {
    if (closing) throw new StoreUnavailable('the store is closed')
    const shape = shapes.get(name)
    if (!shape) throw new Error(`no collection ${name}: the store was opened without it`)
    return shape
  }
  const queries = queryRunner({ connection, readers, cache, busyWaitMs, shapeFor })
  const orTakenOver = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work
    } catch (error) {
      if (isTakenOver(opened)) assertOwn()
      throw error
    }
  }
  const one = async (query: Query): Promise<unknown> => (await orTakenOver(queries.runAll([query])))[0]

  return {
    collections: [...shapes.keys()],
    system: 'sqlite',
    // The type of a result follows from its query, which the compiler cannot check.
    find: (query) => one(query) as Promise<never>,
    list: (query) => one(query) as Promise<never>,
    group: (query) => one(query) as Promise<never>,
    read: async (wanted) => {
      const results = await orTakenOver(queries.runAll(Object.values(wanted)))
      return Object.fromEntries(Object.keys(wanted).map((key, at) => [key, results[at]])) as never
    },
    async *scan(from, where) {
      yield* scan(shapeFor(from.name), where, (plan) => orTakenOver(queries.run(plan))) as AsyncIterable<never>
    },
    commit: (changes, hook) => commits.commit(hook ? { changes, hook } : { changes }),
    reserve: async (collection, count) => {
      const { name } = shapeFor(collection).collection
      let first = 0
      await commits.run(() => {
        first = reserve(connection, name, count)
      })
      return first
    },
    returnIds: async (collection, next, end) => {
      const { name } = shapeFor(collection).collection
      await commits.run(() => returnIds(connection, name, next, end))
    },
    explain: async (query) => explain(connection, planOf(shapeFor(query.from.name), query)),
    close: () => {
      clearInterval(watch)
      closing ??= Promise.all([commits.close(), readers.close()]).then(() => connection.close())
      return closing
    },
  }
}

/** Reports whether another release has taken over: it may have dropped a table that a plan names. */
const isTakenOver = ({ connection, assertOwn }: Opened): boolean => {
  try {
    connection.snapshot(assertOwn)
    return false
  } catch (error) {
    return error instanceof StoreUnavailable
  }
}

const explain = (connection: Connection, plan: Plan): string => {
  const steps = statements(connection, plan).flatMap(({ text, values }) =>
    connection.all(`EXPLAIN QUERY PLAN ${text}`, ...values),
  )
  return steps.map(({ detail }) => String(detail)).join('\n')
}

/** Returns the statements of a plan along the path that is the cheapest now. */
const statements = (connection: Connection, plan: Plan): readonly Sql[] => {
  if (plan.kind !== 'page') return [plan.sql]
  const { place } = locatePage(connection, plan)
  const page = place && (place.isForward ? place.path.forward : place.path.backward)
  const found = place && page ? [{ ...page, values: [...page.values, place.size, place.offset] }] : []
  const counting = cheapestPath(connection, plan.paths, { page: null })
  const total = plan.wantsTotal ? (plan.tally ?? counting?.total) : null
  return [...found, ...(total ? [total] : [])]
}
