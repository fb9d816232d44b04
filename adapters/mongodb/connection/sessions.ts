import type { ClientSession, MongoClient, ServerSessionId } from 'mongodb'
import type { Answered } from './answered.ts'

/**
 * The sessions in which a process has transactions: few, and its own. A transaction stays open at the server after its
 * process was killed, so the process names them beforehand, for others to end. The driver's own pool gives any session to
 * anybody, readers too.
 */
export interface Sessions {
  /** What may be open at the server: the same array until a session is replaced. */
  ids(): readonly ServerSessionId[]
  /** Does the tries of one batch in the session of its slot. Nobody else may be in that slot meanwhile. */
  at<T>(slot: number, work: (session: ClientSession) => Promise<T>): Promise<T>
  /** The same for what is written beside the batches, one after the other. */
  beside<T>(work: (session: ClientSession) => Promise<T>): Promise<T>
}

/** After how long the server forgets a session that nobody uses. Source: `localLogicalSessionTimeoutMinutes`. */
const SESSION_MINUTES = 30

export const sessionsOf = (client: MongoClient, answered: Answered, slots: number): Sessions => {
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
  const at: Sessions['at'] = async (slot, work) => {
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
  return { ids: () => ids, at, beside: (work) => at(slots, work) }
}

const idsOf = (sessions: readonly ClientSession[]): readonly ServerSessionId[] =>
  sessions.flatMap(({ id }) => (id ? [id] : []))

/** As the driver's pool has it: ended, of a connection that broke, or forgotten by the server. */
const isSpent = ({ hasEnded, serverSession }: ClientSession): boolean =>
  hasEnded || serverSession.isDirty || serverSession.hasTimedOut(SESSION_MINUTES)
