import { listOf, type Store } from '../../ports/store.ts'
import { type Change, remove } from '../records/change.ts'
import type { Collection, Rec } from '../records/collection.ts'
import { lte, type Where } from '../records/where.ts'
import { type Instant, plusSeconds } from '../values/day.ts'

/** Records that one commit of a sweep removes. */
export const SWEEP_BATCH = 100
/** Commits of one run on one collection: what is left then is for the next run, so that a stop need not wait. */
export const SWEEP_BATCHES = 20

/** A record that is of no use to anybody from `expiresAt` on; null keeps it. */
type Expiring = Rec & { readonly expiresAt: string | null }

/** One collection that is swept: removes a batch of what had run out, and says how many records it found. */
export type Sweep = (store: Store, now: Instant) => Promise<number>

/**
 * Sweeps a collection that has an index row `{ sort: 'expiresAt' }`, across owners where it has one. `graceSeconds`: how long a record is
 * kept after it ran out.
 */
export const sweepOf =
  <R extends Expiring>(from: Collection<R>, { graceSeconds = 0 }: { readonly graceSeconds?: number } = {}): Sweep =>
  async (store, now) => {
    // What was renewed meanwhile stays: each removal asks again.
    const ranOut: Where<'expiresAt'> = lte('expiresAt', plusSeconds(now, -graceSeconds))
    const { records } = await store.list(
      listOf(from, { where: ranOut, sort: { by: 'expiresAt', dir: 'asc' }, limit: SWEEP_BATCH }),
    )
    await removeAll(
      store,
      records.map(({ id }) => remove(from, id, ranOut)),
    )
    return records.length
  }

const removeAll = async (store: Store, removals: readonly Change[]): Promise<void> => {
  if (removals.length === 0) return
  const { ok } = await store.commit(removals)
  // One that is gone or was renewed spoils the batch: the others go each by itself.
  if (!ok) await Promise.all(removals.map((removal) => store.commit([removal])))
}

/** Sweeps every collection of the table; `more` where some may still hold what has run out. */
export const sweepAll = async (store: Store, sweeps: readonly Sweep[], now: Instant): Promise<'done' | 'more'> => {
  const leftovers = await Promise.all(sweeps.map((sweep) => sweepMany(store, sweep, now)))
  return leftovers.includes('more') ? 'more' : 'done'
}

const sweepMany = async (store: Store, sweep: Sweep, now: Instant): Promise<'done' | 'more'> => {
  for (let batch = 1; batch <= SWEEP_BATCHES; batch += 1) {
    if ((await sweep(store, now)) < SWEEP_BATCH) return 'done'
  }
  return 'more'
}
