import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientSession } from 'mongodb'
import type { CommitResult, PendingCommit } from '../../../core/kernel/records/apply-commits.ts'
import type { AnyCollection } from '../../../core/kernel/records/collection.ts'
import { StoreUnavailable } from '../../../core/ports/store.ts'
import { type Base, readerAt, readerNow } from '../ask/reader.ts'
import { callersError, isDuplicate, isRefused, isTransient, isUnavailable } from '../connection/faults.ts'
import { Forgotten, NOBODY_KNOWS, transaction } from '../connection/transaction.ts'
import { STRIPES } from '../layout/buckets.ts'
import type { Shape } from '../layout/shape.ts'
import { carryOut, Moved, writeAll } from './carry-out.ts'
import { interpret } from './interpret.ts'
import { type Patience, patienceOf } from './patience.ts'
import type { Permit } from './permit.ts'
import { type Plan, planOf } from './plan.ts'
import { ReadSet } from './read-set.ts'
import { whatBecameOf } from './traces.ts'

const LONGEST_PAUSE_MS = 128

/** Runs a batch of commits: one resolved outcome per commit, in order. `slot` tells the batches under way apart. */
export type Write = (commits: readonly PendingCommit[], slot: number) => Promise<readonly CommitResult[]>

interface Task {
  readonly batch: readonly PendingCommit[]
  readonly slot: number
  readonly session: ClientSession
  readonly patience: Patience
}

export const writer = (base: Base, shapes: ReadonlyMap<string, Shape>, permit: Permit): Write => {
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
    const interpreted = await interpret(table, batch, known, readerNow(base), false)
    const { outcomes } = interpreted
    const areSure = known.isOfOneInstant || (outcomes.every(isOk) && known.isProvenBy(interpreted))
    if (!areSure) return null
    const plan = planOf(shapes, interpreted, known, stripeOf(slot), permit.generation)
    try {
      await carryOut(base, session, plan, patience)
    } catch (error) {
      if (isDuplicate(error)) return null
      await recognize(base, plan, error)
    }
    return outcomes
  }

  /** Looks and writes in one transaction, at one instant. */
  const exactly = async ({ batch, slot, session }: Task): Promise<readonly CommitResult[]> => {
    let plan: Plan | null = null
    let outcomes: readonly CommitResult[] = []
    const work = async (): Promise<void> => {
      const known = new ReadSet(shapes, permit.generation, false)
      const interpreted = await interpret(table, batch, known, readerAt(base, { session }), true)
      plan = planOf(shapes, interpreted, known, stripeOf(slot), permit.generation)
      outcomes = interpreted.outcomes
      await writeAll(base, session, plan)
    }
    await transaction(session, base.answered, work).catch((error: unknown) => recognize(base, plan, error))
    return outcomes
  }

  const persistently = async (task: Task): Promise<readonly CommitResult[]> => {
    for (let pauseMs = 1; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      try {
        if (!permit.isHeld()) await permit.renew()
        return (await quickly(task)) ?? (await exactly(task))
      } catch (error) {
        if (isRefused(error)) await permit.refused()
        else if (!isWorthAnother(error)) throw error
        if (task.patience.isOver()) throw new StoreUnavailable(whyNot(error), { cause: error })
        if (isTransient(error)) firstStripe = randomStripe()
      }
      // At random, so that two processes do not keep meeting.
      await sleep(pauseMs * Math.random())
    }
  }

  const write: Write = (batch, slot) =>
    base.sessions.at(slot, (session) => persistently({ batch, slot, session, patience: patienceOf(base.stopping) }))
  return async (batch, slot) => {
    try {
      return await write(batch, slot)
    } catch (error) {
      const told = callersError(error)
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
  error instanceof Moved || isTransient(error) || isDuplicate(error) || isUnavailable(error)
const whyNot = (error: unknown): string =>
  isUnavailable(error) && !isTransient(error) ? 'MongoDB cannot be used now' : 'others keep writing the same records'
const broken = (error: unknown): CommitResult[] => [{ error: callersError(error) }]

/** Passes on what broke a plan, unless the plan was carried out all the same. */
const recognize = async (base: Base, plan: Plan | null, error: unknown): Promise<void> => {
  if (!(error instanceof Forgotten) || !plan) throw error
  const became = await whatBecameOf(readerAt(base), plan)
  if (became === 'nothing') throw error.cause
  if (became === 'unknown') throw new StoreUnavailable(NOBODY_KNOWS, { cause: error })
}
