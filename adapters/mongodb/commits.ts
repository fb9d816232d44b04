import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientSession } from 'mongodb'
import type { CommitResult, PendingCommit } from '../../core/kernel/records/apply-commits.ts'
import type { Outcome } from '../../core/kernel/records/change.ts'
import type { AnyCollection } from '../../core/kernel/records/collection.ts'
import { MAX_WAITING_COMMITS } from '../../core/limits.ts'
import { StoreUnavailable } from '../../core/ports/store.ts'
import { isDuplicate, isTransient, isUnavailable, isValidationFailure, toStoreError } from './connection.ts'
import { type Database, localReader, readerWith } from './database.ts'
import { STRIPES } from './layout/buckets.ts'
import { SEQUENCES, type Shape } from './layout/shape.ts'
import { interpret, ReadSet } from './read-set.ts'
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
 * Where commits wait: those that are there together go in one batch, a few batches at once. Two batches of one process
 * never share a record, so that they do not get into each other's way, and postings on one account go together.
 */
export interface CommitBatcher {
  commit(pending: PendingCommit): Promise<Outcome>
  /** Lets nothing in any more, and waits for what is in. */
  close(): Promise<void>
}

/** Batches under way at once. */
export const MAX_BATCHES = 4
/** Bounds how much one transaction writes. */
const MAX_CHANGES_TOGETHER = 500

export const commitBatcher = (write: BatchWriter): CommitBatcher => {
  let waiting: Waiting[] = []
  let going = 0
  let isScheduled = false
  let closed: (() => void) | null = null
  let closing: Promise<void> | null = null
  /** The records of the batch in each slot. */
  const slots: (ReadonlySet<string> | null)[] = Array.from({ length: MAX_BATCHES }, () => null)

  const start = async (slot: number, batch: readonly Waiting[]): Promise<void> => {
    slots[slot] = new Set(batch.flatMap(({ names }) => names))
    going += batch.length
    try {
      const outcomes = await write(
        batch.map(({ pending }) => pending),
        slot,
      )
      for (const [index, one] of batch.entries()) resolveWaiting(one, outcomes[index])
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
    going -= batch.length
    slots[slot] = null
    schedule()
  }

  const dispatch = (): void => {
    isScheduled = false
    for (let slot = slots.indexOf(null); slot !== -1; slot = slots.indexOf(null)) {
      const { batch, rest } = together(waiting, slots)
      waiting = rest
      if (batch.length === 0) break
      void start(slot, batch)
    }
    if (closed && waiting.length + going === 0) closed()
  }

  // Not at once: what comes in the same turn of the loop goes together.
  const schedule = (): void => {
    if (!isScheduled) setImmediate(dispatch)
    isScheduled = true
  }

  return {
    commit: (pending) => {
      if (closed) return Promise.reject(new StoreUnavailable('the store is closed'))
      if (waiting.length + going >= MAX_WAITING_COMMITS)
        return Promise.reject(new StoreUnavailable('too much is waiting'))
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
  else reject(outcome?.error ?? new Error('a commit was not resolved'))
}

/** The first of those that wait and share no record with a batch under way, nor with one that must wait for it. */
const together = (waiting: readonly Waiting[], slots: readonly (ReadonlySet<string> | null)[]) => {
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

/** Runs a batch of commits: one resolved outcome per commit, in order. `slot` tells the batches under way apart. */
export type BatchWriter = (commits: readonly PendingCommit[], slot: number) => Promise<readonly CommitResult[]>

interface Task {
  readonly batch: readonly PendingCommit[]
  readonly slot: number
  readonly session: ClientSession
  readonly patience: CommitDeadline
}

export const batchWriter = (base: Database, shapes: ReadonlyMap<string, Shape>, permit: Permit): BatchWriter => {
  const table: ReadonlyMap<string, AnyCollection> = new Map(
    [...shapes].map(([name, { collection }]) => [name, collection]),
  )
  // Processes count on stripes of their own as far as there are, and move on where they meet.
  let firstStripe = randomStripe()
  const stripeOf = (slot: number): number => (firstStripe + slot) % STRIPES

  /**
   * Looks first and writes then, guarded, in as few steps as can be. Null where that does not resolve it: a commit
   * broke by what was seen at different moments, or something was assumed that is not so.
   */
  const quickly = async ({ batch, slot, session, patience }: Task): Promise<readonly CommitResult[] | null> => {
    const known = new ReadSet(shapes, permit.generation, true)
    const interpreted = await interpret(table, batch, known, localReader(base), false)
    const { outcomes } = interpreted
    const areSure = known.isOfOneInstant || (outcomes.every(isOk) && known.isProvenBy(interpreted))
    if (!areSure) return null
    const plan = planWrites(shapes, interpreted, known, stripeOf(slot), permit.generation)
    try {
      await executePlan(base, session, plan, patience)
    } catch (error) {
      if (isDuplicate(error)) return null
      await recognize(base, plan, error)
    }
    return outcomes
  }

  /** Looks and writes in one transaction, at one instant. */
  const exactly = async ({ batch, slot, session }: Task): Promise<readonly CommitResult[]> => {
    let plan: WritePlan | null = null
    let outcomes: readonly CommitResult[] = []
    const work = async (): Promise<void> => {
      const known = new ReadSet(shapes, permit.generation, false)
      const interpreted = await interpret(table, batch, known, readerWith(base, { session }), true)
      plan = planWrites(shapes, interpreted, known, stripeOf(slot), permit.generation)
      outcomes = interpreted.outcomes
      await writeAll(base, session, plan)
    }
    await runInTransaction(session, base.withTimeout, work).catch((error: unknown) => recognize(base, plan, error))
    return outcomes
  }

  const persistently = async (task: Task): Promise<readonly CommitResult[]> => {
    for (let pauseMs = 1; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      try {
        if (!permit.isHeld()) await permit.renew()
        return (await quickly(task)) ?? (await exactly(task))
      } catch (error) {
        if (isValidationFailure(error)) await permit.refused()
        else if (!isWorthAnother(error)) throw error
        if (task.patience.isOver()) throw new StoreUnavailable(whyNot(error), { cause: error })
        if (isTransient(error)) firstStripe = randomStripe()
      }
      // At random, so that two processes do not keep meeting.
      await sleep(pauseMs * Math.random())
    }
  }

  const write: BatchWriter = (batch, slot) =>
    base.sessions.inSlot(slot, (session) =>
      persistently({ batch, slot, session, patience: commitDeadline(base.stopping) }),
    )
  return async (batch, slot) => {
    try {
      return await write(batch, slot)
    } catch (error) {
      const told = toStoreError(error)
      if (told instanceof StoreUnavailable || batch.length === 1) throw told
    }
    // What the database will not take for good is one commit's fault and not that of all.
    const outcomes: CommitResult[] = []
    for (const one of batch) outcomes.push(...(await write([one], slot).catch(broken)))
    return outcomes
  }
}

const randomStripe = (): number => Math.floor(Math.random() * STRIPES)
const isOk = (outcome: CommitResult): boolean => 'ok' in outcome && outcome.ok
/** What can be done again, since nothing of it happened. Where nobody knows, the error is `StoreUnavailable` already. */
const isWorthAnother = (error: unknown): boolean =>
  error instanceof ConcurrentWrite || isTransient(error) || isDuplicate(error) || isUnavailable(error)
const whyNot = (error: unknown): string =>
  isUnavailable(error) && !isTransient(error) ? 'MongoDB cannot be used now' : 'others keep writing the same records'
const broken = (error: unknown): CommitResult[] => [{ error: toStoreError(error) }]

/** Passes on what broke a plan, unless the plan was carried out all the same. */
const recognize = async (base: Database, plan: WritePlan | null, error: unknown): Promise<void> => {
  if (!(error instanceof TransactionForgotten) || !plan) throw error
  const became = await findOutcome(readerWith(base), plan)
  if (became === 'nothing') throw error.cause
  if (became === 'unknown') throw new StoreUnavailable(OUTCOME_UNKNOWN, { cause: error })
}

interface Sequence {
  readonly _id: string
  /** The last id that was reserved. */
  readonly last: number
}

/** The first of `count` ids that nobody else gets. */
export const reserve = async (
  { db, withTimeout: answered }: Database,
  collection: string,
  count: number,
): Promise<number> => {
  const sequences = db.collection<Sequence>(SEQUENCES)
  const options = { upsert: true, returnDocument: 'after' } as const
  const next = () => answered(() => sequences.findOneAndUpdate({ _id: collection }, { $inc: { last: count } }, options))
  // Of two that make the record, one is refused; it is there then.
  const made = await next().catch((error: unknown) => (isDuplicate(error) ? next() : Promise.reject(error)))
  if (!made) throw new Error(`no ids of ${collection}`)
  return made.last - count + 1
}

/** Takes ids back where nobody reserved after. */
export const returnIds = async (base: Database, collection: string, next: number, end: number): Promise<void> => {
  const sequences = base.db.collection<Sequence>(SEQUENCES)
  const was = { _id: collection, last: end - 1 }
  await base.withTimeout(() => sequences.updateOne(was, { $set: { last: next - 1 } }))
}
