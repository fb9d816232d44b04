import {
  applyCommits,
  type BatchResult,
  type CommitResult,
  type PendingCommit,
} from '../../core/kernel/records/apply-commits.ts'
import type { KeyMove, NetWrite, StoreReader } from '../../core/kernel/records/batch-state.ts'
import type { Outcome, Rec } from '../../core/kernel/records/record.ts'
import { ofCollection } from '../../core/kernel/records/table.ts'
import { MAX_WAITING_COMMITS } from '../../core/limits.ts'
import { StoreUnavailable } from '../../core/ports/store.ts'
import type { CachedWrite, QueryCache } from './cache.ts'
import { type Connection, retryWhileBusy, type SqlValue } from './connection.ts'
import { columnNames, type Shape } from './schema.ts'
import { columnValue } from './sql.ts'
import { addToTally } from './tallies.ts'

interface Waiting<Work, Result> {
  readonly work: Work
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

type Commit = Waiting<PendingCommit, Outcome>
/** Work other than a commit of records that runs in the same transaction. */
type SideWork = Waiting<() => void, void>

/** Commits in batches: all commits of one turn of the event loop share one transaction and one flush. */
export interface CommitBatcher {
  commit(pending: PendingCommit): Promise<Outcome>
  run(sideWork: () => void): Promise<void>
  /** Rejects new commits and waits for the accepted ones. */
  close(): Promise<void>
}

/** Limits the time that one transaction blocks the event loop. */
const MAX_CHANGES_TOGETHER = 500

interface Options {
  readonly connection: Connection
  readonly write: BatchWriter
  /** Called first in every transaction; throws if writes are not allowed. */
  readonly guard: () => void
  readonly busyWaitMs: number
}

export const commitBatcher = ({ connection, write, guard, busyWaitMs }: Options): CommitBatcher => {
  let commits: Commit[] = []
  let sideQueue: SideWork[] = []
  let inProgress = 0
  let running: Promise<void> | null = null
  let closed = false

  const flush = async (): Promise<void> => {
    const [members, sideWork] = [nextBatch(commits), sideQueue]
    commits = commits.slice(members.length)
    sideQueue = []
    inProgress = members.length + sideWork.length
    const isFlushed = sideWork.length > 0 || !members.every(({ work }) => write.isFlushedLater(work))
    const batch = (): readonly CommitResult[] => {
      guard()
      for (const { work } of sideWork) work()
      return write.run(members.map(({ work }) => work))
    }
    const inTransaction = (): readonly CommitResult[] => {
      let isCommitted = false
      try {
        const outcomes = connection.transaction(batch, { isFlushed })
        isCommitted = true
        return outcomes
      } finally {
        write.end(isCommitted)
      }
    }
    try {
      const outcomes = await retryWhileBusy(inTransaction, busyWaitMs)
      for (const { resolve } of sideWork) resolve()
      for (const [index, outcome] of outcomes.entries()) resolve(members[index], outcome)
    } catch (error) {
      for (const waiting of [...members, ...sideWork]) waiting.reject(error)
    }
    inProgress = 0
  }

  const batches = async (): Promise<void> => {
    while (commits.length + sideQueue.length > 0) {
      await new Promise((resolve) => setImmediate(resolve))
      await flush()
    }
    running = null
  }

  const join = <Work, Result>(list: Waiting<Work, Result>[], work: Work): Promise<Result> => {
    const isFull = commits.length + sideQueue.length + inProgress >= MAX_WAITING_COMMITS
    if (closed || isFull)
      return Promise.reject(new StoreUnavailable(closed ? 'the store is closed' : 'too many commits are waiting'))
    const result = new Promise<Result>((resolve, reject) => list.push({ work, resolve, reject }))
    running ??= batches()
    return result
  }

  return {
    commit: (pending) => join(commits, pending),
    run: (sideWork) => join(sideQueue, sideWork),
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

/** Returns the commits of the next transaction: the first ones in the queue, at least one. */
const nextBatch = (commits: readonly Commit[]): Commit[] => {
  let changes = 0
  const end = commits.findIndex(({ work }) => {
    const isFull = changes >= MAX_CHANGES_TOGETHER
    changes += work.changes.length
    return isFull
  })
  return end === -1 ? [...commits] : commits.slice(0, end)
}

/** The SQL statements of a collection, composed once. */
interface Statements {
  readonly shape: Shape
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

/** Runs batches of commits, each in a transaction of the caller. */
export interface BatchWriter {
  /** Tells whether a commit may be acknowledged before it is durable. */
  isFlushedLater(commit: PendingCommit): boolean
  /** Returns one result for each commit, in order. */
  run(commits: readonly PendingCommit[]): readonly CommitResult[]
  /** Must be called immediately after the transaction. */
  end(isCommitted: boolean): void
}

interface Parts {
  readonly connection: Connection
  readonly shapes: ReadonlyMap<string, Shape>
  readonly cache: QueryCache
}

export const batchWriter = ({ connection, shapes, cache }: Parts): BatchWriter => {
  const statements = new Map([...shapes].map(([name, shape]) => [name, statementsOf(shape)]))
  const collections = new Map([...shapes].map(([name, { collection }]) => [name, collection]))
  const of = (collection: string): Statements => ofCollection(statements, collection)
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
  let cacheWrites: readonly CachedWrite[] = []
  const store = ({ writes, keys, tallies }: BatchResult): void => {
    cacheWrites = writes.map((write) => ({ chars: put(connection, of(write.collection.name), write), ...write }))
    // Releases come first: another record of the batch may claim the same text.
    for (const move of keys) if (move.id === null) moveKey(connection, of(move.collection), move)
    for (const move of keys) if (move.id !== null) moveKey(connection, of(move.collection), move)
    for (const delta of tallies) {
      const tally = of(delta.collection.name).shape.tallies[delta.row]
      if (tally) addToTally(connection, tally, delta)
    }
  }
  return {
    isFlushedLater: ({ changes, hook }) =>
      !hook && changes.every(({ at: [name] }) => collections.get(name)?.isFlushedLater === true),
    run: (commits) => {
      const applied = applyCommits(collections, reader, commits)
      store(applied)
      return applied.outcomes
    },
    end: (isCommitted) => {
      if (isCommitted) cache.applyWrites(cacheWrites)
      else cache.clear()
      cacheWrites = []
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
    find: shape.byId,
    insert: `INSERT INTO ${table} (${inserted.join(', ')}) VALUES (${inserted.map(() => '?').join(', ')})`,
    remove: `DELETE FROM ${table} WHERE id = ?`,
    updates: new Map(),
    keys: new Map([...keys].map(([name, of]) => [name, key(of)])),
  }
}

/** Writes a record and returns the length of its JSON. */
const put = (connection: Connection, statements: Statements, { id, before, after }: NetWrite): number => {
  if (!after) {
    connection.run(statements.remove, id)
    return 0
  }
  const doc = JSON.stringify(after)
  if (before) update(connection, statements, { before, after, doc })
  else {
    const columns = statements.shape.stored.map((field) => columnValue(after, field))
    connection.run(statements.insert, id, ...columns, doc)
  }
  return doc.length
}

interface Update {
  readonly before: Rec
  readonly after: Rec
  readonly doc: string
}

/** Sets only the columns that change, so that SQLite updates only their indexes. */
const update = (connection: Connection, statements: Statements, { before, after, doc }: Update): void => {
  const values: SqlValue[] = []
  let changed = ''
  for (const field of statements.shape.stored) {
    if (before[field] === after[field]) continue
    changed += `f_${field} = ?, `
    values.push(columnValue(after, field))
  }
  const known = statements.updates.get(changed) ?? `UPDATE ${statements.shape.table} SET ${changed}doc = ? WHERE id = ?`
  statements.updates.set(changed, known)
  connection.run(known, ...values, doc, after.id)
}

const keyOf = ({ keys, shape }: Statements, key: string): KeyStatements => {
  const found = keys.get(key)
  if (!found) throw new Error(`${shape.collection.name} has no key ${key}`)
  return found
}

const moveKey = (connection: Connection, statements: Statements, { key, text, from, id }: KeyMove): void => {
  const { claim, release } = keyOf(statements, key)
  if (id === null) connection.run(release, text, from)
  else connection.run(claim, text, id)
}

const RESERVE =
  'INSERT INTO _sequences VALUES (?, 1 + ?) ON CONFLICT DO UPDATE SET next = next + excluded.next - 1 RETURNING next'

/** Reserves `count` ids and returns the first. */
export const reserve = (connection: Connection, collection: string, count: number): number =>
  Number(connection.get(RESERVE, collection, count)?.next) - count

/** Returns reserved ids, unless later ones have been reserved since. */
export const returnIds = (connection: Connection, collection: string, next: number, end: number): void =>
  connection.run('UPDATE _sequences SET next = ? WHERE collection = ? AND next = ?', next, collection, end)
