import type { ObjectId } from 'mongodb'
import { applyCommits, type BatchResult, type PendingCommit } from '../../core/kernel/records/apply-commits.ts'
import type { KeyMove, StoreReader } from '../../core/kernel/records/batch-state.ts'
import type { AnyCollection, At, Change, CommitHook, Id, Rec } from '../../core/kernel/records/record.ts'
import type { DatabaseReader } from './database.ts'
import {
  type Doc,
  generationOf,
  type KeyedRecord,
  type KeyTexts,
  keyTextsOf,
  recordName,
  recordOf,
} from './layout/document.ts'
import { keyPath, type Shape } from './layout/shape.ts'
import type { RecentDocs } from './recent-docs.ts'
import type { ReadRequest } from './requests.ts'
import { Overtaken } from './transactions.ts'

/** Each round loads the records that the last one lacked. */
const MAX_ROUNDS = 20

export interface Interpreted extends BatchResult {
  /** The records that successful commits have guarded, written or not. */
  readonly guarded: readonly At[]
}

/** Interprets a batch, again until all records that it reads are loaded. */
export const interpret = async (
  table: ReadonlyMap<string, AnyCollection>,
  batch: readonly PendingCommit[],
  known: ReadSet,
  reader: DatabaseReader,
): Promise<Interpreted> => {
  for (const { changes, hook } of batch) {
    known.expect(changes)
    if (hook) known.expect(changesWithoutTaken(hook))
  }
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    await known.load(reader)
    const hookChanges: (readonly Change[])[] = []
    const observed = batch.map((pending, index) =>
      withObserver(pending, (changes) => {
        known.expect(changes)
        hookChanges[index] = changes
      }),
    )
    const applied = applyCommits(table, known, observed)
    if (known.isIncomplete) continue
    const committed = batch.flatMap(({ changes }, index) => {
      const outcome = applied.outcomes[index]
      return outcome && 'ok' in outcome && outcome.ok ? [...changes, ...(hookChanges[index] ?? [])] : []
    })
    return { ...applied, guarded: committed.filter(({ kind }) => kind !== 'insert').map(({ at }) => at) }
  }
  throw new Error(`the read set of a batch of ${batch.length} commits did not converge after ${MAX_ROUNDS} rounds`)
}

/** Returns the changes of a hook that uses no taken value, so that their records are loaded in the first round. */
const changesWithoutTaken = (hook: CommitHook): readonly Change[] => {
  const nothingTaken = (): never => {
    throw new Error('nothing is taken before the first round')
  }
  try {
    return hook(nothingTaken)
  } catch {
    // The commit calls the hook again, and reports its error.
    return []
  }
}

const withObserver = (
  { changes, hook }: PendingCommit,
  observe: (changes: readonly Change[]) => void,
): PendingCommit => {
  if (!hook) return { changes }
  return {
    changes,
    hook: (taken) => {
      const added = hook(taken)
      observe(added)
      return added
    },
  }
}

interface LoadedRecord extends KeyedRecord {
  readonly rev: ObjectId
}

/** The texts of a unique key whose owners are not loaded. */
interface MissingOwners {
  readonly collection: string
  readonly key: string
  readonly texts: Set<string>
}

/** A request, and the function that adds each found document to the read set. */
interface Load {
  readonly request: ReadRequest
  readonly accept: (doc: Doc) => void
}

interface ReadSetOptions {
  /**
   * Takes an inserted record as absent and a unique key as free without a read. The unique indexes reject the write if
   * that was wrong.
   */
  readonly assumes: boolean
  /** Takes missing records from these documents, if it has all of them. */
  readonly recent: RecentDocs | null
}

/** The records that the interpreter of a batch reads. Missing ones are noted, and loaded before the next round. */
export class ReadSet implements StoreReader {
  readonly #shapes: ReadonlyMap<string, Shape>
  /** The generation of shapes that this process writes. */
  readonly #generation: number
  readonly #assumes: boolean
  readonly #recent: RecentDocs | null
  /** The loaded records, by collection; null if there is no such record. */
  readonly #records = new Map<string, Map<Id, LoadedRecord | null>>()
  /** The owners of texts, by collection and key; null if a text is free. */
  readonly #owners = new Map<string, Map<string, Id | null>>()
  /** The records and texts to load before the next round. */
  readonly #missing = new Map<string, Set<Id>>()
  readonly #missingOwners = new Map<string, MissingOwners>()
  /** The records that commits insert, if the set assumes that they are absent. */
  readonly #inserted = new Map<string, Set<Id>>()
  /** The assumptions that the interpreter has relied on: records by `recordName`, texts by `textName`. */
  readonly #assumedAbsent = new Set<string>()
  readonly #assumedFree = new Set<string>()
  #loadedCount = 0
  #usesRecent = false

  constructor(shapes: ReadonlyMap<string, Shape>, generation: number, { assumes, recent }: ReadSetOptions) {
    this.#shapes = shapes
    this.#generation = generation
    this.#assumes = assumes
    this.#recent = recent
  }

  /** Adds the records of changes to those to load. */
  expect(changes: readonly Change[]): void {
    for (const { kind, at } of changes) {
      const [collection, id] = at
      if (!this.#shapes.has(collection) || this.#records.get(collection)?.has(id)) continue
      const expected = kind === 'insert' && this.#assumes ? this.#inserted : this.#missing
      idsOf(expected, collection).add(id)
    }
  }

  record(at: At): Rec | null {
    const [collection, id] = at
    const known = this.#records.get(collection)?.get(id)
    if (known !== undefined) return known?.record ?? null
    if (this.#inserted.get(collection)?.has(id)) this.#assumedAbsent.add(recordName(at))
    else idsOf(this.#missing, collection).add(id)
    return null
  }

  owner(collection: string, key: string, text: string): Id | null {
    const name = `${collection} ${key}`
    const known = this.#owners.get(name)?.get(text)
    if (known !== undefined) return known
    if (this.#assumes) this.#assumedFree.add(textName({ collection, key, text }))
    else {
      const missing = this.#missingOwners.get(name) ?? { collection, key, texts: new Set() }
      this.#missingOwners.set(name, missing)
      missing.texts.add(text)
    }
    return null
  }

  /** Returns the revision of the last batch that wrote the record; null without a record. */
  rev([collection, id]: At): ObjectId | null {
    return this.#records.get(collection)?.get(id)?.rev ?? null
  }

  /** Returns the record's texts of unique keys. */
  texts([collection, id]: At): KeyTexts {
    return this.#records.get(collection)?.get(id)?.texts ?? {}
  }

  /** Reports whether the interpreter has read records that are not loaded: its result is then invalid. */
  get isIncomplete(): boolean {
    return this.#missing.size > 0 || this.#missingOwners.size > 0
  }

  /** Reports whether a record was not read for this batch. A commit that writes it shows that it is unchanged. */
  get usesRecent(): boolean {
    return this.#usesRecent
  }

  /** Reports whether all reads are of one instant: at most one record, and no assumption. */
  get isOfOneInstant(): boolean {
    const hasAssumed = this.#assumedFree.size > 0 || this.#assumedAbsent.size > 0
    return !this.#usesRecent && this.#loadedCount <= 1 && !hasAssumed
  }

  /** Reports whether the writes verify all assumptions: each absent record is inserted, each free text is claimed. */
  isVerifiedBy({ writes, keys }: BatchResult): boolean {
    const written = writes.filter(({ after }) => after !== null)
    const inserted = new Set(written.map(({ collection, id }) => recordName([collection.name, id])))
    const claimed = new Set(keys.filter(({ id }) => id !== null).map(textName))
    return (
      [...this.#assumedAbsent].every((name) => inserted.has(name)) &&
      [...this.#assumedFree].every((name) => claimed.has(name))
    )
  }

  /** Loads the missing records and the owners of missing texts. */
  async load(reader: DatabaseReader): Promise<void> {
    if (this.#missingOwners.size === 0 && this.#loadRecent()) return
    const loads = [
      ...[...this.#missing].flatMap(([collection, ids]) => this.#recordLoads(collection, [...ids])),
      ...[...this.#missingOwners.values()].flatMap((missing) => this.#ownerLoads(missing)),
    ]
    this.#missing.clear()
    this.#missingOwners.clear()
    const found = await reader.readAll(loads.map(({ request }) => request))
    for (const [index, { accept }] of loads.entries()) for (const doc of found[index] ?? []) accept(doc as Doc)
  }

  /** Returns false without an effect if the recent documents do not have all missing records. */
  #loadRecent(): boolean {
    const missing = [...this.#missing].map(([collection, ids]) => ({
      collection,
      ids: [...ids],
      docs: [...ids].map((id) => this.#recent?.get([collection, id])),
    }))
    if (missing.some(({ docs }) => docs.includes(undefined))) return false
    for (const { collection, ids, docs } of missing)
      for (const { accept } of this.#recordLoads(collection, ids)) for (const doc of docs) if (doc) accept(doc)
    this.#usesRecent ||= missing.length > 0
    this.#missing.clear()
    return true
  }

  /** Notes these records as absent, and returns the load that adds those that exist. */
  #recordLoads(collection: string, ids: readonly Id[]): Load[] {
    const records = this.#records.get(collection) ?? new Map<Id, LoadedRecord | null>()
    this.#records.set(collection, records)
    for (const id of ids) records.set(id, null)
    this.#loadedCount += ids.length
    const shape = this.#shapes.get(collection)
    if (!shape) return []
    const accept = (doc: Doc): void => {
      // The server rejects writes of an earlier generation, but not removals.
      if (generationOf(doc._rev) > this.#generation) throw new Overtaken()
      const texts = keyTextsOf(shape, doc)
      records.set(doc._id, { record: recordOf(shape.collection, doc), texts, rev: doc._rev })
      // The texts of a loaded record are not free: a unique index cannot reject a text that its own batch takes over.
      for (const [key, text] of Object.entries(texts)) this.#ownersOf(collection, key).set(text, doc._id)
    }
    return [{ request: { from: collection, search: { filter: { _id: { $in: [...ids] } } } }, accept }]
  }

  /** Notes these texts as free, and returns the load that adds the owners that exist. */
  #ownerLoads({ collection, key, texts }: MissingOwners): Load[] {
    const owners = this.#ownersOf(collection, key)
    for (const text of texts) owners.set(text, null)
    const shape = this.#shapes.get(collection)
    if (!shape) return []
    const accept = (doc: Doc): void => {
      const text = keyTextsOf(shape, doc)[key]
      if (text !== undefined) owners.set(text, doc._id)
    }
    const filter = { [keyPath(shape, key)]: { $in: [...texts] } }
    return [{ request: { from: collection, search: { filter, projection: { _keys: 1 } } }, accept }]
  }

  #ownersOf(collection: string, key: string): Map<string, Id | null> {
    const name = `${collection} ${key}`
    const owners = this.#owners.get(name) ?? new Map<string, Id | null>()
    this.#owners.set(name, owners)
    return owners
  }
}

/** Identifies a text of a unique key. */
export const textName = ({ collection, key, text }: Pick<KeyMove, 'collection' | 'key' | 'text'>): string =>
  JSON.stringify([collection, key, text])

/** Returns the ids of a collection in a map, to which they can be added. */
const idsOf = (map: Map<string, Set<Id>>, collection: string): Set<Id> => {
  const ids = map.get(collection) ?? new Set<Id>()
  map.set(collection, ids)
  return ids
}
