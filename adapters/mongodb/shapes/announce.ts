import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientSession } from 'mongodb'
import type { AnyCollection } from '../../../core/kernel/records/collection.ts'
import { newerReleaseMessage, shapeChange } from '../../../core/kernel/records/stored-shape.ts'
import { isDuplicate, isTransient } from '../connection.ts'
import type { Database } from '../database.ts'
import { SHAPES } from '../layout/shape.ts'
import { runInTransaction, TransactionForgotten } from '../transactions.ts'
import type { Leases } from './leases.ts'
import {
  adopted,
  changedDoc,
  digestOf,
  type EarlierDoc,
  freshDoc,
  isEarlier,
  newerIn,
  ownDoc,
  type ShapeDoc,
} from './shape-docs.ts'

/** The one of the whole database. Every change of a shape of any collection begins a new generation. */
export interface GenerationDoc {
  readonly _id: string
  readonly generation: number
  /** The last for which every collection takes writes, and of no other. */
  readonly fenced: number
  /** Grows whenever anything of shapes changes, so that it need not be read again. */
  readonly version: number
}

/** What a process knows of the shapes of its database. */
export interface Announced {
  readonly store: GenerationDoc
  readonly docs: ReadonlyMap<string, ShapeDoc>
}

/** No name of a collection: those have no underscore. */
export const STORE_DOC = '_store'

/**
 * Says which shapes this process writes, and that it is there: at one instant, so that no two processes can each believe
 * that they came later. Throws, with one line, where a newer release has written the store or is serving it.
 */
export const announce = async (
  base: Database,
  leases: Leases,
  collections: readonly AnyCollection[],
): Promise<Announced> => {
  for (let tries = 1; ; tries += 1) {
    try {
      return await base.sessions.outsideBatches(async (session) => {
        // The session is named before anything is open in it.
        await leases.hold(null)
        return announceIn(base, leases, collections, session)
      })
    } catch (error) {
      // Others start at the same time, or have ended the session of who was asleep: to announce twice announces the same.
      const isWorthAnother = isTransient(error) || isDuplicate(error) || error instanceof TransactionForgotten
      if (tries === TRIES || !isWorthAnother) throw error
    }
    await sleep(PAUSE_MS * tries * Math.random())
  }
}

const TRIES = 50
const PAUSE_MS = 10

const announceIn = async (
  base: Database,
  leases: Leases,
  collections: readonly AnyCollection[],
  session: ClientSession,
): Promise<Announced> => {
  let announced: Announced | null = null
  await runInTransaction(session, base.withTimeout, async () => {
    const store = base.db.collection<GenerationDoc>(SHAPES)
    const shapes = base.db.collection<ShapeDoc | EarlierDoc>(SHAPES)
    // A write comes first: of two that do this at once, one has to wait for the other.
    const touched = await base.withTimeout(() =>
      store.findOneAndUpdate(
        { _id: STORE_DOC },
        { $inc: { version: 1 }, $setOnInsert: { generation: 0, fenced: 0 } },
        { upsert: true, returnDocument: 'after', session },
      ),
    )
    if (!touched) throw new Error('no generation of shapes')
    const filter = { _id: { $in: collections.map(({ name }) => name) } }
    const there = await base.withTimeout(() => shapes.find(filter, { session }).toArray())
    const isServed = await leases.isThere({ $eq: touched.generation }, session)
    const next = nextOf(touched, there, collections, isServed)
    const writes = next.changed.map((doc) => ({
      replaceOne: { filter: { _id: doc._id }, replacement: { ...doc }, upsert: true },
    }))
    if (writes.length > 0) await base.withTimeout(() => shapes.bulkWrite(writes, { session }))
    const { generation, fenced } = next.store
    await base.withTimeout(() => store.updateOne({ _id: STORE_DOC }, { $set: { generation, fenced } }, { session }))
    await leases.hold(generation, session)
    announced = { store: next.store, docs: next.docs }
  })
  if (!announced) throw new Error('nothing was announced')
  return announced
}

interface Next extends Announced {
  readonly changed: readonly ShapeDoc[]
}

/** What the shapes become with a process of these collections. */
export const nextOf = (
  store: GenerationDoc,
  there: readonly (ShapeDoc | EarlierDoc)[],
  collections: readonly AnyCollection[],
  isServed: boolean,
): Next => {
  const found = new Map(there.map((doc) => [doc._id, isEarlier(doc) ? adopted(doc) : doc]))
  const olders = new Set(there.filter(isEarlier).map(({ _id }) => _id))
  const known = collections.flatMap((collection) => {
    const doc = found.get(collection.name)
    return doc ? [{ collection, doc }] : []
  })
  for (const { collection, doc } of known) refuseNewer(collection, doc)
  const changing = known.filter(({ collection, doc }) => isOther(collection, doc))
  refuseOvertaken(changing, isServed)
  const generation = store.generation + Number(changing.length > 0)
  const fresh = collections.filter(({ name }) => !found.has(name)).map((collection) => freshDoc(collection, generation))
  const same = known
    .filter(({ doc, collection }) => olders.has(doc._id) && !isOther(collection, doc))
    .map(({ collection, doc }) => ownDoc(doc, collection))
  const changed = [...fresh, ...same, ...changing.map(({ collection, doc }) => changedDoc(doc, collection, generation))]
  const docs = new Map([...found, ...changed.map((doc) => [doc._id, doc] as const)])
  return { store: { ...store, generation }, docs, changed }
}

interface Known {
  readonly collection: AnyCollection
  readonly doc: ShapeDoc
}

const refuseNewer = (collection: AnyCollection, doc: ShapeDoc): void => {
  if (doc.kind !== collection.ids) throw new Error(`MongoDB: ${collection.name} has ${doc.kind} ids in the database`)
  const newer = newerIn(doc, collection)
  if (newer.length > 0) throw new Error(`MongoDB: ${newerReleaseMessage(collection.name, newer)}`)
}

/** Who was overtaken does not take the store back while those are there who did: they would take it from each other for ever. */
const refuseOvertaken = (changing: readonly Known[], isServed: boolean): void => {
  const isPast = changing.length > 0 && changing.every(({ collection, doc }) => doc.past.includes(digestOf(collection)))
  if (isPast && isServed)
    throw new Error(
      'MongoDB: a newer release is serving this store: start that one, or stop all of its processes first',
    )
}

/** What 0.1.0 to 0.3.0 left tells only a part of a shape: it is the same where that part needs nothing. */
const isOther = (collection: AnyCollection, doc: ShapeDoc): boolean => {
  if (doc.digest !== '') return doc.digest !== digestOf(collection)
  const change = shapeChange(JSON.parse(doc.stands), collection)
  return [
    change.fieldsToFill,
    change.changedConditions,
    change.newKeys,
    change.droppedKeys,
    change.newTallies,
    change.droppedTallies,
  ].some((list) => list.length > 0)
}
