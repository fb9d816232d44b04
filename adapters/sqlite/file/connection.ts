import { nextTick } from 'node:process'
import type { Database, OpenOptions, Row, SqlValue, Statement } from './driver.ts'

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
