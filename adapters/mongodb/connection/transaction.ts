import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientSession, TransactionOptions } from 'mongodb'
import { StoreUnavailable } from '../../../core/ports/store.ts'
import type { Answered } from './answered.ts'
import { isForgotten, isTransient, isUnavailable } from './faults.ts'

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
export const NOBODY_KNOWS = 'MongoDB cannot be used now, and nobody knows whether it was committed'

/** The server that was asked to commit knows nothing of the transaction: what became of it must be looked for. */
export class Forgotten extends Error {
  override readonly name = 'Forgotten'
}

/**
 * Runs the work in one transaction of the session and commits it. Rejects with what broke it: nothing of it happened
 * then, unless it is `StoreUnavailable` or `Forgotten`. Another try belongs on the same session: where the server still
 * has the first transaction open, with all that it locks, it gives it up then.
 */
export const transaction = async (
  session: ClientSession,
  answered: Answered,
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
const abort = async (session: ClientSession, answered: Answered): Promise<void> => {
  try {
    await answered(() => session.abortTransaction())
  } catch (error) {
    throw new StoreUnavailable('MongoDB cannot be used now', { cause: error })
  }
}

/** Asks again where the answer does not tell: the server keeps what became of a transaction, and commits but once. */
const commit = async (session: ClientSession, answered: Answered): Promise<void> => {
  for (let tries = 1; ; tries += 1) {
    try {
      return await answered(() => session.commitTransaction())
    } catch (error) {
      if (isForgotten(error)) throw new Forgotten('the transaction is forgotten', { cause: error })
      if (isTransient(error) || !isUnavailable(error)) throw error
      if (tries === MAX_COMMIT_TRIES) throw new StoreUnavailable(NOBODY_KNOWS, { cause: error })
    }
    await sleep(PAUSE_MS * tries)
  }
}
