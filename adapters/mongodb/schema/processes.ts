import { hostname } from 'node:os'
import { type ClientSession, type Document, ObjectId, type ServerSessionId } from 'mongodb'
import { isUnavailable } from '../connection.ts'
import type { Database } from '../database.ts'
import { PROCESSES } from '../layout/shape.ts'
import type { Report } from './indexes.ts'

/** A process that has the store open. All times are the server's. */
interface ProcessDoc {
  readonly _id: ObjectId
  /** The generation that the process serves; null while it starts. */
  readonly generation: number | null
  /** For the operator. */
  readonly host: string
  readonly pid: number
  readonly until: Date
  /** The sessions in which it may have open transactions. */
  readonly sessions?: readonly ServerSessionId[]
}

export interface LeaseTimes {
  /** The interval at which a process renews its lease, and learns that a newer release has taken over. */
  readonly renewMs: number
  /** The time after its last renewal until a process counts as gone. */
  readonly voidMs: number
}

export const LEASE_TIMES: LeaseTimes = { renewMs: 2_000, voidMs: 10_000 }

/** The processes that have a database open, as one of them sees it. */
export interface Processes {
  readonly id: ObjectId
  renew(generation: number | null, session?: ClientSession): Promise<void>
  /** Removes the lease of this process, after its renewals under way, if the server can be reached. */
  leave(): Promise<void>
  /** Reports whether another process serves such a generation. */
  isServed(generation: Document, session?: ClientSession): Promise<boolean>
  isLive(id: ObjectId, session?: ClientSession): Promise<boolean>
  /**
   * Removes processes that are gone, and ends their open transactions, whose locks the server would keep for a minute.
   */
  sweep(): Promise<void>
}

const LIVE = { $expr: { $gt: ['$until', '$$NOW'] } }
const GONE = { $expr: { $lte: ['$until', '$$NOW'] } }

export const processesOf = (
  { db, withTimeout, sessions }: Database,
  { voidMs }: LeaseTimes,
  report: Report,
): Processes => {
  const processes = db.collection<ProcessDoc>(PROCESSES)
  const _id = new ObjectId()
  const own = { host: hostname(), pid: process.pid }
  const endSessions = async (ids: readonly ServerSessionId[]): Promise<void> => {
    // An empty list would end the sessions of every client.
    if (ids.length === 0) return
    try {
      await withTimeout(() => db.command({ killSessions: ids }))
    } catch (error) {
      if (isUnavailable(error)) throw error
      report(`MongoDB: locks of a killed process stay for a minute, because killSessions is not permitted: ${error}`)
    }
  }
  const isThere = async (filter: Document, session?: ClientSession) =>
    (await withTimeout(() => processes.findOne({ ...filter, ...LIVE }, session && { session }))) !== null
  let renewals: Promise<unknown> = Promise.resolve()
  return {
    id: _id,
    renew: async (generation, session) => {
      const set = { ...own, generation, sessions: { $literal: sessions.ids() }, until: { $add: ['$$NOW', voidMs] } }
      const renewal = withTimeout(() =>
        processes.updateOne({ _id }, [{ $set: set }], { upsert: true, ...(session && { session }) }),
      )
      renewals = Promise.allSettled([renewals, renewal])
      await renewal
    },
    leave: async () => {
      // A renewal that arrives later would insert the lease again.
      await renewals
      await withTimeout(() => processes.deleteOne({ _id })).catch(() => {})
    },
    isServed: (generation, session) => isThere({ _id: { $ne: _id }, generation }, session),
    isLive: (id, session) => isThere({ _id: id }, session),
    sweep: async () => {
      const gone = await withTimeout(() => processes.find({ _id: { $ne: _id }, ...GONE }).toArray())
      if (gone.length === 0) return
      // Before the documents are deleted: if this process is killed in between, another one repeats it.
      await endSessions(gone.flatMap((each) => each.sessions ?? []))
      await withTimeout(() => processes.deleteMany({ _id: { $in: gone.map((each) => each._id) }, ...GONE }))
    },
  }
}
