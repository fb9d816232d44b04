import { type Applied, apply, type Pending, type Resolved } from '../../../core/kernel/records/apply.ts'
import type { KeyMove, StoreReader, Written } from '../../../core/kernel/records/batch-state.ts'
import type { AnyCollection, Rec } from '../../../core/kernel/records/collection.ts'
import type { Connection } from '../file/connection.ts'
import type { SqlValue } from '../file/driver.ts'
import type { Shape } from '../tables/schema.ts'
import { addToTally } from '../tables/tally-table.ts'
import { columnOf } from '../tables/values.ts'

/** The statements of a collection, in words made once. */
interface Words {
  readonly shape: Shape
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

/** Runs a batch of commits within a transaction that the caller holds: one resolved outcome per commit, in order. */
export type Write = (commits: readonly Pending[]) => readonly Resolved[]

export const writer = (connection: Connection, shapes: readonly Shape[]): Write => {
  const collections = new Map<string, AnyCollection>(shapes.map(({ collection }) => [collection.name, collection]))
  const words = new Map(shapes.map((shape) => [shape.collection.name, wordsOf(shape)]))
  const of = (collection: string): Words => {
    const found = words.get(collection)
    if (!found) throw new Error(`no collection ${collection}: the store was opened without it`)
    return found
  }
  const reader: StoreReader = {
    record: ([collection, id]) => {
      const row = connection.get(of(collection).find, id)
      return row ? JSON.parse(String(row.doc)) : null
    },
    owner: (collection, key, text) => {
      const owner = connection.get(keyOf(of(collection), key).owner, text)?.id
      return typeof owner === 'number' || typeof owner === 'string' ? owner : null
    },
  }
  const store = ({ writes, keys, tallies }: Applied): void => {
    for (const write of writes) put(connection, of(write.collection.name), write)
    // A text that one record gives up may be another's now.
    for (const move of keys) if (move.id === null) moveKey(connection, of(move.collection), move)
    for (const move of keys) if (move.id !== null) moveKey(connection, of(move.collection), move)
    for (const delta of tallies) {
      const tally = of(delta.collection.name).shape.tallies[delta.row]
      if (tally) addToTally(connection, tally, delta)
    }
  }
  return (commits) => {
    const applied = apply(collections, reader, commits)
    store(applied)
    return applied.outcomes
  }
}

const wordsOf = (shape: Shape): Words => {
  const { table, fields, keys } = shape
  const key = (of: string): KeyWords => ({
    owner: `SELECT id FROM ${of} WHERE text = ?`,
    claim: `INSERT OR REPLACE INTO ${of} VALUES (?, ?)`,
    release: `DELETE FROM ${of} WHERE text = ? AND id = ?`,
  })
  return {
    shape,
    find: `SELECT doc FROM ${table} WHERE id = ?`,
    insert: `INSERT INTO ${table} VALUES (${['id', ...fields, 'doc'].map(() => '?').join(', ')})`,
    remove: `DELETE FROM ${table} WHERE id = ?`,
    updates: new Map(),
    keys: new Map([...keys].map(([name, of]) => [name, key(of)])),
  }
}

const put = (connection: Connection, words: Words, { id, before, after }: Written): void => {
  if (!after) connection.run(words.remove, id)
  else if (before) update(connection, words, before, after)
  else {
    const columns = words.shape.fields.map((field) => columnOf(after, field))
    connection.run(words.insert, id, ...columns, JSON.stringify(after))
  }
}

/** Names only the columns that change, so that the indexes of the others are left alone. */
const update = (connection: Connection, words: Words, before: Rec, after: Rec): void => {
  const values: SqlValue[] = []
  let changed = ''
  for (const field of words.shape.fields) {
    if (before[field] === after[field]) continue
    changed += `f_${field} = ?, `
    values.push(columnOf(after, field))
  }
  const known = words.updates.get(changed) ?? `UPDATE ${words.shape.table} SET ${changed}doc = ? WHERE id = ?`
  words.updates.set(changed, known)
  connection.run(known, ...values, JSON.stringify(after), after.id)
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
