import { hostname } from 'node:os'
import { type ClientSession, type Document, ObjectId, type ServerSessionId } from 'mongodb'
import { isUnavailable } from '../connection.ts'
import type { Database } from '../database.ts'
import { PROCESSES } from '../layout/shape.ts'
import type { Report } from './indexes.ts'

/** A process that has the store open. Times are the server's: no process goes by the clock of another. */
interface LeaseDoc {
  readonly _id: ObjectId
  /** For which generation of shapes it writes; null while it does not know that yet. */
  readonly generation: number | null
  /** For the operator. */
  readonly host: string
  readonly pid: number
  readonly until: Date
  /** In which it may have transactions open. Releases before 0.10.0 name none. */
  readonly sessions?: readonly ServerSessionId[]
}

export interface LeaseTimes {
  /** How often a process says that it is there. */
  readonly renewMs: number
  /** How long it counts as there after it last did. */
  readonly voidMs: number
}

export const LEASE_TIMES: LeaseTimes = { renewMs: 2_000, voidMs: 10_000 }

/** The leases of a database, for one process. */
export interface Leases {
  readonly id: ObjectId
  hold(generation: number | null, session?: ClientSession): Promise<void>
  end(): Promise<void>
  /** Whether another process is there that writes for such a generation. */
  isThere(generation: Document, session?: ClientSession): Promise<boolean>
  isLive(id: ObjectId): Promise<boolean>
  /** Takes away what ran out of others, and ends what their processes have open. */
  sweep(): Promise<void>
}

const LIVE = { $expr: { $gt: ['$until', '$$NOW'] } }
const RUN_OUT = { $expr: { $lte: ['$until', '$$NOW'] } }

export const leasesOf = (base: Database, { voidMs }: LeaseTimes, report: Report): Leases => {
  const { db, withTimeout: answered } = base
  const leases = db.collection<LeaseDoc>(PROCESSES)
  const _id = new ObjectId()
  const own = { host: hostname(), pid: process.pid }
  return {
    id: _id,
    isLive: async (id) => (await answered(() => leases.findOne({ _id: id, ...LIVE }))) !== null,
    hold: async (generation, session) => {
      const sessions = { $literal: base.sessions.ids() }
      const update = [{ $set: { ...own, generation, sessions, until: { $add: ['$$NOW', voidMs] } } }]
      await answered(() => leases.updateOne({ _id }, update, { upsert: true, ...(session && { session }) }))
    },
    end: async () => {
      await answered(() => leases.deleteOne({ _id }))
    },
    isThere: async (generation, session) => {
      const filter = { _id: { $ne: _id }, generation, ...LIVE }
      return (await answered(() => leases.findOne(filter, session && { session }))) !== null
    },
    sweep: async () => {
      const over = await answered(() => leases.find({ _id: { $ne: _id }, ...RUN_OUT }).toArray())
      if (over.length === 0) return
      // First, so that another does it where this process is killed in between.
      const sessions = over.flatMap((lease) => lease.sessions ?? [])
      await endSessions(base, sessions, report)
      const ids = over.map((lease) => lease._id)
      await answered(() => leases.deleteMany({ _id: { $in: ids }, ...RUN_OUT }))
    },
  }
}

/** Whoever sleeps in one of them and wakes up is told that its transaction is gone, and begins it anew. */
const endSessions = async (
  { db, withTimeout: answered }: Database,
  ids: readonly ServerSessionId[],
  report: Report,
): Promise<void> => {
  // An empty list would end the sessions of everybody.
  if (ids.length === 0) return
  try {
    await answered(() => db.command({ killSessions: ids }))
  } catch (error) {
    if (isUnavailable(error)) throw error
    report(`MongoDB: what a killed process had open stays locked for a minute, for want of killSessions: ${error}`)
  }
}
