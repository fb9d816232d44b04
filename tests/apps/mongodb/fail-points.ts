import type { Document } from 'mongodb'

interface FailPoint {
  readonly failCommands: readonly string[]
  readonly errorCode?: number
  readonly errorLabels?: readonly string[]
  readonly closeConnection?: boolean
  readonly writeConcernError?: Document
}

const WRITES = ['insert', 'update', 'delete', 'findAndModify']
const READS = ['find', 'aggregate']
const COMMIT = ['commitTransaction']
const ALL = [...WRITES, ...READS, ...COMMIT, 'abortTransaction']

/** No primary any more, stepped down in the middle, stepping down, shutting down. */
const STEP_DOWN = [10107, 11602, 189, 91]
const TRANSIENT = ['TransientTransactionError']
const RETRYABLE = ['RetryableWriteError']
const UNKNOWN = ['UnknownTransactionCommitResult']
/** An answer to what took effect: nobody knows for how long. */
const TOOK_EFFECT = { code: 91, errmsg: 'shutdown in progress' }

/** What a primary that steps down does to those who are just using it. */
export const failPoints: readonly FailPoint[] = [
  ...STEP_DOWN.map((errorCode) => ({ failCommands: ALL, errorCode })),
  ...STEP_DOWN.map((errorCode) => ({ failCommands: READS, errorCode })),
  ...STEP_DOWN.map((errorCode) => ({ failCommands: WRITES, errorCode, errorLabels: RETRYABLE })),
  ...STEP_DOWN.map((errorCode) => ({ failCommands: WRITES, errorCode, errorLabels: TRANSIENT })),
  ...STEP_DOWN.map((errorCode) => ({ failCommands: COMMIT, errorCode })),
  { failCommands: ALL, closeConnection: true },
  { failCommands: WRITES, closeConnection: true },
  { failCommands: COMMIT, closeConnection: true },
  { failCommands: WRITES, writeConcernError: TOOK_EFFECT, errorLabels: RETRYABLE },
  // Whether it was committed is not known: it was not …
  { failCommands: COMMIT, errorCode: 91, errorLabels: UNKNOWN },
  { failCommands: COMMIT, errorCode: 50, errorLabels: UNKNOWN },
  // … and it was.
  { failCommands: COMMIT, writeConcernError: TOOK_EFFECT, errorLabels: UNKNOWN },
  { failCommands: COMMIT, writeConcernError: TOOK_EFFECT, errorLabels: RETRYABLE },
]
