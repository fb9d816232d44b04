import { nextTick } from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { workerData } from 'node:worker_threads'
import { StoreUnavailable, StoreUnwritable } from '../../core/ports/store.ts'
import { serveThread } from '../concurrency/side-thread.ts'

/** An open database file with its prepared statements. */
export interface Connection {
  run(text: string, ...values: readonly SqlValue[]): void
  get(text: string, ...values: readonly SqlValue[]): Row | undefined
  all(text: string, ...values: readonly SqlValue[]): Row[]
  /**
   * Runs the work in one write transaction, which is rolled back if the work throws. Unless `isFlushed`, a power cut
   * may undo it until the next flushed transaction.
   */
  transaction<T>(work: () => T, options?: { readonly isFlushed?: boolean }): T
  /**
   * Runs reads as of one instant. Consecutive reads in one turn of the event loop share a read transaction: to lock and
   * unlock the file costs more than a read by id.
   */
  snapshot<T>(work: () => T): T
  /**
   * Returns a number that changes when another connection has written (`PRAGMA data_version`), as of the open snapshot
   * or transaction.
   */
  dataVersion(): number
  /** Moves the write-ahead log into the file and truncates it, unless another process has locked the file. */
  truncateLog(): void
  close(): void
}

const MAX_STATEMENTS = 1_000

/** SQLite rejects `INDEXED BY` if the condition can never hold. The query is then prepared without it. */
const prepare = (database: Database, text: string): Statement => {
  try {
    return database.prepare(text)
  } catch (error) {
    if (!(error instanceof Error && error.message.includes('no query solution'))) throw error
    return database.prepare(text.replaceAll(/ INDEXED BY "[^"]*"/g, ''))
  }
}

/** Sets up a connection. It keeps a reference to the database: Node 20 crashes if an open one is garbage-collected. */
export const connect = (database: Database, { readOnly = false }: OpenOptions = {}): Connection => {
  const statements = new Map<string, Statement>()

  const statement = (text: string): Statement => {
    const known = statements.get(text)
    if (known) return known
    const made = prepare(database, text)
    const oldest = statements.size < MAX_STATEMENTS ? undefined : statements.keys().next().value
    if (oldest !== undefined) statements.delete(oldest)
    statements.set(text, made)
    return made
  }

  /** As of the start of the open snapshot or transaction. */
  let version = 0
  let isFlushing = true
  const setFlushing = (wanted: boolean): void => {
    if (wanted === isFlushing) return
    // A prepared statement would set it only once.
    prepare(database, `PRAGMA synchronous=${wanted ? 'FULL' : 'NORMAL'}`).get()
    isFlushing = wanted
  }
  const readVersion = (): number => {
    version = Number(statement('PRAGMA data_version').get()?.data_version)
    return version
  }

  const within = <T>(begin: string, work: () => T): T => {
    statement(begin).run()
    isWriting = true
    try {
      readVersion()
      const result = work()
      statement('COMMIT').run()
      return result
    } catch (error) {
      rollBack()
      throw error
    } finally {
      isWriting = false
    }
  }

  const rollBack = (): void => {
    try {
      statement('ROLLBACK').run()
    } catch {
      // A full disk or a failed write has already rolled back. The first error is reported.
    }
  }

  // The read transaction ends before the next event of the loop, so no event can report a commit that it does not see.
  let isReading = false
  let isWriting = false
  const read = (): void => {
    if (isReading) return
    statement('BEGIN').run()
    isReading = true
    // Runs after all promise callbacks that follow from this turn, and before the next event.
    queueMicrotask(endReading)
    readVersion()
  }
  const endReading = (): void => nextTick(stopReading)
  const stopReading = (): void => {
    if (!isReading) return
    isReading = false
    try {
      statement('COMMIT').run()
    } catch {
      rollBack()
    }
  }

  const connection: Connection = {
    run: (text, ...values) => {
      statement(text).run(...values)
    },
    get: (text, ...values) => statement(text).get(...values),
    all: (text, ...values) => statement(text).all(...values),
    transaction: (work, { isFlushed = true } = {}) => {
      stopReading()
      setFlushing(isFlushed)
      return within('BEGIN IMMEDIATE', work)
    },
    snapshot: (work) => {
      read()
      return work()
    },
    dataVersion: () => (isReading || isWriting ? version : readVersion()),
    truncateLog: () => {
      stopReading()
      try {
        connection.get('PRAGMA wal_checkpoint(TRUNCATE)')
      } catch {
        // Another process has locked the file; the next truncation does more.
      }
    },
    close: () => {
      stopReading()
      statements.clear()
      database.close()
    },
  }
  for (const pragma of readOnly ? PRAGMAS : [...PRAGMAS, ...WRITER_PRAGMAS]) connection.get(`PRAGMA ${pragma}`)
  return connection
}

const PRAGMAS = [
  // The driver would block the event loop: the adapter retries by a timer instead.
  'busy_timeout=0',
  'temp_store=MEMORY',
  'cache_size=-65536',
]

const WRITER_PRAGMAS = [
  'journal_mode=WAL',
  // FULL flushes the log at every commit, so acknowledged commits survive a power cut, if the disk honours the flush.
  // NORMAL is several times as fast and would lose the last commits.
  'synchronous=FULL',
  'journal_size_limit=67108864',
  // Overwrites freed space with zeros: else erased personal data would stay in the file.
  'secure_delete=ON',
]

export type SqlValue = null | number | string | Uint8Array
export type Row = Readonly<Record<string, SqlValue>>

/** The part of a prepared statement that this adapter uses. All drivers have it. */
export interface Statement {
  run(...values: readonly SqlValue[]): unknown
  get(...values: readonly SqlValue[]): Row | undefined
  all(...values: readonly SqlValue[]): Row[]
}

/** The part of `DatabaseSync` that this adapter uses. */
export interface Database {
  prepare(sql: string): Statement
  close(): void
}

interface OpenOptions {
  readonly readOnly?: boolean
}

export type OpenDatabase = (path: string, options?: OpenOptions) => Promise<Database>

interface Driver {
  readonly DatabaseSync: new (path: string, options?: OpenOptions) => object
}

// A variable, because the types of the oldest supported Node lack this module.
const BUILT_IN: string = 'node:sqlite'

/** Returns `node:sqlite` if the runtime has it, else the package with the same interface. */
const driver = async (): Promise<Driver> => {
  try {
    return (await import(BUILT_IN)) as Driver
  } catch {
    return fromPackage()
  }
}

const NO_DRIVER = 'this runtime has no SQLite (Node has it since 22.13): npm install @photostructure/sqlite'

const fromPackage = async (): Promise<Driver> => {
  try {
    return await import('@photostructure/sqlite')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') throw new Error(NO_DRIVER)
    throw error
  }
}

export const openDatabase: OpenDatabase = async (path, options = {}) => {
  const { DatabaseSync } = await driver()
  return new DatabaseSync(path, options) as Database
}

// An extended result code has the primary code in its lowest byte (sqlite.org/rescode.html).
const PRIMARY_CODE = 0xff
const BUSY = 5
const LOCKED = 6
const READONLY = 8
const IO_ERROR = 10
const FULL = 13
const CANNOT_OPEN = 14
const PROTOCOL = 15

const codeOf = (error: unknown): number | null =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
    ? error.errcode & PRIMARY_CODE
    : null

const isOneOf = (codes: readonly number[], error: unknown): boolean => codes.some((code) => code === codeOf(error))

/** Reports whether another connection holds a lock, so that a retry can succeed. */
const isBusy = (error: unknown): boolean => isOneOf([BUSY, LOCKED, PROTOCOL], error)

/**
 * Translates errors of SQLite: `StoreUnwritable` if it is full, read-only or damaged, `StoreUnavailable` if it is busy.
 */
const toStoreError = (error: unknown): unknown => {
  if (isOneOf([READONLY, IO_ERROR, FULL], error))
    return new StoreUnwritable('the database cannot be written', { cause: error })
  return isBusy(error) || isOneOf([CANNOT_OPEN], error)
    ? new StoreUnavailable('the database is unavailable', { cause: error })
    : error
}

/** The longest wait of a call for a process that has locked the file. */
export const BUSY_WAIT_MS = 5_000
const LONGEST_PAUSE_MS = 8

/**
 * Does the work, with retries while another process has locked the file. Rejects with `StoreUnavailable` after
 * `waitMs`.
 */
export const retryWhileBusy = async <T>(work: () => T, waitMs: number): Promise<T> => {
  const end = performance.now() + waitMs
  for (let pauseMs = 1; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    try {
      return work()
    } catch (error) {
      if (!isBusy(error) || performance.now() >= end) throw toStoreError(error)
    }
    // Random, so that two processes do not collide again.
    await sleep(pauseMs * Math.random() + 0.5)
  }
}

/** Runs a side thread that has its own connection to the database. */
export const serveDatabaseThread = async <Work, Result>(
  start: (connection: Connection) => (work: Work) => Promise<Result>,
): Promise<void> => {
  const database = await openDatabase(workerData)
  const connection = await retryWhileBusy(() => connect(database), BUSY_WAIT_MS)
  serveThread(start(connection), () => connection.close())
}
