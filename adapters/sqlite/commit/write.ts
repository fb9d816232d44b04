import {
  applyCommits,
  type BatchResult,
  type CommitResult,
  type PendingCommit,
} from '../../../core/kernel/records/apply-commits.ts'
import type { KeyMove, NetWrite, StoreReader } from '../../../core/kernel/records/batch-state.ts'
import type { AnyCollection } from '../../../core/kernel/records/collection.ts'
import type { Rec } from '../../../core/kernel/records/record.ts'
import { StoreUnavailable } from '../../../core/ports/store.ts'
import type { AnswerCache, CachedWrite } from '../ask/answer-cache.ts'
import type { Connection } from '../file/connection.ts'
import type { SqlValue } from '../file/driver.ts'
import { columnNames } from '../tables/columns.ts'
import type { Shape } from '../tables/schema.ts'
import { addToTally } from '../tables/tally-table.ts'
import { columnOf } from '../tables/values.ts'

/** The statements of a collection, in words made once. */
interface Words {
  readonly shape: Shape
  /** As the interpreter is to take it. */
  readonly collection: AnyCollection
  readonly find: string
  readonly insert: string
  readonly remove: string
  readonly updates: Map<string, string>
  readonly keys: ReadonlyMap<string, KeyWords>
}

interface KeyWords {
  readonly owner: string
  readonly claim: string
  readonly release: string
}

/** Runs batches of commits, each in a transaction that the caller holds. */
export interface Write {
  /** One resolved outcome per commit, in order. */
  run(commits: readonly PendingCommit[]): readonly CommitResult[]
  /** Told at once what became of the transaction. */
  ended(isCommitted: boolean): void
}

interface Parts {
  readonly connection: Connection
  /** Looked at anew for every batch: what stands since is kept from the next commit on. */
  readonly shapes: () => ReadonlyMap<string, Shape>
  readonly cache: AnswerCache
}

export const writer = ({ connection, shapes, cache }: Parts): Write => {
  const words = new Map<Shape, Words>()
  let seen: ReadonlyMap<string, Shape> | null = null
  let collections: ReadonlyMap<string, AnyCollection> = new Map()
  const look = (): void => {
    const now = shapes()
    if (now === seen) return
    seen = now
    for (const shape of words.keys()) if (now.get(shape.collection.name) !== shape) words.delete(shape)
    for (const shape of now.values()) if (!words.has(shape)) words.set(shape, wordsOf(shape))
    collections = new Map([...words.values()].map(({ collection }) => [collection.name, collection]))
  }
  const of = (collection: string): Words => {
    const shape = seen?.get(collection)
    const found = shape && words.get(shape)
    if (!found) throw new Error(`no collection ${collection}: the store was opened without it`)
    return found
  }
  const reader: StoreReader = {
    record: ([collection, id]) => {
      const known = cache.record(collection, id)
      if (known !== undefined) return known
      const row = connection.get(of(collection).find, id)
      return row ? JSON.parse(String(row.doc)) : null
    },
    owner: (collection, key, text) => {
      const owner = connection.get(keyOf(of(collection), key).owner, text)?.id
      return typeof owner === 'number' || typeof owner === 'string' ? owner : null
    },
  }
  let written: readonly CachedWrite[] = []
  const store = ({ writes, keys, tallies }: BatchResult): void => {
    written = writes.map((write) => ({ ...write, chars: put(connection, of(write.collection.name), write) }))
    // A text that one record gives up may be another's now.
    for (const move of keys) if (move.id === null) moveKey(connection, of(move.collection), move)
    for (const move of keys) if (move.id !== null) moveKey(connection, of(move.collection), move)
    for (const delta of tallies) {
      const tally = of(delta.collection.name).shape.tallies[delta.row]
      if (tally) addToTally(connection, tally, delta)
    }
  }
  return {
    run: (commits) => {
      look()
      const applied = applyCommits(collections, reader, commits)
      store(applied)
      return applied.outcomes
    },
    ended: (isCommitted) => {
      if (isCommitted) cache.wrote(written)
      else cache.forget()
      written = []
    },
  }
}

const wordsOf = (shape: Shape): Words => {
  const { table, keys } = shape
  const columns = shape.laid.columns.map(columnNames(shape.laid.columns))
  const inserted = ['id', ...columns, 'doc']
  const key = (of: string): KeyWords => ({
    owner: `SELECT id FROM ${of} WHERE text = ?`,
    claim: `INSERT OR REPLACE INTO ${of} VALUES (?, ?)`,
    release: `DELETE FROM ${of} WHERE text = ? AND id = ?`,
  })
  return {
    shape,
    collection: blocked(shape),
    find: shape.byId,
    insert: `INSERT INTO ${table} (${inserted.join(', ')}) VALUES (${inserted.map(() => '?').join(', ')})`,
    remove: `DELETE FROM ${table} WHERE id = ?`,
    updates: new Map(),
    keys: new Map([...keys].map(([name, of]) => [name, key(of)])),
  }
}

/** As long as a key does not hold every text that is there, nothing of its collection can be written. */
const blocked = ({ collection, missing }: Shape): AnyCollection => {
  if (missing.keys.length === 0) return collection
  const text = (): never => {
    throw new StoreUnavailable(`${collection.name} is not written before its new keys are made`)
  }
  return { ...collection, keys: { ...collection.keys, [missing.keys[0] ?? '']: text } }
}

/** How long the text of the record is now. */
const put = (connection: Connection, words: Words, { id, before, after }: NetWrite): number => {
  if (!after) {
    connection.run(words.remove, id)
    return 0
  }
  const doc = JSON.stringify(after)
  if (before) update(connection, words, { before, after, doc })
  else {
    const columns = words.shape.laid.columns.map((field) => columnOf(after, field))
    connection.run(words.insert, id, ...columns, doc)
  }
  return doc.length
}

interface Update {
  readonly before: Rec
  readonly after: Rec
  readonly doc: string
}

/** Names only the columns that change, so that the indexes of the others are left alone. */
const update = (connection: Connection, words: Words, { before, after, doc }: Update): void => {
  const values: SqlValue[] = []
  let changed = ''
  const { laid, missing } = words.shape
  for (const field of laid.columns) {
    // What an upgrade gives is in the record in hand, and not in its column yet.
    if (before[field] === after[field] && !missing.fields.includes(field)) continue
    changed += `f_${field} = ?, `
    values.push(columnOf(after, field))
  }
  const known = words.updates.get(changed) ?? `UPDATE ${words.shape.table} SET ${changed}doc = ? WHERE id = ?`
  words.updates.set(changed, known)
  connection.run(known, ...values, doc, after.id)
}

const keyOf = ({ keys, shape }: Words, key: string): KeyWords => {
  const found = keys.get(key)
  if (!found) throw new Error(`${shape.collection.name} has no key ${key}`)
  return found
}

const moveKey = (connection: Connection, words: Words, { key, text, from, id }: KeyMove): void => {
  const { claim, release } = keyOf(words, key)
  if (id === null) connection.run(release, text, from)
  else connection.run(claim, text, id)
}
