import {
  applyCommits,
  type BatchResult,
  type CommitResult,
  type PendingCommit,
} from '../../core/kernel/records/apply-commits.ts'
import type { KeyMove, NetWrite, StoreReader } from '../../core/kernel/records/batch-state.ts'
import type { Outcome } from '../../core/kernel/records/change.ts'
import type { AnyCollection } from '../../core/kernel/records/collection.ts'
import type { Rec } from '../../core/kernel/records/record.ts'
import { MAX_WAITING_COMMITS } from '../../core/limits.ts'
import { StoreUnavailable } from '../../core/ports/store.ts'
import type { CachedWrite, QueryCache } from './cache.ts'
import { columnNames } from './columns.ts'
import { type Connection, retryWhileBusy, type SqlValue } from './connection.ts'
import type { Shape } from './schema.ts'
import { columnValue } from './sql.ts'
import { addToTally } from './tallies.ts'

interface Waiting<Work, Result> {
  readonly work: Work
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

type Commit = Waiting<PendingCommit, Outcome>
/** What is no commit of records but is done in the same transaction. */
type SideWork = Waiting<() => void, void>

/** Where commits wait for the turn of the loop: those that are there together go in one transaction, with one flush. */
export interface CommitBatcher {
  commit(pending: PendingCommit): Promise<Outcome>
  run(sideWork: () => void): Promise<void>
  /** Lets nothing in any more, and waits for what is in. */
  close(): Promise<void>
}

/** Bounds how long one transaction keeps the loop. */
const MAX_CHANGES_TOGETHER = 500

interface Options {
  readonly connection: Connection
  readonly write: BatchWriter
  /** Called first in every transaction; throws where nothing may be written. */
  readonly guard: () => void
  readonly busyWaitMs: number
}

export const commitBatcher = ({ connection, write, guard, busyWaitMs }: Options): CommitBatcher => {
  let commits: Commit[] = []
  let sideWorks: SideWork[] = []
  let going = 0
  let running: Promise<void> | null = null
  let closed = false

  const flush = async (): Promise<void> => {
    const [members, sideWork] = [together(commits), sideWorks]
    commits = commits.slice(members.length)
    sideWorks = []
    going = members.length + sideWork.length
    const batch = (): readonly CommitResult[] => {
      guard()
      for (const { work } of sideWork) work()
      return write.run(members.map(({ work }) => work))
    }
    const inTransaction = (): readonly CommitResult[] => {
      let isCommitted = false
      try {
        const outcomes = connection.transaction(batch)
        isCommitted = true
        return outcomes
      } finally {
        write.ended(isCommitted)
      }
    }
    try {
      const outcomes = await retryWhileBusy(inTransaction, busyWaitMs)
      for (const { resolve } of sideWork) resolve()
      for (const [index, outcome] of outcomes.entries()) resolve(members[index], outcome)
    } catch (error) {
      for (const waiting of [...members, ...sideWork]) waiting.reject(error)
    }
    going = 0
  }

  const batches = async (): Promise<void> => {
    while (commits.length + sideWorks.length > 0) {
      await new Promise((resolve) => setImmediate(resolve))
      await flush()
    }
    running = null
  }

  const join = <Work, Result>(list: Waiting<Work, Result>[], work: Work): Promise<Result> => {
    const isFull = commits.length + sideWorks.length + going >= MAX_WAITING_COMMITS
    if (closed || isFull)
      return Promise.reject(new StoreUnavailable(closed ? 'the store is closed' : 'too much is waiting'))
    const result = new Promise<Result>((resolve, reject) => list.push({ work, resolve, reject }))
    running ??= batches()
    return result
  }

  return {
    commit: (pending) => join(commits, pending),
    run: (sideWork) => join(sideWorks, sideWork),
    close: async () => {
      closed = true
      await running
    },
  }
}

const resolve = (commit: Commit | undefined, outcome: CommitResult): void => {
  if ('error' in outcome) commit?.reject(outcome.error)
  else commit?.resolve(outcome)
}

/** The first of those that wait, at least one. */
const together = (commits: readonly Commit[]): Commit[] => {
  let changes = 0
  const end = commits.findIndex(({ work }) => {
    const isFull = changes >= MAX_CHANGES_TOGETHER
    changes += work.changes.length
    return isFull
  })
  return end === -1 ? [...commits] : commits.slice(0, end)
}

/** The statements of a collection, in words made once. */
interface Statements {
  readonly shape: Shape
  /** As the interpreter is to take it. */
  readonly collection: AnyCollection
  readonly find: string
  readonly insert: string
  readonly remove: string
  readonly updates: Map<string, string>
  readonly keys: ReadonlyMap<string, KeyStatements>
}

interface KeyStatements {
  readonly owner: string
  readonly claim: string
  readonly release: string
}

/** Runs batches of commits, each in a transaction that the caller holds. */
export interface BatchWriter {
  /** One resolved outcome per commit, in order. */
  run(commits: readonly PendingCommit[]): readonly CommitResult[]
  /** Told at once what became of the transaction. */
  ended(isCommitted: boolean): void
}

interface Parts {
  readonly connection: Connection
  /** Looked at anew for every batch: what stands since is kept from the next commit on. */
  readonly shapes: () => ReadonlyMap<string, Shape>
  readonly cache: QueryCache
}

export const batchWriter = ({ connection, shapes, cache }: Parts): BatchWriter => {
  const words = new Map<Shape, Statements>()
  let seen: ReadonlyMap<string, Shape> | null = null
  let collections: ReadonlyMap<string, AnyCollection> = new Map()
  const look = (): void => {
    const now = shapes()
    if (now === seen) return
    seen = now
    for (const shape of words.keys()) if (now.get(shape.collection.name) !== shape) words.delete(shape)
    for (const shape of now.values()) if (!words.has(shape)) words.set(shape, statementsOf(shape))
    collections = new Map([...words.values()].map(({ collection }) => [collection.name, collection]))
  }
  const of = (collection: string): Statements => {
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
      if (isCommitted) cache.applyWrites(written)
      else cache.clear()
      written = []
    },
  }
}

const statementsOf = (shape: Shape): Statements => {
  const { table, keys } = shape
  const columns = shape.stored.map(columnNames(shape.stored))
  const inserted = ['id', ...columns, 'doc']
  const key = (of: string): KeyStatements => ({
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
const put = (connection: Connection, words: Statements, { id, before, after }: NetWrite): number => {
  if (!after) {
    connection.run(words.remove, id)
    return 0
  }
  const doc = JSON.stringify(after)
  if (before) update(connection, words, { before, after, doc })
  else {
    const columns = words.shape.laid.columns.map((field) => columnValue(after, field))
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
const update = (connection: Connection, words: Statements, { before, after, doc }: Update): void => {
  const values: SqlValue[] = []
  let changed = ''
  const { laid, missing } = words.shape
  for (const field of laid.columns) {
    // What an upgrade gives is in the record in hand, and not in its column yet.
    if (before[field] === after[field] && !missing.fields.includes(field)) continue
    changed += `f_${field} = ?, `
    values.push(columnValue(after, field))
  }
  const known = words.updates.get(changed) ?? `UPDATE ${words.shape.table} SET ${changed}doc = ? WHERE id = ?`
  words.updates.set(changed, known)
  connection.run(known, ...values, doc, after.id)
}

const keyOf = ({ keys, shape }: Statements, key: string): KeyStatements => {
  const found = keys.get(key)
  if (!found) throw new Error(`${shape.collection.name} has no key ${key}`)
  return found
}

const moveKey = (connection: Connection, words: Statements, { key, text, from, id }: KeyMove): void => {
  const { claim, release } = keyOf(words, key)
  if (id === null) connection.run(release, text, from)
  else connection.run(claim, text, id)
}

const RESERVE =
  'INSERT INTO _sequences VALUES (?, 1 + ?) ON CONFLICT DO UPDATE SET next = next + excluded.next - 1 RETURNING next'

/** The first of `count` ids that nobody else gets. */
export const reserve = (connection: Connection, collection: string, count: number): number =>
  Number(connection.get(RESERVE, collection, count)?.next) - count

/** Takes ids back where nobody reserved after. */
export const returnIds = (connection: Connection, collection: string, next: number, end: number): void =>
  connection.run('UPDATE _sequences SET next = ? WHERE collection = ? AND next = ?', next, collection, end)
