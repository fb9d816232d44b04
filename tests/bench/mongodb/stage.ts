import { MongoClient, ReadConcern } from 'mongodb'
import type { MongoMemoryReplSet } from 'mongodb-memory-server'
import { mongoStore } from '../../../adapters/mongodb/mod.ts'
import { withReplicaSet } from '../../adapters/mongodb/server.ts'
import { type Book, benchCollections, book, journal, type Note } from '../records.ts'

/** Runs a function with an empty server; returns null without a `mongod`. */
export const onReplicaSet = <A>(act: (stage: Stage) => Promise<A>): Promise<A | null> =>
  withReplicaSet(async (server) => {
    const open: { close(): Promise<unknown> }[] = []
    try {
      return await act(stageOn(server, open))
    } finally {
      for (const one of open) await one.close()
    }
  })

const stageOn = (server: MongoMemoryReplSet, open: { close(): Promise<unknown> }[]) => {
  let databases = 0
  const url = (): string => {
    databases += 1
    return server.getUri(`bench${databases}`)
  }
  const kept = <T extends { close(): Promise<unknown> }>(one: T): T => {
    open.push(one)
    return one
  }
  return {
    url,
    store: async () => kept(await mongoStore(url(), benchCollections)),
    raw: async () => kept(await rawDriver(url())),
  }
}

export type Stage = ReturnType<typeof stageOn>

const PAGE = 15

type Stored<R> = Omit<R, 'id'> & { _id: number }

const stored = <R extends { id: number }>({ id, ...fields }: R): Stored<R> => ({ _id: id, ...fields })

/** The operations of the store, written by hand with the driver alone, and as durable. */
const rawDriver = async (url: string) => {
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
    find: (id: number) => notes.findOne({ _id: id }),
    page: (accountId: number) => pageOf(accountId),
    /** Page and count at one instant. */
    pageWithTotal: (accountId: number) =>
      client.withSession({ snapshot: true }, async (session) => {
        const options = { session, readConcern: new ReadConcern('snapshot') }
        return [await pageOf(accountId, options), await counts.findOne({ _id: accountId }, options)]
      }),
    insert: (id: number) => books.insertOne(stored(book(id))),
    /** Takes a cent if there is one. */
    spend: (id: number) => books.updateOne({ _id: id, availableCents: { $gte: 1 } }, { $inc: { availableCents: -1 } }),
    /** Balance, entry and journal, all or nothing. */
    post: (accountId: number, id: number) =>
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
    fill: async (someNotes: readonly Note[], someBooks: readonly Book[]) => {
      await notes.insertMany(someNotes.map(stored))
      await books.insertMany(someBooks.map(stored))
      for (const { accountId } of someNotes)
        await counts.updateOne({ _id: accountId }, { $inc: { n: 1 } }, { upsert: true })
    },
    close: () => client.close(),
  }
}

export type Raw = Awaited<ReturnType<typeof rawDriver>>
