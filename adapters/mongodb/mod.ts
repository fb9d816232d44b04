import type { AnyCollection } from '../../core/kernel/records/record.ts'
import { ofCollection, tableOf } from '../../core/kernel/records/table.ts'
import type { Files } from '../../core/ports/files.ts'
import { type Query, type Store, StoreUnavailable, type Superseded } from '../../core/ports/store.ts'
import { batchWriter, type CommitBatcher, commitBatcher, MAX_BATCHES, reserve, returnIds } from './commits.ts'
import { connect, databaseOf, timeoutFor, toStoreError, translated, withoutSocketTimeout } from './connection.ts'
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
import { isSingleRequest, prepareQuery, runQueries, scan, searchQueue } from './queries.ts'
import { RecentDocs } from './recent-docs.ts'
import type { RequestReader } from './requests.ts'
import { makeCollections, type Report } from './schema/indexes.ts'
import { openSchema, type Schema } from './schema/open.ts'
import { LEASE_TIMES, type LeaseTimes } from './schema/processes.ts'
import { sessionsOf } from './transactions.ts'

export interface MongoOptions {
  /** Rejects if the database has no store, instead of creating one. False by default. */
  readonly mustExist?: boolean
  /** Receives messages for operators, one line each; by default emits process warnings. */
  readonly report?: Report
  /**
   * Called when a newer release has taken the store over. This process can write no more and should end. By default
   * emits a process warning.
   */
  readonly superseded?: Superseded
  /** The duration and the renewal of the lease of a process. Must be equal in all processes of a store. */
  readonly lease?: LeaseTimes
  /** Aborted when the process begins to stop: commits are then retried for 4 s instead of 10 s. */
  readonly stopping?: AbortSignal
}

export interface MongoStore extends Store {
  /** Files in the same database, shared by all processes. */
  readonly files: Files
  /** Returns the query plan of each request that a query needs, for tests. */
  explain(query: Query): Promise<readonly Explained[]>
}

/**
 * Opens a store that many processes share: a replica set or a sharded cluster of MongoDB 5.0 or later. Creates missing
 * collections and indexes, and migrates the records first if this release needs it. Rejects with one line if the server
 * cannot be used.
 */
export const mongoStore = async (
  url: string,
  collections: readonly AnyCollection[],
  options: MongoOptions = {},
): Promise<MongoStore> => {
  const warn = (line: string): void => process.emitWarning(line)
  const { report = warn, superseded = warn, lease = LEASE_TIMES, mustExist = false } = options
  const { stopping = new AbortController().signal } = options
  const table = tableOf(collections)
  for (const collection of table.values()) shapeOf(collection)
  const client = await connect(url)
  const withTimeout = timeoutFor(client)
  const sessions = sessionsOf(client, withTimeout, MAX_BATCHES)
  const database: Database = { client, db: client.db(databaseOf(url)), withTimeout, sessions, stopping }
  try {
    await makeCollections(database, [...table.values()], mustExist)
    let drain = () => Promise.resolve()
    const schema = await openSchema(database, [...table.values()], {
      report,
      superseded,
      times: lease,
      withoutSocketTimeout: withoutSocketTimeout(url),
      drain: () => drain(),
    })
    const recent = new RecentDocs()
    const commits = commitBatcher(batchWriter(database, schema.shapes, schema.permit, recent))
    drain = commits.close
    return storeOf(database, schema, commits, recent)
  } catch (error) {
    await client.close()
    throw toStoreError(error)
  }
}

const storeOf = (database: Database, schema: Schema, commits: CommitBatcher, recent: RecentDocs): MongoStore => {
  const { shapes } = schema
  const now = readerWith(database)
  const queued = searchQueue()
  let closing: Promise<void> | null = null

  const knownShape = (name: string) => {
    if (closing) throw new StoreUnavailable('the store is closed')
    return ofCollection(shapes, name)
  }
  const shapeFor = (name: string) => {
    schema.assertOwn()
    return knownShape(name)
  }
  const asOfOneInstant = <T>(work: (reader: DatabaseReader) => Promise<T>): Promise<T> =>
    translated(() => inSnapshot(database, work))
  const one = async (query: Query): Promise<unknown> => {
    const prepared = prepareQuery(shapeFor(query.from.name), query, recent)
    const run = async (reader: DatabaseReader) => (await runQueries([prepared], reader))[0]
    return queued(query, () => (isSingleRequest(prepared) ? translated(() => run(now)) : asOfOneInstant(run)))
  }
  const read = async (queries: Readonly<Record<string, Query>>): Promise<Record<string, unknown>> => {
    const names = Object.keys(queries)
    const [first, ...others] = Object.values(queries)
    if (first && others.length === 0) return { [names[0] ?? '']: await one(first) }
    const prepared = Object.values(queries).map((query) => prepareQuery(shapeFor(query.from.name), query, recent))
    const results = await asOfOneInstant((reader) => runQueries(prepared, reader))
    return Object.fromEntries(names.map((name, index) => [name, results[index]]))
  }

  return {
    collections: [...shapes.keys()],
    system: 'mongodb',
    files: mongoFiles(database),
    // The type of a result follows from its query, which the compiler cannot check.
    find: (query) => one(query) as Promise<never>,
    list: (query) => one(query) as Promise<never>,
    group: (query) => one(query) as Promise<never>,
    read: (queries) => read(queries) as Promise<never>,
    async *scan(from, where) {
      yield* scan(shapeFor(from.name), where, translatingReader(now), asOfOneInstant) as AsyncIterable<never>
    },
    commit: async (changes, hook) => {
      schema.assertOwn()
      return commits.commit(hook ? { changes, hook } : { changes })
    },
    reserve: (collection, count) => translated(() => reserve(database, knownShape(collection).collection.name, count)),
    returnIds: (collection, next, end) =>
      translated(() => returnIds(database, knownShape(collection).collection.name, next, end)),
    explain: async (query) => {
      const rows: Explained[] = []
      await runQueries([prepareQuery(shapeFor(query.from.name), query)], explainingReader(database, rows))
      return rows
    },
    close: () => {
      // An unreachable server ends the sessions by itself.
      closing ??= schema.close().then(() => database.withTimeout(() => database.client.close()).catch(() => {}))
      return closing
    },
  }
}

const translatingReader = (reader: RequestReader): RequestReader => ({
  find: (collection, search) => translated(() => reader.find(collection, search)),
  aggregate: (collection, pipeline, hint) => translated(() => reader.aggregate(collection, pipeline, hint)),
})
