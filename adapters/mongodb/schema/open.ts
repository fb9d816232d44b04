import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientSession } from 'mongodb'
import type { AnyCollection, Id, Rec } from '../../../core/kernel/records/record.ts'
import { tallyDeltas } from '../../../core/kernel/records/tally.ts'
import type { Superseded } from '../../../core/ports/store.ts'
import { isDuplicate, isTransient, isUnavailable, type WithoutSocketTimeout } from '../connection.ts'
import { type Database, localReader } from '../database.ts'
import { type BucketDoc, everyBucketOf } from '../layout/buckets.ts'
import { type Doc, docOf, keyTextsOf, newRev, recordOf, validatorOf } from '../layout/document.ts'
import { keyPath, SHAPES, type Shape, shapeOf, talliesOf } from '../layout/shape.ts'
import { Overtaken, type Permit, runInTransaction, TransactionForgotten } from '../transactions.ts'
import { bucketWrites } from '../write-plan.ts'
import {
  type Definition,
  type Definitions,
  decideDefinitions,
  STORE_DOC,
  type StoreDoc,
  storedNames,
} from './definitions.ts'
import { everyOne, makeIndexes, type Report } from './indexes.ts'
import { type LeaseTimes, type Processes, processesOf } from './processes.ts'

export interface SchemaOptions {
  readonly report: Report
  readonly times: LeaseTimes
  readonly withoutSocketTimeout: WithoutSocketTimeout
  /** Accepts no more commits, and waits for those in progress. */
  drain(): Promise<void>
  /** Called once, when a newer release has taken over. */
  readonly superseded: Superseded
}

/** The collections of an open store, as this release has defined them. */
export interface Schema extends Membership {
  readonly shapes: ReadonlyMap<string, Shape>
  close(): Promise<void>
}

/** The right of this process to serve the store, until a newer release takes over. */
interface Membership {
  readonly permit: Permit
  /** Throws `StoreUnavailable` after a newer release has taken over. */
  assertOwn(): void
}

interface Opening extends SchemaOptions {
  readonly database: Database
  readonly processes: Processes
  readonly collections: readonly AnyCollection[]
}

const SUPERSEDED = 'MongoDB: a newer release has taken the store over: this process writes no more, and ends'

/**
 * Upgrades the database to the definitions of this release. New collections, nullable fields and indexes leave
 * processes of the former release serving. Before any other change it waits until processes of the former release have
 * stopped, then migrates the records. Throws if a newer release has written the store or is serving it.
 */
export const openSchema = async (
  database: Database,
  collections: readonly AnyCollection[],
  options: SchemaOptions,
): Promise<Schema> => {
  const processes = processesOf(database, options.times, options.report)
  const opening: Opening = { ...options, database, processes, collections }
  const closing = new AbortController()
  // Open transactions of a killed process lock records.
  await processes.sweep()
  try {
    const decided = await announce(opening)
    const membership = keepMembership(opening, decided.generation, closing.signal)
    return {
      ...membership,
      shapes: await upgrade(opening, decided, membership),
      close: async () => {
        closing.abort()
        await options.drain()
        await processes.leave()
      },
    }
  } catch (error) {
    closing.abort()
    await processes.leave()
    throw error
  }
}

const MAX_ATTEMPTS = 50
const PAUSE_MS = 10

/**
 * Stores the definitions of this release, and that this process serves them; waits while another process migrates
 * records.
 */
const announce = async (opening: Opening): Promise<Definitions> => {
  const { database, processes, report, times } = opening
  let isReported = false
  for (let attempt = 1; ; ) {
    try {
      const decided = await database.sessions.outsideBatches(async (session) => {
        // Stores the session id in the lease before the transaction opens, so that another process can end it.
        await processes.renew(null)
        return storeDefinitions(opening, session)
      })
      if (decided) return decided
      if (!isReported) report('MongoDB: another process is upgrading the store: this one waits')
      isReported = true
      await sleep(times.renewMs / 8)
    } catch (error) {
      // Another process starts at the same time, or has ended the session of this one.
      const isRetryable = isTransient(error) || isDuplicate(error) || error instanceof TransactionForgotten
      if (attempt === MAX_ATTEMPTS || !isRetryable) throw error
      await sleep(PAUSE_MS * attempt * Math.random())
      attempt += 1
    }
  }
}

/** Returns null while another process migrates records. */
const storeDefinitions = (
  { database: { db, withTimeout }, processes, collections }: Opening,
  session: ClientSession,
): Promise<Definitions | null> =>
  runInTransaction(session, withTimeout, async () => {
    const stores = db.collection<StoreDoc>(SHAPES)
    const definitions = db.collection<Definition>(SHAPES)
    // Written first: of two processes at once, one waits for the other.
    const store = await withTimeout(() =>
      stores.findOneAndUpdate(
        { _id: STORE_DOC },
        { $inc: { version: 1 }, $setOnInsert: { generation: 0, fenced: 0 } },
        { upsert: true, returnDocument: 'after', session },
      ),
    )
    if (!store) throw new Error('no generation of shapes')
    const unfinished = await withTimeout(() => definitions.find({ isDone: false }, { session }).toArray())
    for (const { filler } of unfinished)
      if (filler && !filler.equals(processes.id) && (await processes.isLive(filler, session))) return null
    const filter = { _id: { $in: collections.map(({ name }) => name) } }
    const stored = await withTimeout(() => definitions.find(filter, { session }).toArray())
    const isServed = await processes.isServed({ $eq: store.generation }, session)
    const next = decideDefinitions(store, stored, collections, isServed, processes.id)
    const writes = next.changed.map((each) => ({
      replaceOne: { filter: { _id: each._id }, replacement: { ...each }, upsert: true },
    }))
    if (writes.length > 0) await withTimeout(() => definitions.bulkWrite(writes, { session }))
    const { generation } = next
    await withTimeout(() => stores.updateOne({ _id: STORE_DOC }, { $set: { generation } }, { session }))
    await processes.renew(generation, session)
    return next
  })

/** Renews the lease until the store is closed or a newer release takes over. */
const keepMembership = (
  { database, processes, times, drain, superseded }: Opening,
  generation: number,
  signal: AbortSignal,
): Membership => {
  const { db, withTimeout, sessions } = database
  let isOvertaken = false
  let named = sessions.ids()
  const renew = async (): Promise<void> => {
    const ids = sessions.ids()
    await processes.renew(generation)
    named = ids
  }
  const assertOwn = (): void => {
    if (isOvertaken) throw new Overtaken()
  }
  const withdraw = async (): Promise<void> => {
    isOvertaken = true
    await drain()
    await processes.leave()
    if (!signal.aborted) superseded(SUPERSEDED)
  }
  const checkGeneration = async (): Promise<void> => {
    const store = await withTimeout(() => db.collection<StoreDoc>(SHAPES).findOne({ _id: STORE_DOC }))
    if (store && store.generation > generation && !isOvertaken) void withdraw()
    assertOwn()
  }
  const keepRenewing = async (): Promise<void> => {
    for (;;) {
      await sleep(times.renewMs, undefined, { ref: false, signal }).catch(() => {})
      if (isOvertaken || signal.aborted) return
      await renew()
        .then(checkGeneration)
        .then(processes.sweep)
        .catch(() => {})
    }
  }
  void keepRenewing()
  return {
    assertOwn,
    permit: {
      generation,
      nameSessions: async () => {
        if (named !== sessions.ids()) await renew()
      },
      refused: async () => {
        await checkGeneration()
        // A delayed process of an earlier release may have set its validators again.
        await fence(database, generation)
      },
    },
  }
}

/** Makes indexes, ends the former release if the change is breaking, and migrates the records. */
const upgrade = async (
  { database, processes, collections, times, ...options }: Opening,
  { generation, definitions, changed }: Definitions,
  { assertOwn }: Membership,
): Promise<ReadonlyMap<string, Shape>> => {
  const entries = collections.map((collection) => {
    const definition = definitions.get(collection.name)
    return { definition, shape: shapeOf(collection, definition && storedNames(definition, collection)) }
  })
  const breaking = changed.flatMap(({ _id, isDone }) => (isDone ? [] : [_id]))
  if (breaking.length > 0) options.report(`MongoDB: the store is upgraded for this release: ${breaking.join(', ')}`)
  while (await processes.isServed({ $lt: generation })) {
    assertOwn()
    await sleep(times.renewMs / 8)
  }
  // No validator can be set while a transaction is open on its collection.
  await processes.sweep()
  await fence(database, generation)
  await everyOne(
    entries.map(({ shape, definition }) => makeIndexes(database, shape, definition?.building ?? [], options)),
  )
  for (const { shape, definition } of entries) {
    if (!definition || definition.isDone) continue
    assertOwn()
    await migrateRecords(database, shape, definition, generation)
    const { _id, since } = definition
    const done = { $set: { stands: definition.shape, isDone: true }, $unset: { filler: '' as const } }
    await database.withTimeout(() => database.db.collection<Definition>(SHAPES).updateOne({ _id, since }, done))
  }
  return new Map(entries.map(({ shape }) => [shape.collection.name, shape]))
}

/** `collMod` waits for the lock of the collection and blocks later requests, so each try is short. */
const LOCK_MS = 200
const MAX_FENCE_ATTEMPTS = 300

type Connected = Pick<Database, 'db' | 'withTimeout'>

/**
 * Lets the server accept only writes of a generation: a process that was asleep or cut off while its lease expired
 * writes nothing more, not even what it has already sent.
 */
export const fence = async (database: Connected, generation: number): Promise<void> => {
  const { db, withTimeout } = database
  const stores = db.collection<StoreDoc>(SHAPES)
  const before = await withTimeout(() => stores.findOne({ _id: STORE_DOC }))
  if (before && before.fenced > generation) return
  await setValidators(database, generation)
  const set = { $max: { fenced: generation }, $inc: { version: 1 } }
  const store = await withTimeout(() => stores.findOneAndUpdate({ _id: STORE_DOC }, set, { returnDocument: 'after' }))
  // This process was late: the validators of a later generation are restored.
  if (store && store.fenced > generation) await setValidators(database, store.fenced)
}

const setValidators = async ({ db, withTimeout }: Connected, generation: number): Promise<void> => {
  const docs = await withTimeout(() => db.collection<{ _id: string }>(SHAPES).find().toArray())
  const names = new Set(docs.map(({ _id }) => _id).filter((name) => name !== STORE_DOC))
  const stored = await withTimeout(() => db.listCollections({}, { nameOnly: false }).toArray())
  const validator = validatorOf(generation)
  const wanted = JSON.stringify(validator)
  const others = stored.filter(
    ({ name, options }) => names.has(name) && JSON.stringify(options?.validator ?? {}) !== wanted,
  )
  const set = async (collMod: string): Promise<void> => {
    const how = { validationLevel: 'strict', validationAction: 'error', writeConcern: { w: 'majority' } } as const
    for (let attempt = 1; ; attempt += 1) {
      try {
        await withTimeout(() => db.command({ collMod, validator, ...how, maxTimeMS: LOCK_MS }))
        return
      } catch (error) {
        if (attempt === MAX_FENCE_ATTEMPTS || !isUnavailable(error)) throw error
        await sleep(LOCK_MS)
      }
    }
  }
  await everyOne(others.map(({ name }) => set(name)))
}

const RECORDS_AT_ONCE = 500

/**
 * Rewrites all records of a collection for its present shape, with upgraded fields, conditions and keys, and counts its
 * tallies under new numbers. If another process has taken over, the server refuses the records, and the counts are
 * under numbers that only this one uses. Every record gets a new revision, so that no write of an earlier generation
 * matches it.
 */
const migrateRecords = async (database: Database, shape: Shape, definition: Definition, generation: number) => {
  const { db, withTimeout } = database
  const { collection, numbers } = shape
  const formerKeys: readonly string[] = JSON.parse(definition.stands).keys
  const newKeys = Object.keys(collection.keys ?? {}).filter((key) => !formerKeys.includes(key))
  const buckets = db.collection<BucketDoc>(talliesOf(collection.name))
  const rev = newRev(generation)
  for (let last: Id | null = null; ; ) {
    const page = { sort: { _id: 1 }, limit: RECORDS_AT_ONCE, hint: '_id_' } as const
    const filter = last === null ? {} : { _id: { $gt: last } }
    const docs: readonly Doc[] = await localReader(database).find(collection.name, { filter, ...page })
    const records = docs.map((doc) => recordOf(collection, doc))
    const texts = docs.map((doc): Record<string, string> => ({ ...keyTextsOf(shape, doc) }))
    for (const key of newKeys) await claimTexts(database, shape, key, records, texts)
    const writes = records.map((record, at) => replacement(docOf(shape, record, texts[at] ?? {}, rev)))
    if (writes.length > 0)
      await withTimeout(() => db.collection<Doc>(collection.name).bulkWrite(writes, { ordered: false }))
    const deltas = tallyDeltas(records.map((after) => ({ collection, id: after.id, before: null, after })))
    for (const { writes: counts } of bucketWrites(new Map([[collection.name, shape]]), deltas, 0))
      await withTimeout(() => buckets.bulkWrite(counts))
    last = docs.at(-1)?._id ?? null
    if (docs.length < RECORDS_AT_ONCE) break
  }
  const firstNumber = Math.min(definition.lastNumber + 1, ...numbers)
  for (let number = 0; number < firstNumber; number += 1)
    await withTimeout(() => buckets.deleteMany(everyBucketOf(number)))
}

const replacement = ({ _id, ...doc }: Doc) => ({ replaceOne: { filter: { _id }, replacement: doc } })

/** Gives each text of a new key to the first record by id. A record that already has it keeps it. */
const claimTexts = async (
  database: Database,
  shape: Shape,
  key: string,
  records: readonly Rec[],
  texts: readonly Record<string, string>[],
): Promise<void> => {
  const wanted = records.map((record) => shape.collection.keys?.[key]?.(record) ?? null)
  const filter = { [keyPath(shape, key)]: { $in: wanted.filter((text) => text !== null) } }
  const found = await localReader(database).find(shape.collection.name, { filter, projection: { _keys: 1 } })
  const holders = new Map(found.map((doc) => [keyTextsOf(shape, doc)[key], doc._id]))
  for (const [at, text] of wanted.entries()) {
    const [own, record] = [texts[at], records[at]]
    if (text === null || !own || !record) continue
    if (!holders.has(text)) holders.set(text, record.id)
    if (holders.get(text) === record.id) own[key] = text
  }
}
