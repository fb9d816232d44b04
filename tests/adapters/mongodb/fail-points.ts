import type { Document } from 'mongodb'

export interface FailPoint {
  readonly failCommands: readonly string[]
  readonly errorCode?: number
  readonly errorLabels?: readonly string[]
  readonly closeConnection?: boolean
  readonly writeConcernError?: Document
  readonly blockConnection?: boolean
  readonly blockTimeMS?: number
}

export const WRITES = ['insert', 'update', 'delete', 'findAndModify']
const READS = ['find', 'aggregate']
const ALL = [...WRITES, ...READS, 'commitTransaction', 'abortTransaction']
/** No primary any more, stepped down in the middle, stepping down, shutting down. */
const STEP_DOWN = [10107, 11602, 189, 91]
/** The answer to a write that took effect but may be rolled back. */
export const LOST = { code: 91, errmsg: 'shutdown in progress' }

export const COMMIT = ['commitTransaction']
export const UNKNOWN = ['UnknownTransactionCommitResult']
const TRANSIENT = ['TransientTransactionError']
const RETRYABLE = ['RetryableWriteError']

/** The faults of a step-down for a single write, and for a transaction. */
export const writeFaults: readonly FailPoint[] = [
  ...STEP_DOWN.map((errorCode) => ({ failCommands: ALL, errorCode })),
  ...STEP_DOWN.map((errorCode) => ({ failCommands: WRITES, errorCode, errorLabels: RETRYABLE })),
  { failCommands: ALL, closeConnection: true },
  { failCommands: WRITES, closeConnection: true },
  // After the write.
  { failCommands: WRITES, writeConcernError: LOST, errorLabels: RETRYABLE },
]
export const transactionFaults: readonly FailPoint[] = [
  ...STEP_DOWN.map((errorCode) => ({ failCommands: ALL, errorCode })),
  ...STEP_DOWN.map((errorCode) => ({ failCommands: WRITES, errorCode, errorLabels: TRANSIENT })),
  ...STEP_DOWN.map((errorCode) => ({ failCommands: WRITES, errorCode, errorLabels: RETRYABLE })),
  ...STEP_DOWN.map((errorCode) => ({ failCommands: COMMIT, errorCode })),
  { failCommands: ALL, closeConnection: true },
  { failCommands: WRITES, closeConnection: true },
  { failCommands: COMMIT, closeConnection: true },
  // Before the commit.
  { failCommands: COMMIT, errorCode: 91, errorLabels: UNKNOWN },
  { failCommands: COMMIT, errorCode: 50, errorLabels: UNKNOWN },
  { failCommands: COMMIT, errorCode: 112, errorLabels: TRANSIENT },
  { failCommands: COMMIT, errorCode: 251, errorLabels: TRANSIENT },
  // After the commit.
  { failCommands: COMMIT, writeConcernError: LOST, errorLabels: UNKNOWN },
  { failCommands: COMMIT, writeConcernError: LOST, errorLabels: RETRYABLE },
]

export const readFaults: readonly FailPoint[] = STEP_DOWN.map((errorCode) => ({ failCommands: READS, errorCode }))
