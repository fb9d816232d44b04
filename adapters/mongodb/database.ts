import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientSession, Db, Document, MongoClient, ReadConcernLike, Sort } from 'mongodb'
import { isSnapshotUnavailable, retryUnsent, type WithTimeout } from './connection.ts'
import type { Doc } from './layout/document.ts'
import type { Filter } from './layout/filter.ts'
import type { Sessions } from './transactions.ts'

export interface FindOptions {
  readonly filter: Filter
  readonly sort?: Sort
  readonly skip?: number
  readonly limit?: number
  readonly projection?: Document
  /** The name of the index to go through, where the choice is ours. */
  readonly hint?: string | undefined
}

/** One way of reading the database: as it is, at one instant, within a transaction, or to see how it would be done. */
export interface DatabaseReader {
  find(collection: string, search: FindOptions): Promise<Doc[]>
  aggregate(collection: string, pipeline: readonly Document[], hint: string | undefined): Promise<Document[]>
}

/** The database, and how it is asked. */
export interface Database {
  readonly client: MongoClient
  readonly db: Db
  readonly withTimeout: WithTimeout
  readonly sessions: Sessions
  /** Aborted once the process was told to stop. */
  readonly stopping: AbortSignal
}

interface ReadOptions {
  readonly session?: ClientSession
  readonly readConcern?: ReadConcernLike
}

/** Documents of the first batch of an answer that has no limit. */
const BATCH = 1_000

export const readerWith = ({ db, withTimeout: answered }: Database, options: ReadOptions = {}): DatabaseReader => ({
  find: (collection, search) => retryUnsent(answered, () => cursorOf(db, collection, search, options).toArray()),
  aggregate: (collection, pipeline, hint) => {
    const hinted = { ...options, ...(hint !== undefined && { hint }) }
    return retryUnsent(answered, () =>
      db
        .collection(collection)
        .aggregate([...pipeline], hinted)
        .toArray(),
    )
  },
})

/** What is on the primary now, be it lost again: what is decided by it is lost then too. */
export const localReader = (base: Database): DatabaseReader => readerWith(base, { readConcern: { level: 'local' } })

const cursorOf = (db: Db, collection: string, search: FindOptions, options: ReadOptions) => {
  const { filter, sort, skip, limit, projection, hint } = search
  return db.collection<Doc>(collection).find(filter, {
    ...options,
    // One more than the limit, so that the server knows at once that there is no more to come.
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

/** Reads several times at one instant. */
export const inSnapshot = async <T>(base: Database, work: (reader: DatabaseReader) => Promise<T>): Promise<T> => {
  for (let tries = 1; ; tries += 1) {
    const session = base.client.startSession({ snapshot: true })
    try {
      return await work(readerWith(base, { session, readConcern: { level: 'snapshot' } }))
    } catch (error) {
      if (!isSnapshotUnavailable(error) || tries === SNAPSHOT_TRIES) throw error
    } finally {
      await session.endSession()
    }
    await sleep(PAUSE_MS * tries)
  }
}

/** How the server went about one question. */
export interface Explained {
  readonly collection: string
  /** The stages of its plan, from the last to the first: `LIMIT FETCH IXSCAN`. */
  readonly stages: readonly string[]
  readonly indexes: readonly string[]
  readonly keysExamined: number
  readonly docsExamined: number
}

/** Answers as ever, and tells how. */
export const explainingReader = (base: Database, told: Explained[]): DatabaseReader => {
  const { db } = base
  const reader = readerWith(base)
  return {
    find: async (collection, search) => {
      told.push(explained(collection, await cursorOf(db, collection, search, {}).explain('executionStats')))
      return reader.find(collection, search)
    },
    aggregate: async (collection, pipeline, hint) => {
      const cursor = db.collection(collection).aggregate([...pipeline], hint === undefined ? {} : { hint })
      told.push(explained(collection, await cursor.explain('executionStats')))
      return reader.aggregate(collection, pipeline, hint)
    },
  }
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

/** A document and all that it holds, from the outside in. */
const parts = (document: unknown): Document[] => {
  if (Array.isArray(document)) return document.flatMap(parts)
  if (typeof document !== 'object' || document === null) return []
  return [document, ...Object.values(document).flatMap(parts)]
}
