import type { ObjectId } from 'mongodb'
import { applyCommits, type BatchResult, type PendingCommit } from '../../core/kernel/records/apply-commits.ts'
import type { KeyMove, StoreReader } from '../../core/kernel/records/batch-state.ts'
import type { AnyCollection, At, Change, CommitHook, Id, Rec } from '../../core/kernel/records/record.ts'
import type { DatabaseReader } from './database.ts'
import { type Doc, generationOf, type Held, type KeyTexts, keyTextsOf, recordOf } from './layout/document.ts'
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
    const held = batch.flatMap(({ changes }, index) => {
      const outcome = applied.outcomes[index]
      return outcome && 'ok' in outcome && outcome.ok ? [...changes, ...(hookChanges[index] ?? [])] : []
    })
    return { ...applied, guarded: held.filter(({ kind }) => kind !== 'insert').map(({ at }) => at) }
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

interface Loaded extends Held {
  readonly rev: ObjectId
}

/** The texts of a unique key whose owners are not loaded. */
interface MissingOwners {
  readonly collection: string
  readonly key: string
  readonly texts: Set<string>
}

interface Load {
  readonly request: ReadRequest
  readonly accept: (doc: Doc) => void
}

type OfCollection<T> = Map<string, Map<Id, T>>

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
  readonly #records: OfCollection<Loaded | null> = new Map()
  readonly #owners = new Map<string, Map<string, Id | null>>()
  readonly #inserted: OfCollection<true> = new Map()
  readonly #missing: OfCollection<true> = new Map()
  readonly #missingOwners = new Map<string, MissingOwners>()
  readonly #assumedAbsent: OfCollection<true> = new Map()
  readonly #assumedFree = new Set<string>()
  #loaded = 0
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
      if (!this.#shapes.has(at[0]) || of(this.#records, at[0]).has(at[1])) continue
      if (kind === 'insert' && this.#assumes) of(this.#inserted, at[0]).set(at[1], true)
      else of(this.#missing, at[0]).set(at[1], true)
    }
  }

  record([collection, id]: At): Rec | null {
    const known = of(this.#records, collection).get(id)
    if (known !== undefined) return known?.record ?? null
    if (of(this.#inserted, collection).has(id)) of(this.#assumedAbsent, collection).set(id, true)
    else of(this.#missing, collection).set(id, true)
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
    return of(this.#records, collection).get(id)?.rev ?? null
  }

  /** Returns the record's texts of unique keys. */
  texts([collection, id]: At): KeyTexts {
    return of(this.#records, collection).get(id)?.texts ?? {}
  }

  /** Reports whether the interpreter has read records that are not loaded: its result is then invalid. */
  get isIncomplete(): boolean {
    return this.#missingOwners.size > 0 || [...this.#missing.values()].some((ids) => ids.size > 0)
  }

  /** Reports whether a record was not read for this batch. A commit that writes it shows that it is unchanged. */
  get usesRecent(): boolean {
    return this.#usesRecent
  }

  /** Reports whether all reads are of one instant: at most one record, and no assumption. */
  get isOfOneInstant(): boolean {
    return !this.#usesRecent && this.#loaded <= 1 && this.#assumedFree.size === 0 && this.#assumedAbsent.size === 0
  }

  /** Reports whether the writes verify all assumptions: each absent record is inserted, each free text is claimed. */
  isVerifiedBy({ writes, keys }: BatchResult): boolean {
    const inserted = new Set(
      writes.filter(({ after }) => after !== null).map(({ collection, id }) => recordName(collection.name, id)),
    )
    const taken = new Set(keys.filter(({ id }) => id !== null).map(textName))
    const absent = [...this.#assumedAbsent].flatMap(([name, ids]) => [...ids.keys()].map((id) => recordName(name, id)))
    return absent.every((name) => inserted.has(name)) && [...this.#assumedFree].every((name) => taken.has(name))
  }

  /** Loads the missing records and the owners of missing texts. */
  async load(reader: DatabaseReader): Promise<void> {
    if (this.#missingOwners.size === 0 && this.#loadRecent()) return
    const loads = [
      ...[...this.#missing].map(([collection, ids]) => this.#recordsOf(collection, [...ids.keys()])),
      ...[...this.#missingOwners.values()].map((missing) => this.#textsOf(missing)),
    ].flat()
    this.#missingOwners.clear()
    this.#missing.clear()
    const found = await reader.readAll(loads.map(({ request }) => request))
    for (const [index, { accept }] of loads.entries()) for (const doc of found[index] ?? []) accept(doc as Doc)
  }

  /** Returns false without an effect if the recent documents do not have all missing records. */
  #loadRecent(): boolean {
    const missing = [...this.#missing].map(([name, ids]) => ({
      name,
      ids: [...ids.keys()],
      docs: [...ids.keys()].map((id) => this.#recent?.get([name, id])),
    }))
    if (missing.some(({ docs }) => docs.includes(undefined))) return false
    for (const { name, ids, docs } of missing)
      for (const { accept } of this.#recordsOf(name, ids)) for (const doc of docs) if (doc) accept(doc)
    this.#usesRecent ||= missing.some(({ ids }) => ids.length > 0)
    this.#missing.clear()
    return true
  }

  #recordsOf(name: string, ids: readonly Id[]): Load[] {
    const records = of(this.#records, name)
    for (const id of ids) records.set(id, null)
    this.#loaded += ids.length
    const shape = this.#shapes.get(name)
    if (!shape || ids.length === 0) return []
    const accept = (doc: Doc): void => {
      // The server rejects writes of an earlier generation, but not removals.
      if (generationOf(doc._rev) > this.#generation) throw new Overtaken()
      const texts = keyTextsOf(shape, doc)
      records.set(doc._id, { record: recordOf(shape.collection, doc), texts, rev: doc._rev })
      // The texts of a loaded record are not free: a unique index cannot reject a text that its own batch takes over.
      for (const [key, text] of Object.entries(texts)) this.#ownersOf(name, key).set(text, doc._id)
    }
    return [{ request: { from: name, search: { filter: { _id: { $in: [...ids] } } } }, accept }]
  }

  #ownersOf(collection: string, key: string): Map<string, Id | null> {
    const name = `${collection} ${key}`
    const owners = this.#owners.get(name) ?? new Map<string, Id | null>()
    this.#owners.set(name, owners)
    return owners
  }

  #textsOf({ collection, key, texts }: MissingOwners): Load[] {
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
}

/** Identifies a text of a unique key. */
export const textName = ({ collection, key, text }: Pick<KeyMove, 'collection' | 'key' | 'text'>): string =>
  JSON.stringify([collection, key, text])

const recordName = (collection: string, id: Id): string => JSON.stringify([collection, id])

const of = <T>(map: OfCollection<T>, collection: string): Map<Id, T> => {
  const known = map.get(collection)
  if (known) return known
  const made = new Map<Id, T>()
  map.set(collection, made)
  return made
}
