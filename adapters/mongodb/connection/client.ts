import { type Db, type Document, MongoClient, type MongoClientOptions, MongoServerSelectionError } from 'mongodb'
import { StoreUnavailable } from '../../../core/ports/store.ts'
import { ANSWER_MS } from './answered.ts'

/** How long a call looks for a primary, a connection takes, and a caller waits for a free one. */
const WAIT_MS = 5_000
const DATABASE = 'portico'
/** MongoDB 5.0: the first whose snapshots can be read outside of transactions. */
const OLDEST_WIRE_VERSION = 13

// Money: what is acknowledged is on the disks of a majority, what is read is too, and all of it through the primary.
const SAFE: MongoClientOptions = {
  retryWrites: true,
  retryReads: true,
  writeConcern: { w: 'majority', journal: true },
  readConcern: { level: 'majority' },
  readPreference: 'primary',
}

// A bound that the URL names itself is the URL's.
const BOUNDS = {
  serverSelectionTimeoutMS: WAIT_MS,
  connectTimeoutMS: WAIT_MS,
  waitQueueTimeoutMS: WAIT_MS,
  socketTimeoutMS: ANSWER_MS,
  heartbeatFrequencyMS: WAIT_MS,
  appName: 'portico',
} as const

/** A client that is connected to a replica set or a sharded cluster. Rejects with one line that says what is wrong. */
export const connect = async (url: string): Promise<MongoClient> => {
  const client = clientOf(url)
  const hosts = client.options.hosts.join(',')
  try {
    await client.connect()
    refuse(await client.db('admin').command({ hello: 1 }), hosts)
    return client
  } catch (error) {
    await client.close()
    throw error instanceof MongoServerSelectionError ? cannotReach(error, hosts) : error
  }
}

/** Does something with the database for which no answer comes soon. */
export type Patiently = <T>(work: (db: Db) => Promise<T>) => Promise<T>

/** Through a client of its own: the driver gives up an index that takes longer than its socket may be silent, and so may the server. */
export const patiently =
  (url: string): Patiently =>
  async (work) => {
    const client = clientOf(url, { socketTimeoutMS: 0 })
    try {
      return await work(client.db(databaseOf(url)))
    } finally {
      await client.close()
    }
  }

export const databaseOf = (url: string): string => /^[^/]+:\/\/[^/]+\/([^?]+)/.exec(url)?.[1] ?? DATABASE

const clientOf = (url: string, more: MongoClientOptions = {}): MongoClient => {
  const named = new Set([...new URLSearchParams(url.split('?')[1]).keys()].map((name) => name.toLowerCase()))
  const bounds = Object.entries(BOUNDS).filter(([name]) => !named.has(name.toLowerCase()))
  return new MongoClient(url, { ...Object.fromEntries(bounds), ...SAFE, ...more })
}

const INITIATE = 'start it with --replSet rs0 and run rs.initiate() once, also where it is the only one'

const refuse = (hello: Document, hosts: string): void => {
  if (hello.maxWireVersion < OLDEST_WIRE_VERSION) throw new Error(`MongoDB at ${hosts} is older than 5.0`)
  if (hello.isreplicaset) throw new Error(`MongoDB at ${hosts} is not initiated: run rs.initiate() once`)
  // A router of a sharded cluster says so in `msg`.
  if (hello.setName === undefined && hello.msg !== 'isdbgrid')
    throw new Error(`MongoDB at ${hosts} is a standalone server, which has no transactions: ${INITIATE}`)
}

/** The driver waits for a primary where a member was never initiated: that is to be said, and not that nobody answers. */
const cannotReach = (error: MongoServerSelectionError, hosts: string): Error => {
  const servers = [...(error.reason?.servers?.values() ?? [])]
  if (servers.some(({ type }) => type === 'RSGhost'))
    return new Error(`MongoDB at ${hosts} is not initiated: run rs.initiate() once`)
  return new StoreUnavailable(`MongoDB at ${hosts} cannot be reached: ${error.message}`, { cause: error })
}
