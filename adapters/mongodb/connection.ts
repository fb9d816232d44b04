import {
  type Db,
  type Document,
  MongoBulkWriteError,
  MongoClient,
  type MongoClientOptions,
  MongoError,
  MongoNetworkError,
  MongoNetworkTimeoutError,
  MongoServerError,
  MongoServerSelectionError,
  MongoWriteConcernError,
} from 'mongodb'
import { StoreUnavailable, StoreUnwritable } from '../../core/ports/store.ts'

/** The time in which the server must answer. */
export const RESPONSE_TIMEOUT_MS = 20_000
/** How long a call looks for a primary, a connection takes, and a caller waits for a free one. */
const WAIT_MS = 5_000
const DATABASE = 'portico'
/** MongoDB 5.0: the first whose snapshots can be read outside of transactions. */
const OLDEST_WIRE_VERSION = 13

// Money: what is acknowledged is on the disks of a majority, what is read is too, and all of it through the primary.
const SAFE: MongoClientOptions = {
  retryWrites: true,
  retryReads: true,
  writeConcern: { w: 'majority', journal: true },
  readConcern: { level: 'majority' },
  readPreference: 'primary',
}

// A bound that the URL names itself is the URL's.
const BOUNDS = {
  serverSelectionTimeoutMS: WAIT_MS,
  connectTimeoutMS: WAIT_MS,
  waitQueueTimeoutMS: WAIT_MS,
  socketTimeoutMS: RESPONSE_TIMEOUT_MS,
  heartbeatFrequencyMS: WAIT_MS,
  appName: 'portico',
} as const

/** A client that is connected to a replica set or a sharded cluster. Rejects with one line that says what is wrong. */
export const connect = async (url: string): Promise<MongoClient> => {
  const client = clientOf(url)
  const hosts = client.options.hosts.join(',')
  try {
    await client.connect()
    refuse(await client.db('admin').command({ hello: 1 }), hosts)
    return client
  } catch (error) {
    await client.close()
    throw error instanceof MongoServerSelectionError ? cannotReach(error, hosts) : error
  }
}

/** Does something with the database for which no answer comes soon. */
export type WithoutSocketTimeout = <T>(work: (db: Db) => Promise<T>) => Promise<T>

/** Through a client of its own: the driver gives up an index that takes longer than its socket may be silent, and so may the server. */
export const withoutSocketTimeout =
  (url: string): WithoutSocketTimeout =>
  async (work) => {
    const client = clientOf(url, { socketTimeoutMS: 0 })
    try {
      return await work(client.db(databaseOf(url)))
    } finally {
      await client.close()
    }
  }

export const databaseOf = (url: string): string => /^[^/]+:\/\/[^/]+\/([^?]+)/.exec(url)?.[1] ?? DATABASE

const clientOf = (url: string, more: MongoClientOptions = {}): MongoClient => {
  const named = new Set([...new URLSearchParams(url.split('?')[1]).keys()].map((name) => name.toLowerCase()))
  const bounds = Object.entries(BOUNDS).filter(([name]) => !named.has(name.toLowerCase()))
  return new MongoClient(url, { ...Object.fromEntries(bounds), ...SAFE, ...more })
}

const INITIATE = 'start it with --replSet rs0 and run rs.initiate() once, also where it is the only one'

const refuse = (hello: Document, hosts: string): void => {
  if (hello.maxWireVersion < OLDEST_WIRE_VERSION) throw new Error(`MongoDB at ${hosts} is older than 5.0`)
  if (hello.isreplicaset) throw new Error(`MongoDB at ${hosts} is not initiated: run rs.initiate() once`)
  // A router of a sharded cluster says so in `msg`.
  if (hello.setName === undefined && hello.msg !== 'isdbgrid')
    throw new Error(`MongoDB at ${hosts} is a standalone server, which has no transactions: ${INITIATE}`)
}

/** The driver waits for a primary where a member was never initiated: that is to be said, and not that nobody answers. */
const cannotReach = (error: MongoServerSelectionError, hosts: string): Error => {
  const servers = [...(error.reason?.servers?.values() ?? [])]
  if (servers.some(({ type }) => type === 'RSGhost'))
    return new Error(`MongoDB at ${hosts} is not initiated: run rs.initiate() once`)
  return new StoreUnavailable(`MongoDB at ${hosts} cannot be reached: ${error.message}`, { cause: error })
}

/** Asks the driver, and waits for its answer, but not for ever. */
export type WithTimeout = <T>(ask: () => Promise<T>) => Promise<T>

/**
 * The driver (7.9) has no bound of its own for a connection that ends in the very moment in which it is written to: it
 * waits for a socket that is gone, or passes on the socket's own error and asks no second time.
 */
export const timeoutFor = ({ options }: Pick<MongoClient, 'options'>): WithTimeout => {
  const { serverSelectionTimeoutMS, socketTimeoutMS } = options
  const withinMs = serverSelectionTimeoutMS + (socketTimeoutMS || RESPONSE_TIMEOUT_MS)
  return (ask) => bounded(ask(), withinMs)
}

/** The same for a question: what was never sent is asked again. A write is not: the driver may have sent it before. */
export const retryUnsent = async <T>(answered: WithTimeout, ask: () => Promise<T>): Promise<T> => {
  try {
    return await answered(ask)
  } catch (error) {
    if (!isUnsent(error)) throw error
  }
  return answered(ask)
}

const bounded = <T>(work: Promise<T>, ms: number): Promise<T> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new MongoNetworkTimeoutError(`no answer in ${ms} ms`)), ms)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })

const DUPLICATE_KEY = 11000
const NO_SUCH_TRANSACTION = 251
const SNAPSHOT_UNAVAILABLE = 246
const NAMESPACE_EXISTS = 48
const OUT_OF_DISK_SPACE = 14031
const DOCUMENT_VALIDATION_FAILURE = 121

// Hosts that cannot be reached, primaries that are none any more, waits that came to their end, conflicts that went on
// for too long. Source: MongoDB's error codes.
const UNAVAILABLE_CODES: ReadonlySet<unknown> = new Set([
  6, 7, 24, 50, 64, 79, 89, 91, 100, 112, 134, 189, 202, 225, 239, 246, 251, 262, 290, 384, 9001, 10107, 11600, 11601,
  11602, 13388, 13435, 13436,
])
// What the driver itself cannot go on with: no connection free in time, a pool or a client that is closed.
const UNAVAILABLE_NAMES: ReadonlySet<string> = new Set([
  'MongoWaitQueueTimeoutError',
  'MongoPoolClearedError',
  'MongoPoolClosedError',
  'MongoTopologyClosedError',
  'MongoServerClosedError',
  'MongoStalePrimaryError',
  'MongoNotConnectedError',
  'MongoClientClosedError',
  'MongoExpiredSessionError',
  'MongoOperationTimeoutError',
])
const GONE_CODES: ReadonlySet<unknown> = new Set(['EPIPE', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END'])
const LABELS = ['TransientTransactionError', 'UnknownTransactionCommitResult', 'RetryableWriteError']

const hasCode = (error: unknown, code: number): boolean => error instanceof MongoServerError && error.code === code

/** A unique index refused it: the transaction did not happen. */
export const isDuplicate = (error: unknown): boolean => hasCode(error, DUPLICATE_KEY)

/** The transaction did not happen, and may if it is run again. */
export const isTransient = (error: unknown): boolean =>
  error instanceof MongoError && error.hasErrorLabel('TransientTransactionError')

/** The server knows nothing of the transaction (any more). */
export const isUnknownTransaction = (error: unknown): boolean => hasCode(error, NO_SUCH_TRANSACTION)

/** A time that cannot be read at for now: collections or indexes are just being made. */
export const isSnapshotUnavailable = (error: unknown): boolean => hasCode(error, SNAPSHOT_UNAVAILABLE)

/** The collection takes only what is written for another generation of shapes than this was. */
export const isValidationFailure = (error: unknown): boolean => hasCode(error, DOCUMENT_VALIDATION_FAILURE)

/** The collection is there already. */
export const isExistingCollection = (error: unknown): boolean => hasCode(error, NAMESPACE_EXISTS)

/** A store that is gone, stepping down or too busy. What it was asked for may have happened. */
export const isUnavailable = (error: unknown): boolean =>
  error instanceof MongoError ? isAway(error) : isUnsent(error)

/** The socket was gone before it was written to: an error of the socket's own, which the driver lets through. */
export const isUnsent = (error: unknown): boolean =>
  error instanceof Error && !(error instanceof MongoError) && 'code' in error && GONE_CODES.has(error.code)

/** What the caller gets to see. */
export const toStoreError = (error: unknown): unknown => {
  if (hasCode(error, OUT_OF_DISK_SPACE)) return new StoreUnwritable('MongoDB has no room for more', { cause: error })
  return isUnavailable(error) ? new StoreUnavailable('MongoDB cannot be used now', { cause: error }) : error
}

const isAway = (error: MongoError): boolean =>
  error instanceof MongoNetworkError ||
  error instanceof MongoServerSelectionError ||
  error instanceof MongoWriteConcernError ||
  // Where the driver could not go on in a bulk write, it hides its own error in this one, which then has no code of a server.
  (error instanceof MongoBulkWriteError && typeof error.code !== 'number') ||
  UNAVAILABLE_NAMES.has(error.name) ||
  UNAVAILABLE_CODES.has(error.code) ||
  LABELS.some((label) => error.hasErrorLabel(label))
