import { hostname } from 'node:os'
import { type ClientSession, type Document, ObjectId } from 'mongodb'
import type { Base } from '../ask/reader.ts'
import { PROCESSES } from '../layout/shape.ts'

/** A process that has the store open. Times are the server's: no process goes by the clock of another. */
interface LeaseDoc {
  readonly _id: ObjectId
  /** For which generation of shapes it writes. */
  readonly generation: number
  /** For the operator. */
  readonly host: string
  readonly pid: number
  readonly until: Date
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
  hold(generation: number, session?: ClientSession): Promise<void>
  end(): Promise<void>
  /** Whether another process is there that writes for such a generation. */
  isThere(generation: Document, session?: ClientSession): Promise<boolean>
  isLive(id: ObjectId): Promise<boolean>
  /** Takes away what ran out. */
  sweep(): Promise<void>
}

const LIVE = { $expr: { $gt: ['$until', '$$NOW'] } }
const RUN_OUT = { $expr: { $lte: ['$until', '$$NOW'] } }

export const leasesOf = ({ db, answered }: Base, { voidMs }: LeaseTimes): Leases => {
  const leases = db.collection<LeaseDoc>(PROCESSES)
  const _id = new ObjectId()
  const own = { host: hostname(), pid: process.pid }
  return {
    id: _id,
    isLive: async (id) => (await answered(() => leases.findOne({ _id: id, ...LIVE }))) !== null,
    hold: async (generation, session) => {
      const update = [{ $set: { ...own, generation, until: { $add: ['$$NOW', voidMs] } } }]
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
      await answered(() => leases.deleteMany(RUN_OUT))
    },
  }
}
