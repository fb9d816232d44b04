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

/** The longest wait for a response of the server. */
const RESPONSE_TIMEOUT_MS = 20_000
/** The longest wait for a primary, for a connection to open, and for a free connection. */
const WAIT_MS = 5_000
const DATABASE = 'portico'
/** MongoDB 5.0, the first version with snapshot reads outside of transactions. */
const OLDEST_WIRE_VERSION = 13

// The data is money: acknowledged writes, and all reads, are on the disks of a majority, through the primary.
const SAFE: MongoClientOptions = {
  retryWrites: true,
  retryReads: true,
  writeConcern: { w: 'majority', journal: true },
  readConcern: { level: 'majority' },
  readPreference: 'primary',
}

// Options in the URL take precedence.
const DEFAULTS = {
  serverSelectionTimeoutMS: WAIT_MS,
  connectTimeoutMS: WAIT_MS,
  waitQueueTimeoutMS: WAIT_MS,
  socketTimeoutMS: RESPONSE_TIMEOUT_MS,
  heartbeatFrequencyMS: WAIT_MS,
  appName: 'portico',
} as const

/** Connects to a replica set or a sharded cluster. Rejects with one line that names the problem. */
export const connect = async (url: string): Promise<MongoClient> => {
  const client = clientOf(url)
  const hosts = client.options.hosts.join(',')
  try {
    // Throws if the driver does not allow the name.
    client.db(databaseOf(url))
    await client.connect()
    checkServer(await client.db('admin').command({ hello: 1 }), hosts)
    return client
  } catch (error) {
    await client.close()
    throw error instanceof MongoServerSelectionError ? unreachable(error, hosts) : error
  }
}

/** Runs work that takes longer than `RESPONSE_TIMEOUT_MS`. */
export type WithoutSocketTimeout = <T>(work: (db: Db) => Promise<T>) => Promise<T>

/**
 * Uses its own client without a socket timeout: after a timeout, the driver and the server may stop building an index.
 */
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
  const defaults = Object.entries(DEFAULTS).filter(([name]) => !named.has(name.toLowerCase()))
  return new MongoClient(url, { ...Object.fromEntries(defaults), ...SAFE, ...more })
}

const INITIATE = 'start it with --replSet rs0 and run rs.initiate() once, even if it is the only server'

const checkServer = (hello: Document, hosts: string): void => {
  if (hello.maxWireVersion < OLDEST_WIRE_VERSION) throw new Error(`MongoDB at ${hosts} is older than 5.0`)
  if (hello.isreplicaset) throw new Error(`MongoDB at ${hosts} is not initiated: run rs.initiate() once`)
  // A router of a sharded cluster has this `msg`.
  if (hello.setName === undefined && hello.msg !== 'isdbgrid')
    throw new Error(`MongoDB at ${hosts} is a standalone server, which has no transactions: ${INITIATE}`)
}

/** For a replica set that was never initiated, the driver reports only a timeout. */
const unreachable = (error: MongoServerSelectionError, hosts: string): Error => {
  const servers = [...(error.reason?.servers?.values() ?? [])]
  if (servers.some(({ type }) => type === 'RSGhost'))
    return new Error(`MongoDB at ${hosts} is not initiated: run rs.initiate() once`)
  return new StoreUnavailable(`MongoDB at ${hosts} cannot be reached: ${error.message}`, { cause: error })
}

/** Sends a request to the driver and waits for its response with a timeout. */
export type WithTimeout = <T>(request: () => Promise<T>) => Promise<T>

/**
 * The driver (7.9) has no timeout for a connection that ends while it is written to: it waits for the closed socket, or
 * passes on the socket's error without a retry.
 */
export const timeoutFor = ({ options }: Pick<MongoClient, 'options'>): WithTimeout => {
  const { serverSelectionTimeoutMS, socketTimeoutMS } = options
  const withinMs = serverSelectionTimeoutMS + (socketTimeoutMS || RESPONSE_TIMEOUT_MS)
  return (request) => bounded(request(), withinMs)
}

/** Retries a read that was not sent. Only for reads: the driver may have sent a write before. */
export const retryUnsent = async <T>(withTimeout: WithTimeout, request: () => Promise<T>): Promise<T> => {
  try {
    return await withTimeout(request)
  } catch (error) {
    if (!isUnsent(error)) throw error
  }
  return withTimeout(request)
}

const bounded = <T>(work: Promise<T>, ms: number): Promise<T> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new MongoNetworkTimeoutError(`no response within ${ms} ms`)), ms)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })

const DUPLICATE_KEY = 11000
const NO_SUCH_TRANSACTION = 251
const SNAPSHOT_UNAVAILABLE = 246
const NAMESPACE_EXISTS = 48
const OUT_OF_DISK_SPACE = 14031
const DOCUMENT_VALIDATION_FAILURE = 121

// Error codes of MongoDB for unreachable hosts, former primaries, timeouts and lasting conflicts.
const UNAVAILABLE_CODES: ReadonlySet<unknown> = new Set([
  6, 7, 24, 50, 64, 79, 89, 91, 100, 112, 134, 189, 202, 225, 239, 246, 251, 262, 290, 384, 9001, 10107, 11600, 11601,
  11602, 13388, 13435, 13436,
])
// Errors of the driver itself: no free connection in time, a closed pool or client.
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
const CLOSED_SOCKET_CODES: ReadonlySet<unknown> = new Set([
  'EPIPE',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_WRITE_AFTER_END',
])
const LABELS = ['TransientTransactionError', 'UnknownTransactionCommitResult', 'RetryableWriteError']

const hasCode = (error: unknown, code: number): boolean => error instanceof MongoServerError && error.code === code

/** Reports whether a unique index rejected the write. The transaction had no effect. */
export const isDuplicate = (error: unknown): boolean => hasCode(error, DUPLICATE_KEY)

/** Reports whether the transaction had no effect and may succeed on retry. */
export const isTransient = (error: unknown): boolean =>
  error instanceof MongoError && error.hasErrorLabel('TransientTransactionError')

/** Reports whether the server does not know the transaction, or has forgotten it. */
export const isUnknownTransaction = (error: unknown): boolean => hasCode(error, NO_SUCH_TRANSACTION)

/** Reports whether a snapshot cannot be read now, because collections or indexes are being created. */
export const isSnapshotUnavailable = (error: unknown): boolean => hasCode(error, SNAPSHOT_UNAVAILABLE)

/** Reports whether the collection accepts writes of another generation of shapes only. */
export const isValidationFailure = (error: unknown): boolean => hasCode(error, DOCUMENT_VALIDATION_FAILURE)

export const isExistingCollection = (error: unknown): boolean => hasCode(error, NAMESPACE_EXISTS)

/** Reports whether the server is gone, stepping down or too busy. The request may have had an effect. */
export const isUnavailable = (error: unknown): boolean =>
  error instanceof MongoError ? isUnavailableServer(error) : isUnsent(error)

/** Reports whether the socket was closed before the request was sent. The driver passes on the socket's error. */
const isUnsent = (error: unknown): boolean =>
  error instanceof Error && !(error instanceof MongoError) && 'code' in error && CLOSED_SOCKET_CODES.has(error.code)

/** Translates errors of MongoDB: `StoreUnwritable` if its disk is full, `StoreUnavailable` if it is unavailable. */
export const toStoreError = (error: unknown): unknown => {
  if (hasCode(error, OUT_OF_DISK_SPACE)) return new StoreUnwritable('MongoDB is out of disk space', { cause: error })
  return isUnavailable(error) ? new StoreUnavailable('MongoDB is unavailable', { cause: error }) : error
}

/** Runs work, and translates its errors. */
export const translated = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    throw toStoreError(error)
  }
}

/** Sends an upsert, again after a duplicate: of two simultaneous inserts, one fails with it. */
export const retryDuplicate = async <T>(upsert: () => Promise<T>): Promise<T> => {
  try {
    return await upsert()
  } catch (error) {
    if (!isDuplicate(error)) throw error
  }
  return upsert()
}

const isUnavailableServer = (error: MongoError): boolean =>
  error instanceof MongoNetworkError ||
  error instanceof MongoServerSelectionError ||
  error instanceof MongoWriteConcernError ||
  // Wraps an error of the driver in a bulk write if it has no error code of the server.
  (error instanceof MongoBulkWriteError && typeof error.code !== 'number') ||
  UNAVAILABLE_NAMES.has(error.name) ||
  UNAVAILABLE_CODES.has(error.code) ||
  LABELS.some((label) => error.hasErrorLabel(label))
