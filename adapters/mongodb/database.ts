import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientSession, Db, Document, MongoClient, ReadConcernLike } from 'mongodb'
import { isSnapshotUnavailable, retryUnsent, type WithTimeout } from './connection.ts'
import type { Doc } from './layout/document.ts'
import { type FindOptions, type ReadRequest, type RequestReader, readInTurn, readTogether } from './requests.ts'
import type { Sessions } from './transactions.ts'

/** Reads the database: its current state, a snapshot, within a transaction, or with query plans. */
export interface DatabaseReader extends RequestReader {
  /** Returns the documents of each request, read with as few commands as possible. */
  readAll(requests: readonly ReadRequest[]): Promise<Document[][]>
}

/** The database with its client, timeout and sessions. */
export interface Database {
  readonly client: MongoClient
  readonly db: Db
  readonly withTimeout: WithTimeout
  readonly sessions: Sessions
  /** Aborted when the process begins to stop. */
  readonly stopping: AbortSignal
}

interface ReadOptions {
  readonly session?: ClientSession
  readonly readConcern?: ReadConcernLike
}

/** The number of documents in the first batch of a result without a limit. */
const BATCH = 1_000

export const readerWith = ({ db, withTimeout }: Database, options: ReadOptions = {}): DatabaseReader => {
  const find: DatabaseReader['find'] = (collection, search) =>
    retryUnsent(withTimeout, () => cursorOf(db, collection, search, options).toArray())
  const aggregate: DatabaseReader['aggregate'] = (collection, pipeline, hint) => {
    const hinted = { ...options, batchSize: BATCH, ...(hint !== undefined && { hint }) }
    return retryUnsent(withTimeout, () =>
      db
        .collection(collection)
        .aggregate([...pipeline], hinted)
        .toArray(),
    )
  }
  // MongoDB rejects `$unionWith` in a transaction.
  const readAll = options.session?.inTransaction() ? readInTurn : readTogether
  return { find, aggregate, readAll: (requests) => readAll(requests, { find, aggregate }) }
}

/**
 * Reads the current state of the primary, which may be lost in a failover. Writes that depend on it are then lost too.
 */
export const localReader = (database: Database): DatabaseReader =>
  readerWith(database, { readConcern: { level: 'local' } })

const cursorOf = (db: Db, collection: string, search: FindOptions, options: ReadOptions) => {
  const { filter, sort, skip, limit, projection, hint } = search
  return db.collection<Doc>(collection).find(filter, {
    ...options,
    // One more than the limit, so that the first batch is also the last.
    batchSize: limit === undefined ? BATCH : limit + 1,
    ...(sort && { sort }),
    ...(skip && { skip }),
    ...(limit !== undefined && { limit }),
    ...(projection && { projection }),
    ...(hint !== undefined && { hint }),
  })
}

const SNAPSHOT_TRIES = 5
const PAUSE_MS = 20

/** Runs reads as of one instant. */
export const inSnapshot = async <T>(database: Database, work: (reader: DatabaseReader) => Promise<T>): Promise<T> => {
  for (let tries = 1; ; tries += 1) {
    const session = database.client.startSession({ snapshot: true })
    try {
      return await work(readerWith(database, { session, readConcern: { level: 'snapshot' } }))
    } catch (error) {
      if (!isSnapshotUnavailable(error) || tries === SNAPSHOT_TRIES) throw error
    } finally {
      await session.endSession()
    }
    await sleep(PAUSE_MS * tries)
  }
}

/** The query plan of one request. */
export interface Explained {
  readonly collection: string
  /** The stages of the plan, from the last to the first: `LIMIT FETCH IXSCAN`. */
  readonly stages: readonly string[]
  readonly indexes: readonly string[]
  readonly keysExamined: number
  readonly docsExamined: number
}

/** Reads the current state and adds the plan of each request to `plans`. */
export const explainingReader = (database: Database, plans: Explained[]): DatabaseReader => {
  const { db } = database
  const now = readerWith(database)
  const reader: RequestReader = {
    find: async (collection, search) => {
      plans.push(explained(collection, await cursorOf(db, collection, search, {}).explain('executionStats')))
      return now.find(collection, search)
    },
    aggregate: async (collection, pipeline, hint) => {
      const cursor = db.collection(collection).aggregate([...pipeline], hint === undefined ? {} : { hint })
      plans.push(explained(collection, await cursor.explain('executionStats')))
      return now.aggregate(collection, pipeline, hint)
    },
  }
  // One after the other, so that each request has its own plan.
  return { ...reader, readAll: (requests) => readInTurn(requests, reader) }
}

const explained = (collection: string, plan: Document): Explained => {
  const stages = parts(winner(plan)).flatMap(({ stage }) => (typeof stage === 'string' ? [stage] : []))
  const indexes = parts(winner(plan)).flatMap(({ indexName }) => (typeof indexName === 'string' ? [indexName] : []))
  const counted = parts(plan).find(({ totalKeysExamined }) => totalKeysExamined !== undefined)
  return {
    collection,
    stages,
    indexes,
    keysExamined: Number(counted?.totalKeysExamined),
    docsExamined: Number(counted?.totalDocsExamined),
  }
}

const winner = (plan: Document): Document => parts(plan).find(({ winningPlan }) => winningPlan)?.winningPlan ?? {}

/** Returns a document and all nested ones, from the outside in. */
const parts = (document: unknown): Document[] => {
  if (Array.isArray(document)) return document.flatMap(parts)
  if (typeof document !== 'object' || document === null) return []
  return [document, ...Object.values(document).flatMap(parts)]
}
