import { dirname, resolve } from 'node:path'
import { emitWarning } from 'node:process'
import { type AnyCollection, tableOf } from '../../core/kernel/records/collection.ts'
import { type Query, type Store, StoreUnavailable, StoreUnwritable, type Superseded } from '../../core/ports/store.ts'
import { makeDirectory } from '../files/replace-file.ts'
import { background } from './builder/background.ts'
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
import { cheapestPath, execute, locatePage } from './execute.ts'
import type { Plan } from './plan.ts'
import { planOf } from './plan.ts'
import { queryRunner, scan } from './queries.ts'
import { readerPool } from './reader/reader-pool.ts'
import type { Shape } from './schema.ts'
import type { Sql } from './sql.ts'
import { type CurrentShapes, currentShapes } from './tables/current-shapes.ts'
import { isCurrent, migrate } from './tables/migrate.ts'

export interface SqliteOptions {
  /** How long a call waits while another process holds the file, in milliseconds. */
  readonly busyWaitMs?: number
  readonly open?: OpenDatabase
  /** By default a warning of the process. */
  readonly superseded?: Superseded
  /**
   * Opens the file for reading alone and leaves no trace beside it. Rejects with `StoreUnwritable` if this release would
   * first have to change the file.
   */
  readonly readOnly?: boolean
}

export interface SqliteStore extends Store {
  /** The query plan of an ask, as text, for tests. */
  explain(ask: Query): Promise<string>
  settled(): Promise<void>
}

/**
 * The embedded store: one file, safe to share between processes of one machine. Makes the file, which is its owner's alone.
 * What the collections say that is not made of its records yet is made while it serves. Commits that wait in the same turn
 * of the loop share one transaction and one flush.
 */
export const sqliteStore = async (
  path: string,
  collections: readonly AnyCollection[],
  { busyWaitMs = BUSY_WAIT_MS, open = openDatabase, superseded = emitWarning, readOnly = false }: SqliteOptions = {},
): Promise<SqliteStore> => {
  const table = [...tableOf(collections).values()]
  const file = resolve(path)
  const database = await openFile(file, open, readOnly)
  try {
    const connection = await retryWhileBusy(() => connect(database, { readOnly }), busyWaitMs)
    if (!readOnly) await retryWhileBusy(() => migrate(connection, table), busyWaitMs)
    else if (!(await retryWhileBusy(() => isCurrent(connection, table), busyWaitMs)))
      throw new StoreUnwritable(`${file} is of another release and must be upgraded first`)
    const takenOver = () => superseded(`${file}: another release has taken the store over`)
    const shapes = currentShapes(connection, table, takenOver)
    await retryWhileBusy(() => connection.snapshot(shapes.refresh), busyWaitMs)
    return storeOf({ file, connection, shapes, busyWaitMs, readOnly })
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
  readonly shapes: CurrentShapes
  readonly busyWaitMs: number
  readonly readOnly: boolean
}

/** Threads would open the file for writing: a store that is only read answers in its own. */
const withoutThreads = ({ connection, busyWaitMs }: Opened) => ({
  readers: {
    run: (plans: readonly Plan[]) =>
      retryWhileBusy(() => connection.snapshot(() => plans.map((plan) => execute(connection, plan))), busyWaitMs),
    close: async () => {},
  },
  making: { settled: async () => {}, close: async () => {} },
})

const storeOf = (opened: Opened): SqliteStore => {
  const { file, connection, shapes, busyWaitMs, readOnly } = opened
  const cache = queryCache(connection)
  const write = batchWriter({ connection, shapes: shapes.now, cache })
  const commits = commitBatcher({ connection, write, guard: shapes.refresh, busyWaitMs })
  const { readers, making } = readOnly
    ? withoutThreads(opened)
    : { readers: readerPool(file), making: background({ ...opened, rewrote: cache.clear }) }
  let closing: Promise<void> | null = null

  const shapeFor = (name: string): Shape => {
    if (closing) throw new StoreUnavailable('the store is closed')
    const shape = shapes.now().get(name)
    if (!shape) throw new Error(`no collection ${name}: the store was opened without it`)
    return shape
  }
  const queries = queryRunner({ connection, readers, cache, busyWaitMs, shapeFor })
  const ours = async <T>(answering: Promise<T>): Promise<T> => {
    try {
      return await answering
    } catch (error) {
      assertOurs(opened)
      throw error
    }
  }
  const one = async (asked: Query): Promise<unknown> => (await ours(queries.runAll([asked])))[0]

  return {
    collections: [...shapes.now().keys()],
    system: 'sqlite',
    // An answer is of its ask's own type, which SQL cannot tell the compiler.
    find: (asked) => one(asked) as Promise<never>,
    list: (asked) => one(asked) as Promise<never>,
    group: (asked) => one(asked) as Promise<never>,
    read: async (asks) => {
      const answers = await ours(queries.runAll(Object.values(asks)))
      return Object.fromEntries(Object.keys(asks).map((key, at) => [key, answers[at]])) as never
    },
    async *scan(from, where) {
      yield* scan(shapeFor(from.name), where, (plan) => ours(queries.run(plan))) as AsyncIterable<never>
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
    explain: async (asked) => explain(connection, planOf(shapeFor(asked.from.name), asked)),
    settled: making.settled,
    close: () => {
      closing ??= Promise.all([commits.close(), readers.close(), making.close()]).then(() => connection.close())
      return closing
    },
  }
}

/** Another release may have dropped what a plan names. */
const assertOurs = ({ connection, shapes }: Opened): void => {
  try {
    connection.snapshot(shapes.refresh)
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error
  }
}

const explain = (connection: Connection, plan: Plan): string => {
  const steps = statements(connection, plan).flatMap(({ text, values }) =>
    connection.all(`EXPLAIN QUERY PLAN ${text}`, ...values),
  )
  return steps.map(({ detail }) => String(detail)).join('\n')
}

/** Those that answer, along the path that is taken now. */
const statements = (connection: Connection, plan: Plan): readonly Sql[] => {
  if (plan.kind !== 'page') return [plan.sql]
  const { place } = locatePage(connection, plan)
  const way = place && (place.isForward ? place.path.forward : place.path.backward)
  const found = place && way ? [{ ...way, values: [...way.values, place.size, place.offset] }] : []
  const counting = cheapestPath(connection, plan.paths, { page: null })
  const total = plan.wantsTotal ? (plan.tally ?? counting?.total) : null
  return [...found, ...(total ? [total] : [])]
}
