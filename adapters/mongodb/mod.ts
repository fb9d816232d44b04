import { setTimeout as sleep } from 'node:timers/promises'
import { type AnyCollection, tableOf } from '../../core/kernel/records/collection.ts'
import type { Files } from '../../core/ports/files.ts'
import { type Query, type Store, StoreUnavailable, type Superseded } from '../../core/ports/store.ts'
import { batchWriter, type CommitBatcher, commitBatcher, MAX_BATCHES, reserve, returnIds } from './commits.ts'
import { connect, databaseOf, timeoutFor, toStoreError, withoutSocketTimeout } from './connection.ts'
import {
  type Database,
  type DatabaseReader,
  type Explained,
  explainingReader,
  inSnapshot,
  readerWith,
} from './database.ts'
import { mongoFiles } from './files.ts'
import { shapeOf } from './layout/shape.ts'
import { isSingleRequest, runQuery, searchQueue } from './queries.ts'
import { scan } from './scan.ts'
import { makeCollections, type Report } from './shapes/indexes.ts'
import { LEASE_TIMES, type LeaseTimes } from './shapes/leases.ts'
import { type Steward, stewardOf } from './shapes/steward.ts'
import { sessionsOf } from './transactions.ts'

const PATIENCE_MS = 5_000

export interface MongoOptions {
  /** Told in one line each what an operator should know of the database; by default a warning of the process. */
  readonly report?: Report
  /**
   * Told in one line that a newer release has taken the store over: nothing is written any more, and the process should
   * end. By default a warning of the process.
   */
  readonly superseded?: Superseded
  /** How long, at most, an opening waits for the store to be writable and filled: it goes on beside what is served. */
  readonly patienceMs?: number
  /** How long a process counts as there, and how often it says that it is; the same for all processes of a store. */
  readonly lease?: LeaseTimes
  /** Aborted once the process was told to stop: from then on a commit waits 4 s for what others hold, and 10 s before. */
  readonly stopping?: AbortSignal
}

export interface MongoStore extends Store {
  /** Files beside the records: every process serves what another took. */
  readonly files: Files
  /** Waits until all that its collections need is made: indexes, filled fields, tallies. It serves meanwhile. */
  settled(): Promise<void>
  /** How the server answers an ask, one row for each of its questions; for tests. */
  explain(ask: Query): Promise<readonly Explained[]>
}

/**
 * The store that many processes share: a replica set of MongoDB 5.0 or newer. Makes the
 * collections and indexes that are missing. Rejects with one line where the server cannot be used.
 * Source: design, section 3.
 */
export const mongoStore = async (
  url: string,
  collections: readonly AnyCollection[],
  options: MongoOptions = {},
): Promise<MongoStore> => {
  const warn = (line: string): void => process.emitWarning(line)
  const { report = warn, superseded = warn, patienceMs = PATIENCE_MS, lease = LEASE_TIMES } = options
  const { stopping = new AbortController().signal } = options
  const table = tableOf(collections)
  for (const collection of table.values()) shapeOf(collection)
  const client = await connect(url)
  const answered = timeoutFor(client)
  const sessions = sessionsOf(client, answered, MAX_BATCHES)
  const base: Database = { client, db: client.db(databaseOf(url)), withTimeout: answered, sessions, stopping }
  try {
    await makeCollections(base, [...table.values()])
    let drain = () => Promise.resolve()
    const steward = await stewardOf(base, table, {
      report,
      superseded,
      times: lease,
      patiently: withoutSocketTimeout(url),
      drain: () => drain(),
    })
    const commits = commitBatcher(batchWriter(base, steward.shapes, steward.permit))
    drain = commits.close
    const waited = new AbortController()
    const { signal } = waited
    await Promise.race([steward.settled(), sleep(patienceMs, undefined, { ref: false, signal }).catch(() => {})])
    waited.abort()
    return storeOf(base, steward, commits)
  } catch (error) {
    await client.close()
    throw toStoreError(error)
  }
}

const storeOf = (base: Database, steward: Steward, commits: CommitBatcher): MongoStore => {
  const { shapes } = steward
  const now = readerWith(base)
  const inOwnersLine = searchQueue()
  let closing: Promise<void> | null = null

  const knownShape = (name: string) => {
    if (closing) throw new StoreUnavailable('the store is closed')
    const shape = shapes.get(name)
    if (!shape) throw new Error(`no collection ${name}: the store was opened without it`)
    return shape
  }
  const shapeFor = (name: string) => {
    steward.assertReadable()
    return knownShape(name)
  }
  const told = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      throw toStoreError(error)
    })
  const together = <T>(work: (reader: DatabaseReader) => Promise<T>): Promise<T> => told(inSnapshot(base, work))
  const one = async (ask: Query): Promise<unknown> => {
    const shape = shapeFor(ask.from.name)
    return inOwnersLine(ask, () =>
      isSingleRequest(shape, ask)
        ? told(runQuery(shape, ask, now))
        : together((reader) => runQuery(shape, ask, reader)),
    )
  }
  const read = async (asks: Readonly<Record<string, Query>>): Promise<Record<string, unknown>> => {
    const entries = Object.entries(asks).map(([key, ask]) => ({ key, ask, shape: shapeFor(ask.from.name) }))
    const [first] = entries
    if (!first) return {}
    if (entries.length === 1) return { [first.key]: await one(first.ask) }
    return together(async (reader) => {
      const answers: Record<string, unknown> = {}
      // In turn: the first question finds the instant, and a session takes one at a time.
      for (const { key, ask, shape } of entries) answers[key] = await runQuery(shape, ask, reader)
      return answers
    })
  }

  return {
    collections: [...shapes.keys()],
    system: 'mongodb',
    files: mongoFiles(base),
    // An answer is of its ask's own type, which a document cannot tell the compiler.
    find: (ask) => one(ask) as Promise<never>,
    list: (ask) => one(ask) as Promise<never>,
    group: (ask) => one(ask) as Promise<never>,
    read: (asks) => read(asks) as Promise<never>,
    async *scan(from, where) {
      const readers = { now: toldReader(now, told), atOneInstant: together }
      yield* scan(shapeFor(from.name), where, readers) as AsyncIterable<never>
    },
    commit: async (changes, hook) => {
      steward.assertWritable()
      return commits.commit(hook ? { changes, hook } : { changes })
    },
    settled: steward.settled,
    reserve: async (collection, count) => told(reserve(base, knownShape(collection).collection.name, count)),
    returnIds: async (collection, next, end) =>
      told(returnIds(base, knownShape(collection).collection.name, next, end)),
    explain: async (ask) => {
      const rows: Explained[] = []
      await runQuery(shapeFor(ask.from.name), ask, explainingReader(base, rows))
      return rows
    },
    close: () => {
      // A server that is gone cannot be told, and nothing is lost by that.
      closing ??= steward.end().then(() => base.withTimeout(() => base.client.close()).catch(() => {}))
      return closing
    },
  }
}

const toldReader = (reader: DatabaseReader, told: <T>(work: Promise<T>) => Promise<T>): DatabaseReader => ({
  find: (collection, search) => told(reader.find(collection, search)),
  aggregate: (collection, pipeline, hint) => told(reader.aggregate(collection, pipeline, hint)),
})
