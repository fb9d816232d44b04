import type { ObjectId } from 'mongodb'
import { applyCommits, type BatchResult, type PendingCommit } from '../../core/kernel/records/apply-commits.ts'
import type { KeyMove, StoreReader } from '../../core/kernel/records/batch-state.ts'
import type { Change } from '../../core/kernel/records/change.ts'
import type { AnyCollection } from '../../core/kernel/records/collection.ts'
import type { At, Id, Rec } from '../../core/kernel/records/record.ts'
import type { DatabaseReader } from './database.ts'
import { generationOf, type Held, type KeyTexts, keyTextsOf, recordOf } from './layout/document.ts'
import { keyPath, type Shape } from './layout/shape.ts'
import { Overtaken } from './transactions.ts'

/** Every round looks up what the last one lacked; what a change lacks hangs on the changes before it alone. */
const MAX_ROUNDS = 20

export interface Interpreted extends BatchResult {
  /** The records that a commit which holds has guarded, written or not. */
  readonly guarded: readonly At[]
}

/** Runs the batch through the one interpreter, as often as it takes to know all that it asks for. */
export const interpret = async (
  table: ReadonlyMap<string, AnyCollection>,
  batch: readonly PendingCommit[],
  known: ReadSet,
  reader: DatabaseReader,
  inTurn: boolean,
): Promise<Interpreted> => {
  for (const { changes } of batch) known.expect(changes)
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    await known.learn(reader, inTurn)
    const ridden: (readonly Change[])[] = []
    const listening = batch.map((pending, index) =>
      listened(pending, (changes) => {
        known.expect(changes)
        ridden[index] = changes
      }),
    )
    const applied = applyCommits(table, known, listening)
    if (known.lacks) continue
    const held = batch.flatMap(({ changes }, index) => {
      const outcome = applied.outcomes[index]
      return outcome && 'ok' in outcome && outcome.ok ? [...changes, ...(ridden[index] ?? [])] : []
    })
    return { ...applied, guarded: held.filter(({ kind }) => kind !== 'insert').map(({ at }) => at) }
  }
  throw new Error(`a batch of ${batch.length} commits asks for ever more records`)
}

const listened = ({ changes, hook }: PendingCommit, hear: (changes: readonly Change[]) => void): PendingCommit => {
  if (!hook) return { changes }
  return {
    changes,
    hook: (taken) => {
      const riding = hook(taken)
      hear(riding)
      return riding
    },
  }
}

interface Loaded extends Held {
  readonly rev: ObjectId
}

type OfCollection<T> = Map<string, Map<Id, T>>

/**
 * What is known of the store while a batch is interpreted. Where it assumes, a record that is only inserted is taken
 * to be absent and a unique key to be free, without a look: the unique indexes tell where that was wrong. What is
 * missing is noted, and learned between two interpretations.
 */
export class ReadSet implements StoreReader {
  readonly #shapes: ReadonlyMap<string, Shape>
  /** For which this process writes. */
  readonly #generation: number
  readonly #assumes: boolean
  readonly #records: OfCollection<Loaded | null> = new Map()
  readonly #owners = new Map<string, Map<string, Id | null>>()
  readonly #inserted: OfCollection<true> = new Map()
  readonly #lacking: OfCollection<true> = new Map()
  readonly #lackingOwners = new Map<string, { collection: string; key: string; texts: Set<string> }>()
  readonly #assumedAbsent: OfCollection<true> = new Map()
  readonly #assumedFree = new Set<string>()
  #loaded = 0

  constructor(shapes: ReadonlyMap<string, Shape>, generation: number, assumes: boolean) {
    this.#shapes = shapes
    this.#generation = generation
    this.#assumes = assumes
  }

  /** Says which records some changes will ask for. */
  expect(changes: readonly Change[]): void {
    for (const { kind, at } of changes) {
      if (!this.#shapes.has(at[0]) || of(this.#records, at[0]).has(at[1])) continue
      if (kind === 'insert' && this.#assumes) of(this.#inserted, at[0]).set(at[1], true)
      else of(this.#lacking, at[0]).set(at[1], true)
    }
  }

  record([collection, id]: At): Rec | null {
    const known = of(this.#records, collection).get(id)
    if (known !== undefined) return known?.record ?? null
    if (of(this.#inserted, collection).has(id)) of(this.#assumedAbsent, collection).set(id, true)
    else of(this.#lacking, collection).set(id, true)
    return null
  }

  owner(collection: string, key: string, text: string): Id | null {
    const name = `${collection} ${key}`
    const known = this.#owners.get(name)?.get(text)
    if (known !== undefined) return known
    if (this.#assumes) this.#assumedFree.add(textName({ collection, key, text }))
    else {
      const lacking = this.#lackingOwners.get(name) ?? { collection, key, texts: new Set<string>() }
      this.#lackingOwners.set(name, lacking)
      lacking.texts.add(text)
    }
    return null
  }

  /** The batch that wrote the record last, null where there is no record. */
  rev([collection, id]: At): ObjectId | null {
    return of(this.#records, collection).get(id)?.rev ?? null
  }

  /** The texts that the record holds of unique keys. */
  texts([collection, id]: At): KeyTexts {
    return of(this.#records, collection).get(id)?.texts ?? {}
  }

  /** Whether something was asked for that is not known: what was interpreted does not count then. */
  get lacks(): boolean {
    return this.#lackingOwners.size > 0 || [...this.#lacking.values()].some((ids) => ids.size > 0)
  }

  /** Whether all that was seen was there together: at most one record, and nothing assumed. */
  get isOfOneInstant(): boolean {
    return this.#loaded <= 1 && this.#assumedFree.size === 0 && this.#assumedAbsent.size === 0
  }

  /** Whether writing it proves what was assumed: each record that was taken to be absent is inserted, each text taken. */
  isProvenBy({ writes, keys }: BatchResult): boolean {
    const inserted = new Set(
      writes.filter(({ after }) => after !== null).map(({ collection, id }) => recordName(collection.name, id)),
    )
    const taken = new Set(keys.filter(({ id }) => id !== null).map(textName))
    const absent = [...this.#assumedAbsent].flatMap(([name, ids]) => [...ids.keys()].map((id) => recordName(name, id)))
    return absent.every((name) => inserted.has(name)) && [...this.#assumedFree].every((name) => taken.has(name))
  }

  /** Looks up what is lacking, one question for each collection and each key. */
  async learn(reader: DatabaseReader, inTurn: boolean): Promise<void> {
    const questions = [
      ...[...this.#lacking].map(
        ([collection, ids]) =>
          () =>
            this.#load(reader, collection, [...ids.keys()]),
      ),
      ...[...this.#lackingOwners.values()].map((lacking) => () => this.#findOwners(reader, lacking)),
    ]
    this.#lackingOwners.clear()
    this.#lacking.clear()
    if (inTurn) for (const question of questions) await question()
    else await Promise.all(questions.map((question) => question()))
  }

  async #load(reader: DatabaseReader, name: string, ids: readonly Id[]): Promise<void> {
    const records = of(this.#records, name)
    for (const id of ids) records.set(id, null)
    this.#loaded += ids.length
    const shape = this.#shapes.get(name)
    if (!shape || ids.length === 0) return
    for (const doc of await reader.find(name, { filter: { _id: { $in: [...ids] } } })) {
      // The server refuses what is written for an earlier generation, but not what is removed.
      if (generationOf(doc._rev) > this.#generation) throw new Overtaken()
      const texts = keyTextsOf(shape, doc)
      records.set(doc._id, { record: recordOf(shape.collection, doc), texts, rev: doc._rev })
      // What a record in hand has is not free: no unique index tells of a text that its own batch would take from it.
      for (const [key, text] of Object.entries(texts)) this.#ownersOf(name, key).set(text, doc._id)
    }
  }

  #ownersOf(collection: string, key: string): Map<string, Id | null> {
    const name = `${collection} ${key}`
    const owners = this.#owners.get(name) ?? new Map<string, Id | null>()
    this.#owners.set(name, owners)
    return owners
  }

  async #findOwners(
    reader: DatabaseReader,
    { collection, key, texts }: { collection: string; key: string; texts: Set<string> },
  ) {
    const owners = this.#ownersOf(collection, key)
    for (const text of texts) owners.set(text, null)
    const shape = this.#shapes.get(collection)
    if (!shape) return
    const filter = { [keyPath(shape, key)]: { $in: [...texts] } }
    for (const doc of await reader.find(collection, { filter, projection: { _keys: 1 } })) {
      const text = keyTextsOf(shape, doc)[key]
      if (text !== undefined) owners.set(text, doc._id)
    }
  }
}

/** The name of a text of a unique key. */
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
