import { dirname, resolve } from 'node:path'
import { emitWarning } from 'node:process'
import { conjuncts, FIRST_PAGE, SCAN_IDS, scanRecords } from '../../core/kernel/planner/access-paths.ts'
import { fillMissingFields } from '../../core/kernel/records/missing-fields.ts'
import type { AnyCollection, Rec, Where } from '../../core/kernel/records/record.ts'
import { ofCollection, tableOf } from '../../core/kernel/records/table.ts'
import type { GroupRow } from '../../core/kernel/records/tally.ts'
import {
  type Group,
  type Listed,
  type Query,
  type Store,
  StoreUnavailable,
  StoreUnwritable,
  type Superseded,
} from '../../core/ports/store.ts'
import { makeDirectory } from '../files/disk-files.ts'
import { type QueryCache, queryCache } from './cache.ts'
import { batchWriter, commitBatcher, reserve, returnIds } from './commits.ts'
import {
  BUSY_WAIT_MS,
  type Connection,
  connect,
  type Database,
  type OpenDatabase,
  openDatabase,
  type Row,
  retryWhileBusy,
} from './connection.ts'
import { createDatabaseFile } from './database-file.ts'
import { execute, executeAll, isLongPage, locatePage, type RawPage, type RawResult } from './execute.ts'
import { ALWAYS_LONG, ownerIn, type Plan, pagePlan, planOf } from './plan.ts'
import { type ReaderPool, readerPool } from './reader/reader-pool.ts'
import { conditionSql, type Shape, tableWith } from './schema.ts'
import { bindValues, fromSql, type Sql } from './sql.ts'
import { ownershipCheck, readUpgraded, upgradeFile } from './upgrade.ts'

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
  /**
   * The time between two truncations of the write-ahead log, which contains overwritten and erased records until then;
   * a minute by default. A truncation is skipped while a process reads.
   */
  readonly truncateLogMs?: number
}

export interface SqliteStore extends Store {
  /** Returns the query plan of a query as text, for tests. */
  explain(query: Query): Promise<string>
}

/**
 * Opens the embedded store: one file, which processes of one machine can share. Creates the file, if there is none,
 * readable by its owner only. Upgrades a file of an earlier release first. Commits of one turn of the event loop
 * share one transaction and one flush.
 */
export const sqliteStore = async (
  path: string,
  collections: readonly AnyCollection[],
  options: SqliteOptions = {},
): Promise<SqliteStore> => {
  const { busyWaitMs = BUSY_WAIT_MS, open = openDatabase, superseded = emitWarning, readOnly = false } = options
  const { truncateLogMs = TRUNCATE_LOG_MS } = options
  const report = (name: string) => options.report?.(`${file}: ${name} is upgraded for this release`)
  const table = [...tableOf(collections).values()]
  const file = resolve(path)
  const database = await openFile(file, open, readOnly)
  try {
    const connection = await retryWhileBusy(() => connect(database, { readOnly }), busyWaitMs)
    const upgrade = readOnly ? readUpgraded : upgradeFile
    const upgraded = await retryWhileBusy(() => upgrade(connection, table, report), busyWaitMs)
    if (upgraded === null)
      throw new StoreUnwritable(`${file} was written by another release and must be upgraded first`)
    const takenOver = () => superseded(`${file}: another release has taken the store over`)
    const assertOwn = ownershipCheck(connection, upgraded, takenOver)
    return storeOf({ file, connection, shapes: upgraded.shapes, assertOwn, busyWaitMs, readOnly, truncateLogMs })
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
  readonly truncateLogMs: number
}

/** Threads open the file for writing, so a read-only store runs all queries in this thread. */
const withoutThreads = ({ connection, busyWaitMs }: Opened): ReaderPool => ({
  run: (plans) => executeAll(connection, plans, busyWaitMs),
  close: async () => {},
})

const TAKEOVER_CHECK_MS = 1_000
const TRUNCATE_LOG_MS = 60_000

const storeOf = (opened: Opened): SqliteStore => {
  const { file, connection, shapes, assertOwn, busyWaitMs, readOnly, truncateLogMs } = opened
  const cache = queryCache(connection)
  const write = batchWriter({ connection, shapes, cache })
  const commits = commitBatcher({ connection, write, guard: assertOwn, busyWaitMs })
  const readers = readOnly ? withoutThreads(opened) : readerPool(file)
  // Lets a process that writes nothing detect that another release has taken over.
  const watch = setInterval(() => isTakenOver(opened), TAKEOVER_CHECK_MS).unref()
  const truncation = readOnly ? undefined : setInterval(connection.truncateLog, truncateLogMs).unref()
  let closing: Promise<void> | null = null

  const assertOpen = (): void => {
    if (closing) throw new StoreUnavailable('the store is closed')
  }
  const shapeFor = (name: string): Shape => {
    assertOpen()
    return ofCollection(shapes, name)
  }
  const orTakenOver = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work
    } catch (error) {
      if (isTakenOver(opened)) assertOwn()
      throw error
    }
  }
  const queries = queryRunner({ connection, readers, cache, busyWaitMs, assertOpen, shapeFor, orTakenOver })

  return {
    collections: [...shapes.keys()],
    system: 'sqlite',
    // The type of a result follows from its query, which the compiler cannot check.
    find: (query) => queries.runOne(query) as Promise<never>,
    list: (query) => queries.runOne(query) as Promise<never>,
    group: (query) => queries.runOne(query) as Promise<never>,
    read: (wanted) => queries.runAll(wanted) as Promise<never>,
    async *scan(from, where) {
      yield* scan(shapeFor(from.name), where, queries.runPlan) as AsyncIterable<never>
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
      clearInterval(truncation)
      closing ??= Promise.all([commits.close(), readers.close()]).then(() => {
        // The package for Node 20 keeps the file open until its statements are collected, and would leave the log.
        if (!readOnly) connection.truncateLog()
        connection.close()
      })
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
  const { place, counting } = locatePage(connection, plan)
  const page = place && (place.isForward ? place.path.forward : place.path.backward)
  const found = place && page ? [{ ...page, values: [...page.values, place.size, place.offset] }] : []
  const total = plan.wantsTotal ? counting() : null
  return [...found, ...(total ? [total] : [])]
}

/** Runs queries in this thread, or in a reader thread if they may take long. */
interface QueryRunner {
  runOne(query: Query): Promise<unknown>
  /** Runs queries as of one instant. */
  runAll(queries: Queries): Promise<Readonly<Record<string, unknown>>>
  /** Runs a plan and returns the raw result. */
  runPlan(plan: Plan): Promise<RawResult | undefined>
}

type Queries = Readonly<Record<string, Query>>

interface Parts {
  readonly connection: Connection
  readonly readers: ReaderPool
  readonly cache: QueryCache
  readonly busyWaitMs: number
  readonly assertOpen: () => void
  readonly shapeFor: (collection: string) => Shape
  /** Replaces the error of failed work if another release has taken over. */
  readonly orTakenOver: <T>(work: Promise<T>) => Promise<T>
}

/** After so many reads the event loop gets a turn, because commits are written at the end of a turn. */
const READS_A_TURN = 64

const queryRunner = (parts: Parts): QueryRunner => {
  const { connection, readers, cache, busyWaitMs, assertOpen, shapeFor, orTakenOver } = parts
  let reads = 0
  const isLong = (plan: Plan): boolean => {
    const { longProbe } = plan
    if (longProbe !== null) return connection.get(longProbe.text, ...longProbe.values) !== undefined
    return plan.kind === 'page' && isLongPage(connection, plan)
  }
  /** Returns undefined if a reader thread must run it. */
  const readInThisThread = (query: Query): unknown => {
    const shape = shapeFor(query.from.name)
    const cached = cache.get(query)
    if (cached !== undefined) return cached
    const plan = planOf(shape, query)
    if (isLong(plan)) return undefined
    const raw = execute(connection, plan)
    const result = resultOf(shape.collection, query, raw)
    cache.put(query, result, charsOf(raw))
    return result
  }
  const readAllInThisThread = (queries: Queries): Readonly<Record<string, unknown>> | undefined => {
    const results: Record<string, unknown> = {}
    for (const name in queries) {
      const query = queries[name]
      const result = query && readInThisThread(query)
      if (result === undefined) return undefined
      results[name] = result
    }
    return results
  }
  const readInReader = async (queries: Queries): Promise<Readonly<Record<string, unknown>>> => {
    const all = Object.entries(queries).map(([name, query]) => ({ name, query, shape: shapeFor(query.from.name) }))
    const raws = await readers.run(all.map(({ shape, query }) => planOf(shape, query)))
    return Object.fromEntries(
      all.map(({ name, query, shape }, at) => [name, resultOf(shape.collection, query, raws[at])]),
    )
  }

  const snapshot = <T>(inThisThread: () => T): T => {
    assertOpen()
    return connection.snapshot(inThisThread)
  }
  /**
   * Most reads end within the call, because an asynchronous function would cost more than the read. A failed read is
   * repeated with retries, which report its error.
   */
  const inSnapshot = <T>(inThisThread: () => T | undefined, inReader: () => Promise<T>): Promise<T> => {
    reads += 1
    const isTurnOver = reads % READS_A_TURN === 0
    if (!isTurnOver) {
      try {
        const result = snapshot(inThisThread)
        return result === undefined ? orTakenOver(inReader()) : Promise.resolve(result)
      } catch {}
    }
    return orTakenOver(withRetries(isTurnOver, inThisThread, inReader))
  }
  const withRetries = async <T>(
    isTurnOver: boolean,
    inThisThread: () => T | undefined,
    inReader: () => Promise<T>,
  ): Promise<T> => {
    if (isTurnOver) await new Promise((resolve) => setImmediate(resolve))
    const result = await retryWhileBusy(() => snapshot(inThisThread), busyWaitMs)
    return result === undefined ? inReader() : result
  }

  return {
    runOne: (query) =>
      inSnapshot(
        () => readInThisThread(query),
        async () => (await readInReader({ query })).query,
      ),
    runAll: (queries) =>
      inSnapshot(
        () => readAllInThisThread(queries),
        () => readInReader(queries),
      ),
    runPlan: (plan) =>
      inSnapshot(
        () => (isLong(plan) ? undefined : execute(connection, plan)),
        async () => (await readers.run([plan]))[0],
      ),
  }
}

/** A row of a group has a few scalar values. */
const CHARS_OF_A_ROW = 100

const resultOf = (collection: AnyCollection, query: Query, raw: RawResult | undefined): unknown => {
  if (raw?.kind === 'page') return pageOf(collection, raw)
  if (raw?.kind === 'rows' && query.kind === 'group') return groupRows(query, raw.rows)
  return raw?.kind === 'doc' && raw.doc !== null ? fillMissingFields(collection)(JSON.parse(raw.doc)) : null
}

const pageOf = (collection: AnyCollection, { docs, isBackward, total }: RawPage): Listed<Rec> => {
  const stored: Rec[] = docs === null ? [] : JSON.parse(docs)
  const records = stored.map(fillMissingFields(collection))
  return { records: isBackward ? records.reverse() : records, total }
}

const groupRows = ({ by, sum }: Group<Rec>, rows: readonly Row[]): GroupRow[] =>
  rows.map((row) => ({
    by: Object.fromEntries(by.map((field, index) => [field, fromSql(row[`b${index}`])])),
    count: Number(row.n),
    sums: Object.fromEntries(sum.map((field, index) => [field, Number(row[`s${index}`])])),
  }))

const charsOf = (raw: RawResult | undefined): number => {
  if (raw?.kind === 'doc') return raw.doc?.length ?? 0
  if (raw?.kind === 'page') return raw.docs?.length ?? 0
  return (raw?.rows.length ?? 0) * CHARS_OF_A_ROW
}

type RunPlan = (plan: Plan) => Promise<RawResult | undefined>

/** Yields all matching records by id, without an open transaction between the pages. */
const scan = (shape: Shape, where: Where, run: RunPlan): AsyncIterable<Rec> =>
  scanRecords(shape, where, {
    async records(some, limit) {
      const plan = pagePlan(shape, { kind: 'list', from: shape.collection, where: some, limit })
      const raw = await run({ ...plan, longProbe: plan.longProbe ?? (limit === FIRST_PAGE ? null : ALWAYS_LONG) })
      return raw?.kind === 'page' ? pageOf(shape.collection, raw).records : []
    },
    async ids(some, index) {
      const sql = bindValues((bind) => {
        const found = `SELECT id FROM ${tableWith(shape, index)} WHERE ${conditionSql(shape, some, undefined, bind)}`
        return `SELECT json_group_array(id) AS ids FROM (${found} ORDER BY id LIMIT ${SCAN_IDS})`
      })
      const raw = await run({ kind: 'rows', sql, longProbe: ALWAYS_LONG, owner: ownerIn(shape, conjuncts(some)) })
      return raw?.kind === 'rows' ? JSON.parse(String(raw.rows[0]?.ids ?? '[]')) : []
    },
  })
