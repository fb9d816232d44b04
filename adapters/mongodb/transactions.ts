import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientSession, MongoClient, ServerSessionId, TransactionOptions } from 'mongodb'
import { StoreUnavailable } from '../../core/ports/store.ts'
import { isTransient, isUnavailable, isUnknownTransaction, type WithTimeout } from './connection.ts'

// A transaction keeps to what it is given itself: levels of the client, the database or the collection are not enough.
const OPTIONS: TransactionOptions = {
  readConcern: { level: 'snapshot' },
  writeConcern: { w: 'majority', journal: true },
  readPreference: 'primary',
}
/** Times that a commit of unknown outcome is asked for again; the driver itself asks twice each time. */
const MAX_COMMIT_TRIES = 4
const PAUSE_MS = 50

/** What a caller is told whose commit may have happened. */
export const OUTCOME_UNKNOWN = 'MongoDB cannot be used now, and nobody knows whether it was committed'

/** The server that was asked to commit knows nothing of the transaction: what became of it must be looked for. */
export class TransactionForgotten extends Error {
  override readonly name = 'Forgotten'
}

/**
 * Runs the work in one transaction of the session and commits it. Rejects with what broke it: nothing of it happened
 * then, unless it is `StoreUnavailable` or `Forgotten`. Another try belongs on the same session: where the server still
 * has the first transaction open, with all that it locks, it gives it up then.
 */
export const runInTransaction = async (
  session: ClientSession,
  answered: WithTimeout,
  work: () => Promise<void>,
): Promise<void> => {
  session.startTransaction(OPTIONS)
  try {
    await work()
  } catch (error) {
    // What a broken transaction has written stays locked until it is aborted.
    await abort(session, answered)
    throw error
  }
  await commit(session, answered)
}

/** The driver keeps to itself that the server could not be told; a session that cannot go on is given up. */
const abort = async (session: ClientSession, answered: WithTimeout): Promise<void> => {
  try {
    await answered(() => session.abortTransaction())
  } catch (error) {
    throw new StoreUnavailable('MongoDB cannot be used now', { cause: error })
  }
}

/** Asks again where the answer does not tell: the server keeps what became of a transaction, and commits but once. */
const commit = async (session: ClientSession, answered: WithTimeout): Promise<void> => {
  for (let tries = 1; ; tries += 1) {
    try {
      return await answered(() => session.commitTransaction())
    } catch (error) {
      if (isUnknownTransaction(error)) throw new TransactionForgotten('the transaction is forgotten', { cause: error })
      if (isTransient(error) || !isUnavailable(error)) throw error
      if (tries === MAX_COMMIT_TRIES) throw new StoreUnavailable(OUTCOME_UNKNOWN, { cause: error })
    }
    await sleep(PAUSE_MS * tries)
  }
}

/**
 * The sessions in which a process has transactions: few, and its own. A transaction stays open at the server after its
 * process was killed, so the process names them beforehand, for others to end. The driver's own pool gives any session to
 * anybody, readers too.
 */
export interface Sessions {
  /** What may be open at the server: the same array until a session is replaced. */
  ids(): readonly ServerSessionId[]
  /** Does the tries of one batch in the session of its slot. Nobody else may be in that slot meanwhile. */
  inSlot<T>(slot: number, work: (session: ClientSession) => Promise<T>): Promise<T>
  /** The same for what is written beside the batches, one after the other. */
  outsideBatches<T>(work: (session: ClientSession) => Promise<T>): Promise<T>
}

/** After how long the server forgets a session that nobody uses. Source: `localLogicalSessionTimeoutMinutes`. */
const SESSION_MINUTES = 30

export const sessionsOf = (client: MongoClient, answered: WithTimeout, slots: number): Sessions => {
  const begin = (): ClientSession => client.startSession({ causalConsistency: false })
  const begun = Array.from({ length: slots + 1 }, begin)
  /** The last ones: what they had open may be open still. */
  let replaced: readonly ServerSessionId[] = []
  let ids = idsOf(begun)

  const fresh = (slot: number, known?: ClientSession): ClientSession => {
    const session = begin()
    begun[slot] = session
    if (known) replaced = [...replaced, ...idsOf([known])].slice(-begun.length)
    ids = [...idsOf(begun), ...replaced]
    return session
  }
  const end = async (session: ClientSession): Promise<void> => {
    // A session that nobody ends runs out by itself: that must not hide what became of the work.
    await answered(() => session.endSession()).catch(() => {})
  }
  const at: Sessions['inSlot'] = async (slot, work) => {
    const known = begun[slot]
    const session = known && !isSpent(known) ? known : fresh(slot, known)
    if (known && known !== session) await end(known)
    try {
      return await work(session)
    } finally {
      // It can begin no other transaction.
      if (session.inTransaction()) await end(session)
    }
  }
  return { ids: () => ids, inSlot: at, outsideBatches: (work) => at(slots, work) }
}

const idsOf = (sessions: readonly ClientSession[]): readonly ServerSessionId[] =>
  sessions.flatMap(({ id }) => (id ? [id] : []))

/** As the driver's pool has it: ended, of a connection that broke, or forgotten by the server. */
const isSpent = ({ hasEnded, serverSession }: ClientSession): boolean =>
  hasEnded || serverSession.isDirty || serverSession.hasTimedOut(SESSION_MINUTES)

/** How long a batch is tried again where others keep writing what it writes, or the server is changing. */
const COMMIT_WAIT_MS = 10_000
/** The same once this process was told to stop, which has to be over within 10 s. */
const STOPPING_WAIT_MS = 4_000

/** How long one batch waits for what others hold. */
export interface CommitDeadline {
  isOver(): boolean
  /** Waits no longer for a write that the server keeps waiting: nobody knows then what becomes of it. */
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
        const hurry = (): void => {
          clearTimeout(timer)
          timer = setTimeout(giveUp, leftMs())
        }
        stopping.addEventListener('abort', hurry)
        write.then(resolve, reject).finally(() => {
          clearTimeout(timer)
          stopping.removeEventListener('abort', hurry)
        })
      }),
  }
}

/** For which generation of shapes this process writes, and whether it still may. */
export interface Permit {
  readonly generation: number
  /** Whether it has lately told the others that it is there, and its sessions; else `renew` comes before a write. */
  isHeld(): boolean
  /** Tells so, and looks whether a newer release has taken the store over. Rejects with `StoreUnavailable` where one has. */
  renew(): Promise<void>
  /** The server took a write for one of an earlier generation: finds out why. Rejects where it was. */
  refused(): Promise<void>
}

/** A newer release writes what this process has just read. */
export class Overtaken extends StoreUnavailable {
  override readonly name: string = 'Overtaken'
  constructor() {
    super('a newer release has taken the store over')
  }
}
