import {
  MongoBulkWriteError,
  MongoError,
  MongoNetworkError,
  MongoServerError,
  MongoServerSelectionError,
  MongoWriteConcernError,
} from 'mongodb'
import { StoreUnavailable, StoreUnwritable } from '../../../core/ports/store.ts'

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
export const isForgotten = (error: unknown): boolean => hasCode(error, NO_SUCH_TRANSACTION)

/** A time that cannot be read at for now: collections or indexes are just being made. */
export const isSnapshotUnavailable = (error: unknown): boolean => hasCode(error, SNAPSHOT_UNAVAILABLE)

/** The collection takes only what is written for another generation of shapes than this was. */
export const isRefused = (error: unknown): boolean => hasCode(error, DOCUMENT_VALIDATION_FAILURE)

/** The collection is there already. */
export const isThere = (error: unknown): boolean => hasCode(error, NAMESPACE_EXISTS)

/** A store that is gone, stepping down or too busy. What it was asked for may have happened. */
export const isUnavailable = (error: unknown): boolean =>
  error instanceof MongoError ? isAway(error) : isUnsent(error)

/** The socket was gone before it was written to: an error of the socket's own, which the driver lets through. */
export const isUnsent = (error: unknown): boolean =>
  error instanceof Error && !(error instanceof MongoError) && 'code' in error && GONE_CODES.has(error.code)

/** What the caller gets to see. */
export const callersError = (error: unknown): unknown => {
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
