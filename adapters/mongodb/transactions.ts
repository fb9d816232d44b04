import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientSession, MongoClient, ServerSessionId, TransactionOptions } from 'mongodb'
import { StoreUnavailable } from '../../core/ports/store.ts'
import { isTransient, isUnavailable, isUnknownTransaction, type WithTimeout } from './connection.ts'

// A transaction needs its own options: it does not use the levels of the client, the database or the collection.
const OPTIONS: TransactionOptions = {
  readConcern: { level: 'snapshot' },
  writeConcern: { w: 'majority', journal: true },
  readPreference: 'primary',
}
/** Requests to commit if the outcome is unknown. The driver itself sends each twice. */
const MAX_COMMIT_TRIES = 4
const PAUSE_MS = 50

/** The message for a commit that may have had an effect. */
export const OUTCOME_UNKNOWN = 'MongoDB is unavailable, and the outcome of the commit is unknown'

/** The server does not know the transaction that it had to commit. Its outcome must be read from the records. */
export class TransactionForgotten extends Error {
  override readonly name = 'TransactionForgotten'
}

/**
 * Runs the work in one transaction of the session and commits it. If it rejects, the transaction had no effect, unless
 * the error is `StoreUnavailable` or `TransactionForgotten`. A retry must use the same session: the server then aborts
 * the first transaction and releases its locks.
 */
export const runInTransaction = async <T>(
  session: ClientSession,
  withTimeout: WithTimeout,
  work: () => Promise<T>,
): Promise<T> => {
  session.startTransaction(OPTIONS)
  const result = await work().catch(async (error) => {
    // The records stay locked until the transaction is aborted.
    await abort(session, withTimeout)
    throw error
  })
  await commit(session, withTimeout)
  return result
}

/** The driver ignores a failed abort at the server. If it rejects, the session is unusable. */
const abort = async (session: ClientSession, withTimeout: WithTimeout): Promise<void> => {
  try {
    await withTimeout(() => session.abortTransaction())
  } catch (error) {
    throw new StoreUnavailable('MongoDB is unavailable', { cause: error })
  }
}

/** Requests the commit again if its outcome is unknown: the server commits once and keeps the outcome. */
const commit = async (session: ClientSession, withTimeout: WithTimeout): Promise<void> => {
  for (let tries = 1; ; tries += 1) {
    try {
      return await withTimeout(() => session.commitTransaction())
    } catch (error) {
      if (isUnknownTransaction(error))
        throw new TransactionForgotten('the server does not know the transaction', { cause: error })
      if (isTransient(error) || !isUnavailable(error)) throw error
      if (tries === MAX_COMMIT_TRIES) throw new StoreUnavailable(OUTCOME_UNKNOWN, { cause: error })
    }
    await sleep(PAUSE_MS * tries)
  }
}

/**
 * The few sessions in which this process runs transactions. A transaction stays open at the server after its process
 * was killed, so a process stores the ids of its sessions, and other processes can end them. The driver's pool would
 * share sessions with readers.
 */
export interface Sessions {
  /** Returns the ids of sessions that may be open. Returns the same array until a session is replaced. */
  ids(): readonly ServerSessionId[]
  /** Runs all attempts of a batch in the session of its slot. A slot has one batch at a time. */
  inSlot<T>(slot: number, work: (session: ClientSession) => Promise<T>): Promise<T>
  /** Runs other writes in a session of their own, one at a time. */
  outsideBatches<T>(work: (session: ClientSession) => Promise<T>): Promise<T>
}

/** The server ends an unused session after this time (`localLogicalSessionTimeoutMinutes`). */
const SESSION_MINUTES = 30

export const sessionsOf = (client: MongoClient, withTimeout: WithTimeout, slots: number): Sessions => {
  const begin = (): ClientSession => client.startSession({ causalConsistency: false })
  const sessions = Array.from({ length: slots + 1 }, begin)
  /** The last replaced sessions, whose transactions may still be open. */
  let replaced: readonly ServerSessionId[] = []
  let ids = idsOf(sessions)

  const fresh = (slot: number, known?: ClientSession): ClientSession => {
    const session = begin()
    sessions[slot] = session
    if (known) replaced = [...replaced, ...idsOf([known])].slice(-sessions.length)
    ids = [...idsOf(sessions), ...replaced]
    return session
  }
  const end = async (session: ClientSession): Promise<void> => {
    // An error must not hide the outcome of the work. The server ends the session after its timeout.
    await withTimeout(() => session.endSession()).catch(() => {})
  }
  const inSlot: Sessions['inSlot'] = async (slot, work) => {
    const known = sessions[slot]
    const session = known && !isSpent(known) ? known : fresh(slot, known)
    if (known && known !== session) await end(known)
    try {
      return await work(session)
    } finally {
      // The session cannot start another transaction.
      if (session.inTransaction()) await end(session)
    }
  }
  return { ids: () => ids, inSlot, outsideBatches: (work) => inSlot(slots, work) }
}

const idsOf = (sessions: readonly ClientSession[]): readonly ServerSessionId[] =>
  sessions.flatMap(({ id }) => (id ? [id] : []))

/** As in the driver's pool: ended, from a broken connection, or timed out at the server. */
const isSpent = ({ hasEnded, serverSession }: ClientSession): boolean =>
  hasEnded || serverSession.isDirty || serverSession.hasTimedOut(SESSION_MINUTES)

/** The time for retries of a batch, after conflicts with other writers or a change of the primary. */
const COMMIT_WAIT_MS = 10_000
/** The time once the process is stopping, which must end within 10 s. */
const STOPPING_WAIT_MS = 4_000

/** The deadline of a batch. It becomes earlier when the process begins to stop. */
export interface CommitDeadline {
  isOver(): boolean
  /** Waits for a write until the deadline. After that its outcome is unknown. */
  within<T>(write: Promise<T>): Promise<T>
}

export const commitDeadline = (stopping: AbortSignal, now = (): number => performance.now()): CommitDeadline => {
  const since = now()
  const leftMs = (): number => (stopping.aborted ? STOPPING_WAIT_MS : COMMIT_WAIT_MS) - (now() - since)
  return {
    isOver: () => leftMs() <= 0,
    within: (write) =>
      new Promise((resolve, reject) => {
        const giveUp = (): void => reject(new StoreUnavailable(OUTCOME_UNKNOWN))
        let timer = setTimeout(giveUp, leftMs())
        const shorten = (): void => {
          clearTimeout(timer)
          timer = setTimeout(giveUp, leftMs())
        }
        stopping.addEventListener('abort', shorten)
        write.then(resolve, reject).finally(() => {
          clearTimeout(timer)
          stopping.removeEventListener('abort', shorten)
        })
      }),
  }
}

/** The permission of this process to write, for one generation of shapes. */
export interface Permit {
  readonly generation: number
  /** Names new sessions in the lease before their first write, so that another process can end them. */
  nameSessions(): Promise<void>
  /** Handles a write that the server rejected as one of an earlier generation. Rejects if it was one. */
  refused(): Promise<void>
}

/** A newer release has taken the store over. */
export class Overtaken extends StoreUnavailable {
  override readonly name: string = 'Overtaken'
  constructor() {
    super('a newer release has taken the store over')
  }
}
