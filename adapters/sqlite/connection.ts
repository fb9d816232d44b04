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
  /** Runs the work in one transaction that writes; rolled back when it throws. */
  transaction<T>(work: () => T): T
  /**
   * Runs reads at one instant. Reads that follow each other without a wait in between share it: a transaction to read in
   * takes and gives back a lock of the file, which costs more than a read by id.
   */
  snapshot<T>(work: () => T): T
  /**
   * Another number once another connection has written, as of the instant of the snapshot or transaction that is open.
   * Source: sqlite.org/pragma.html#pragma_data_version
   */
  dataVersion(): number
  close(): void
}

const MAX_STATEMENTS = 1_000

/**
 * Where SQLite sees that a condition can never hold, it refuses the index that the query names; any way will do then.
 */
const prepare = (database: Database, text: string): Statement => {
  try {
    return database.prepare(text)
  } catch (error) {
    if (!(error instanceof Error && error.message.includes('no query solution'))) throw error
    return database.prepare(text.replaceAll(/ INDEXED BY "[^"]*"/g, ''))
  }
}

/** Sees to what every connection needs. It holds the database as long as it is held: a collected one crashes Node 20. */
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

  /** As of the beginning of what is open. */
  let version = 0
  const lookAtVersion = (): number => {
    version = Number(statement('PRAGMA data_version').get()?.data_version)
    return version
  }

  const within = <T>(begin: string, work: () => T): T => {
    statement(begin).run()
    isWriting = true
    try {
      lookAtVersion()
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
      // A full disk or a failed write has rolled back already; the first error is the one to tell.
    }
  }

  // Ends before the loop goes on to its next event: nobody can have told this process of another one's commit sooner.
  let isReading = false
  let isWriting = false
  const read = (): void => {
    if (isReading) return
    statement('BEGIN').run()
    isReading = true
    // Ticks go before the promises that are resolved already, and after all that follows from these.
    queueMicrotask(() => nextTick(stopReading))
    lookAtVersion()
  }
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
    transaction: (work) => {
      stopReading()
      return within('BEGIN IMMEDIATE', work)
    },
    snapshot: (work) => {
      read()
      return work()
    },
    dataVersion: () => (isReading || isWriting ? version : lookAtVersion()),
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
  // The driver waits in the loop's own thread, so it never waits: the adapter tries again by a timer.
  'busy_timeout=0',
  'temp_store=MEMORY',
  'cache_size=-65536',
]

const WRITER_PRAGMAS = [
  'journal_mode=WAL',
  // FULL flushes the log at every commit: one that was acknowledged survives a power cut as far as the disk keeps its
  // word, and a killed process in any case. NORMAL would be several times as fast and lose the last commits.
  'synchronous=FULL',
  'journal_size_limit=67108864',
]

export type SqlValue = null | number | string | Uint8Array
export type Row = Readonly<Record<string, SqlValue>>

/** What this adapter uses of a prepared statement, alike in every driver. */
export interface Statement {
  run(...values: readonly SqlValue[]): unknown
  get(...values: readonly SqlValue[]): Row | undefined
  all(...values: readonly SqlValue[]): Row[]
}

/** What this adapter uses of a `DatabaseSync`. */
export interface Database {
  prepare(sql: string): Statement
  close(): void
}

export interface OpenOptions {
  readonly readOnly?: boolean
}

export type OpenDatabase = (path: string, options?: OpenOptions) => Promise<Database>

interface Driver {
  readonly DatabaseSync: new (path: string, options?: OpenOptions) => object
}

// A variable, since the types of the oldest supported Node do not know this module.
const BUILT_IN: string = 'node:sqlite'

/** `node:sqlite` where the runtime has it, and where not the package with the same interface. */
const driver = async (): Promise<Driver> => {
  try {
    return (await import(BUILT_IN)) as Driver
  } catch {
    return packaged()
  }
}

const NONE = 'this runtime has no SQLite (Node has it since 22.13): npm install @photostructure/sqlite'

const packaged = async (): Promise<Driver> => {
  try {
    return await import('@photostructure/sqlite')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') throw new Error(NONE)
    throw error
  }
}

export const openDatabase: OpenDatabase = async (path, options = {}) => {
  const { DatabaseSync } = await driver()
  return new DatabaseSync(path, options) as Database
}

// The extended code carries the primary one in its lowest byte. Source: sqlite.org/rescode.html
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

/** Another connection holds what this one needs: worth another try. */
export const isBusy = (error: unknown): boolean => isOneOf([BUSY, LOCKED, PROTOCOL], error)

/** What the caller gets to see: a store that is full, read-only or broken takes no commits; one that is busy is away. */
export const toStoreError = (error: unknown): unknown => {
  if (isOneOf([READONLY, IO_ERROR, FULL], error))
    return new StoreUnwritable('the database cannot be written now', { cause: error })
  return isBusy(error) || isOneOf([CANNOT_OPEN], error)
    ? new StoreUnavailable('the database cannot be used now', { cause: error })
    : error
}

/** How long a call waits for another process that holds the file. */
export const BUSY_WAIT_MS = 5_000
const LONGEST_PAUSE_MS = 8

/** Does the work, again while another process is in its way, leaving the loop free meanwhile; then `StoreUnavailable`. */
export const retryWhileBusy = async <T>(work: () => T, waitMs: number): Promise<T> => {
  const end = performance.now() + waitMs
  for (let pauseMs = 1; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    try {
      return work()
    } catch (error) {
      if (!isBusy(error) || performance.now() >= end) throw toStoreError(error)
    }
    // At random, so that two processes do not keep meeting.
    await sleep(pauseMs * Math.random() + 0.5)
  }
}

/** The other end of a side thread that has a connection of its own. */
export const serveDatabaseThread = async <Work, Result>(
  start: (connection: Connection) => (work: Work) => Promise<Result>,
): Promise<void> => {
  const database = await openDatabase(workerData)
  const connection = await retryWhileBusy(() => connect(database), BUSY_WAIT_MS)
  serveThread(start(connection), () => connection.close())
}
