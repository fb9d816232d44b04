import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientSession } from 'mongodb'
import type { CommitResult, PendingCommit } from '../../core/kernel/records/apply-commits.ts'
import type { AnyCollection, Outcome } from '../../core/kernel/records/record.ts'
import { MAX_WAITING_COMMITS } from '../../core/limits.ts'
import { StoreUnavailable } from '../../core/ports/store.ts'
import {
  isDuplicate,
  isTransient,
  isUnavailable,
  isValidationFailure,
  retryDuplicate,
  toStoreError,
} from './connection.ts'
import { type Database, localReader, readerWith } from './database.ts'
import { STRIPES } from './layout/buckets.ts'
import { SEQUENCES, type Shape } from './layout/shape.ts'
import { interpret, ReadSet } from './read-set.ts'
import type { RecentDocs } from './recent-docs.ts'
import {
  type CommitDeadline,
  commitDeadline,
  OUTCOME_UNKNOWN,
  type Permit,
  runInTransaction,
  TransactionForgotten,
} from './transactions.ts'
import { ConcurrentWrite, executePlan, findOutcome, planWrites, type WritePlan, writeAll } from './write-plan.ts'

interface Waiting {
  readonly pending: PendingCommit
  /** The records that its changes name. */
  readonly names: readonly string[]
  readonly resolve: (outcome: Outcome) => void
  readonly reject: (error: unknown) => void
}

/**
 * Commits in batches, a few at once: all waiting commits form one batch. Two batches of one process never share a
 * record, so they do not conflict, and postings on one account share a batch.
 */
export interface CommitBatcher {
  commit(pending: PendingCommit): Promise<Outcome>
  /** Rejects new commits and waits for the accepted ones. */
  close(): Promise<void>
}

/** Batches in progress at once. */
export const MAX_BATCHES = 4
const MAX_CHANGES_TOGETHER = 500

export const commitBatcher = (write: BatchWriter): CommitBatcher => {
  let waiting: Waiting[] = []
  let inProgress = 0
  let isScheduled = false
  let closed: (() => void) | null = null
  let closing: Promise<void> | null = null
  /** The records of the batch in each slot. */
  const slots: (ReadonlySet<string> | null)[] = Array.from({ length: MAX_BATCHES }, () => null)

  const start = async (slot: number, batch: readonly Waiting[]): Promise<void> => {
    slots[slot] = new Set(batch.flatMap(({ names }) => names))
    inProgress += batch.length
    try {
      const outcomes = await write(
        batch.map(({ pending }) => pending),
        slot,
      )
      for (const [index, one] of batch.entries()) resolveWaiting(one, outcomes[index])
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
    inProgress -= batch.length
    slots[slot] = null
    schedule()
  }

  const dispatch = (): void => {
    isScheduled = false
    for (let slot = slots.indexOf(null); slot !== -1; slot = slots.indexOf(null)) {
      const { batch, rest } = nextBatch(waiting, slots)
      waiting = rest
      if (batch.length === 0) break
      void start(slot, batch)
    }
    if (closed && waiting.length + inProgress === 0) closed()
  }

  // Commits of the same turn of the event loop share a batch.
  const schedule = (): void => {
    if (!isScheduled) setImmediate(dispatch)
    isScheduled = true
  }

  return {
    commit: (pending) => {
      if (closed) return Promise.reject(new StoreUnavailable('the store is closed'))
      if (waiting.length + inProgress >= MAX_WAITING_COMMITS)
        return Promise.reject(new StoreUnavailable('too many commits are waiting'))
      return new Promise((resolve, reject) => {
        waiting.push({ pending, names: pending.changes.map(({ at }) => JSON.stringify(at)), resolve, reject })
        schedule()
      })
    },
    close: () => {
      closing ??= new Promise((resolve) => {
        closed = resolve
        schedule()
      })
      return closing
    },
  }
}

const resolveWaiting = ({ resolve, reject }: Waiting, outcome: CommitResult | undefined): void => {
  if (outcome && 'ok' in outcome) resolve(outcome)
  else reject(outcome?.error ?? new Error('a commit has no outcome'))
}

/**
 * Returns the next batch: waiting commits that share no record with a batch in progress, or with an earlier waiting
 * commit.
 */
const nextBatch = (waiting: readonly Waiting[], slots: readonly (ReadonlySet<string> | null)[]) => {
  const busy = new Set(slots.flatMap((names) => [...(names ?? [])]))
  const batch: Waiting[] = []
  const rest: Waiting[] = []
  let changes = 0
  for (const one of waiting) {
    const isFree = changes < MAX_CHANGES_TOGETHER && one.names.every((name) => !busy.has(name))
    if (isFree) {
      batch.push(one)
      changes += one.pending.changes.length
    } else {
      rest.push(one)
      for (const name of one.names) busy.add(name)
    }
  }
  return { batch, rest }
}

const LONGEST_PAUSE_MS = 128

/** Runs a batch and returns one result for each commit, in order. `slot` identifies the batch in progress. */
export type BatchWriter = (commits: readonly PendingCommit[], slot: number) => Promise<readonly CommitResult[]>

interface Task {
  readonly batch: readonly PendingCommit[]
  readonly slot: number
  readonly session: ClientSession
  readonly deadline: CommitDeadline
}

export const batchWriter = (
  database: Database,
  shapes: ReadonlyMap<string, Shape>,
  permit: Permit,
  recent: RecentDocs,
): BatchWriter => {
  const table: ReadonlyMap<string, AnyCollection> = new Map(
    [...shapes].map(([name, { collection }]) => [name, collection]),
  )
  // Each process counts on its own stripe, and draws another one after a conflict.
  let firstStripe = randomStripe()
  const stripeOf = (slot: number): number => (firstStripe + slot) % STRIPES

  /**
   * Reads without a transaction and writes with guards, in as few requests as possible. Returns null if this gives no
   * reliable result: a commit failed by reads of different instants, or an assumption was wrong.
   */
  const tryOptimistic = async (task: Task, withRecent: RecentDocs | null): Promise<readonly CommitResult[] | null> => {
    const { batch, slot, session, deadline } = task
    const known = new ReadSet(shapes, permit.generation, { assumes: true, recent: withRecent })
    const interpreted = await interpret(table, batch, known, localReader(database))
    const { outcomes } = interpreted
    const isReliable = known.isOfOneInstant || (outcomes.every(isOk) && known.isVerifiedBy(interpreted))
    if (!isReliable) return known.usesRecent ? tryOptimistic(task, null) : null
    const plan = planWrites(shapes, interpreted, known, stripeOf(slot), permit.generation)
    forgetWritten(recent, plan)
    try {
      await executePlan(database, session, plan, deadline)
    } catch (error) {
      if (isDuplicate(error)) return null
      await rethrowUnlessDone(database, plan, error)
    }
    addInserted(recent, plan)
    return outcomes
  }

  const inOneTransaction = async ({ batch, slot, session }: Task): Promise<readonly CommitResult[]> => {
    let plan: WritePlan | null = null
    let outcomes: readonly CommitResult[] = []
    const work = async (): Promise<void> => {
      const known = new ReadSet(shapes, permit.generation, { assumes: false, recent: null })
      const interpreted = await interpret(table, batch, known, readerWith(database, { session }))
      plan = planWrites(shapes, interpreted, known, stripeOf(slot), permit.generation)
      outcomes = interpreted.outcomes
      forgetWritten(recent, plan)
      await writeAll(database, session, plan)
    }
    await runInTransaction(session, database.withTimeout, work).catch((error: unknown) =>
      rethrowUnlessDone(database, plan, error),
    )
    return outcomes
  }

  const withRetries = async (task: Task): Promise<readonly CommitResult[]> => {
    for (let pauseMs = 1; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      try {
        await permit.nameSessions()
        return (await tryOptimistic(task, recent)) ?? (await inOneTransaction(task))
      } catch (error) {
        if (isValidationFailure(error)) await permit.refused()
        else if (!canRetry(error)) throw error
        if (task.deadline.isOver()) throw new StoreUnavailable(reasonOf(error), { cause: error })
        if (isTransient(error)) firstStripe = randomStripe()
      }
      // Random, so that two processes do not collide again.
      await sleep(pauseMs * Math.random())
    }
  }

  const write: BatchWriter = (batch, slot) =>
    database.sessions.inSlot(slot, (session) =>
      withRetries({ batch, slot, session, deadline: commitDeadline(database.stopping) }),
    )
  return async (batch, slot) => {
    try {
      return await write(batch, slot)
    } catch (error) {
      const translated = toStoreError(error)
      if (translated instanceof StoreUnavailable || batch.length === 1) throw translated
    }
    // If the database rejects the batch for good, only the commit at fault must fail.
    const outcomes: CommitResult[] = []
    for (const one of batch) outcomes.push(...(await write([one], slot).catch(failed)))
    return outcomes
  }
}

const forgetWritten = (recent: RecentDocs, { records }: WritePlan): void => {
  for (const { name, writes } of records) for (const { id } of writes) recent.forget([name, id])
}

const addInserted = (recent: RecentDocs, { records }: WritePlan): void => {
  for (const { name, writes } of records)
    for (const write of writes) if (write.kind === 'insert') recent.addInserted(name, write.doc)
}

const randomStripe = (): number => Math.floor(Math.random() * STRIPES)
const isOk = (outcome: CommitResult): boolean => 'ok' in outcome && outcome.ok
/** Errors of writes without effect. If the outcome is unknown, the error is already `StoreUnavailable`. */
const canRetry = (error: unknown): boolean =>
  error instanceof ConcurrentWrite || isTransient(error) || isDuplicate(error) || isUnavailable(error)
const reasonOf = (error: unknown): string =>
  isUnavailable(error) && !isTransient(error)
    ? 'MongoDB is unavailable'
    : 'other writers keep changing the same records'
const failed = (error: unknown): CommitResult[] => [{ error: toStoreError(error) }]

/** Rethrows the error of a plan, unless its transaction was committed. */
const rethrowUnlessDone = async (database: Database, plan: WritePlan | null, error: unknown): Promise<void> => {
  if (!(error instanceof TransactionForgotten) || !plan) throw error
  const outcome = await findOutcome(readerWith(database), plan)
  if (outcome === 'nothing') throw error.cause
  if (outcome === 'unknown') throw new StoreUnavailable(OUTCOME_UNKNOWN, { cause: error })
}

interface Sequence {
  readonly _id: string
  /** The last reserved id. */
  readonly last: number
}

/** Reserves `count` ids and returns the first. */
export const reserve = async ({ db, withTimeout }: Database, collection: string, count: number): Promise<number> => {
  const sequences = db.collection<Sequence>(SEQUENCES)
  const options = { upsert: true, returnDocument: 'after' } as const
  const made = await retryDuplicate(() =>
    withTimeout(() => sequences.findOneAndUpdate({ _id: collection }, { $inc: { last: count } }, options)),
  )
  if (!made) throw new Error(`no ids reserved for ${collection}`)
  return made.last - count + 1
}

/** Returns reserved ids, unless later ones have been reserved since. */
export const returnIds = async (database: Database, collection: string, next: number, end: number): Promise<void> => {
  const sequences = database.db.collection<Sequence>(SEQUENCES)
  const was = { _id: collection, last: end - 1 }
  await database.withTimeout(() => sequences.updateOne(was, { $set: { last: next - 1 } }))
}
