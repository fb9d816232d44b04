import { MongoClient, ReadConcern } from 'mongodb'
import { MongoMemoryReplSet } from 'mongodb-memory-server'
import { type MongoStore, mongoStore } from '../../../adapters/mongodb/mod.ts'
import { stop } from '../../adapters/mongodb/stop.ts'
import { type Book, benchCollections, book, journal, type Note } from '../records.ts'

/** An empty server. */
export interface Stage {
  /** Opens a new database as the store of this project. */
  store(): Promise<MongoStore>
  /** Opens a new database through the driver alone. */
  raw(): Promise<Raw>
  /** Returns the URL of a new database. */
  url(): string
}

/** Runs a function with a new replica set of one member. */
export const onReplicaSet = async <A>(act: (stage: Stage) => Promise<A>): Promise<A> => {
  const server = await MongoMemoryReplSet.create({ replSet: { count: 1, storageEngine: 'wiredTiger' } })
  const open: { close(): Promise<unknown> }[] = []
  let databases = 0
  const url = (): string => {
    databases += 1
    return server.getUri(`bench${databases}`)
  }
  const kept = <T extends { close(): Promise<unknown> }>(one: T): T => {
    open.push(one)
    return one
  }
  try {
    return await act({
      store: async () => kept(await mongoStore(url(), benchCollections)),
      raw: async () => kept(await rawDriver(url())),
      url,
    })
  } finally {
    for (const one of open) await one.close()
    await stop(server)
  }
}

const PAGE = 15

type Stored<R> = Omit<R, 'id'> & { _id: number }

const stored = <R extends { id: number }>({ id, ...fields }: R): Stored<R> => ({ _id: id, ...fields })

/** The operations of the store, written by hand with the driver alone, and as durable. */
export interface Raw {
  readonly find: (id: number) => Promise<unknown>
  readonly page: (accountId: number) => Promise<unknown>
  /** Page and count at one instant. */
  readonly pageWithTotal: (accountId: number) => Promise<unknown>
  readonly insert: (id: number) => Promise<unknown>
  /** Takes a cent if there is one. */
  readonly spend: (id: number) => Promise<unknown>
  /** Balance, entry and journal, all or nothing. */
  readonly post: (accountId: number, id: number) => Promise<unknown>
  readonly fill: (notes: readonly Note[], books: readonly Book[]) => Promise<void>
  readonly close: () => Promise<void>
}

export const rawDriver = async (url: string): Promise<Raw> => {
  const client = await MongoClient.connect(url, {
    writeConcern: { w: 'majority', journal: true },
    readConcern: { level: 'majority' },
  })
  const db = client.db()
  const notes = db.collection<Stored<Note>>('notes')
  const counts = db.collection<{ _id: number; n: number }>('counts')
  const books = db.collection<Stored<Book>>('books')
  const entries = db.collection<{ _id: number; accountId: number; seq: number }>('entries')
  const journals = db.collection<Stored<ReturnType<typeof journal>>>('journals')
  await notes.createIndex({ accountId: 1, createdAt: 1, _id: 1 })
  await entries.createIndex({ accountId: 1, seq: 1, _id: 1 })
  const pageOf = (accountId: number, options = {}) =>
    notes.find({ accountId }, options).sort({ createdAt: -1, _id: -1 }).limit(PAGE).toArray()
  return {
    find: (id) => notes.findOne({ _id: id }),
    page: (accountId) => pageOf(accountId),
    pageWithTotal: (accountId) =>
      client.withSession({ snapshot: true }, async (session) => {
        const options = { session, readConcern: new ReadConcern('snapshot') }
        return [await pageOf(accountId, options), await counts.findOne({ _id: accountId }, options)]
      }),
    insert: (id) => books.insertOne(stored(book(id))),
    spend: (id) => books.updateOne({ _id: id, availableCents: { $gte: 1 } }, { $inc: { availableCents: -1 } }),
    post: (accountId, id) =>
      client.withSession((session) =>
        session.withTransaction(async () => {
          const cents = 100
          const $inc = { balanceCents: cents, seq: 1 }
          const options = { session, returnDocument: 'after' } as const
          const after = await books.findOneAndUpdate({ _id: accountId }, { $inc }, options)
          const { seq = 0, balanceCents = 0 } = after ?? {}
          const entry = { _id: id, accountId, seq, valueCents: cents, balanceCents, journalId: id }
          await entries.insertOne(entry, { session })
          await journals.insertOne(stored(journal(accountId, id, cents)), { session })
        }),
      ),
    fill: async (someNotes, someBooks) => {
      await notes.insertMany(someNotes.map(stored))
      await books.insertMany(someBooks.map(stored))
      for (const { accountId } of someNotes)
        await counts.updateOne({ _id: accountId }, { $inc: { n: 1 } }, { upsert: true })
    },
    close: () => client.close(),
  }
}
