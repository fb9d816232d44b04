import { type Store, StoreUnavailable } from '../../ports/store.ts'
import { type Change, remove } from '../records/change.ts'
import type { Collection, Rec } from '../records/collection.ts'
import { lte, type Where } from '../records/where.ts'
import { plusSeconds } from '../values/day.ts'
import type { JobSlice } from './job.ts'
import { eachOf, sliceAfter } from './slices.ts'

/** Records that one commit of a sweep removes. */
export const SWEEP_BATCH = 100
/** Commits of one run on one collection: what is left then is for the next run, so that a stop need not wait. */
export const SWEEP_BATCHES = 20

/** A record that is of no use to anybody from `expiresAt` on; null keeps it. */
type Expiring = Rec & { readonly expiresAt: string | null }

/** One collection that is swept: removes a batch of what had run out after a place, and says where the next one begins. */
export interface Sweep {
  readonly name: string
  readonly batch: (store: Store, slice: JobSlice) => Promise<string | null>
}

/**
 * Sweeps a collection that has an index row `{ sort: 'expiresAt' }`, across owners where it has one. `graceSeconds`: how long a record is
 * kept after it ran out.
 */
export const sweepOf = <R extends Expiring>(
  from: Collection<R>,
  { graceSeconds = 0 }: { readonly graceSeconds?: number } = {},
): Sweep => ({
  name: from.name,
  async batch(store, { steady, place, report }) {
    // What was renewed meanwhile stays: each removal asks again.
    const ranOut: Where<'expiresAt'> = lte('expiresAt', plusSeconds(steady, -graceSeconds))
    const walk = { from, where: ranOut, sort: 'expiresAt', limit: SWEEP_BATCH } as const
    const { records, next } = await sliceAfter(store, walk, place)
    const removal = ({ id }: R): Change => remove(from, id, ranOut)
    // One that is gone, was renewed or cannot be removed spoils the batch: the others go each by itself.
    if (records.length > 0 && !(await isCommitted(store, records.map(removal)))) {
      await eachOf(from, records, (record) => store.commit([removal(record)]), report)
    }
    return next
  },
})

const isCommitted = async (store: Store, changes: readonly Change[]): Promise<boolean> => {
  try {
    return (await store.commit(changes)).ok
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error
    return false
  }
}

type Places = Readonly<Record<string, string>>

/** Sweeps every collection of the table, those that had more where it goes on; null where none holds what has run out. */
export const sweepAll = async (store: Store, sweeps: readonly Sweep[], slice: JobSlice): Promise<string | null> => {
  const places: Places | null = slice.place === null ? null : JSON.parse(slice.place)
  const ends = await Promise.all(
    sweeps
      .filter(({ name }) => places === null || Object.hasOwn(places, name))
      .map(async (sweep) => [
        sweep.name,
        await sweepMany(store, sweep, { ...slice, place: places?.[sweep.name] ?? null }),
      ]),
  )
  const more = ends.filter(([, place]) => place !== null)
  return more.length === 0 ? null : JSON.stringify(Object.fromEntries(more))
}

const sweepMany = async (store: Store, { name, batch }: Sweep, slice: JobSlice): Promise<string | null> => {
  let { place } = slice
  try {
    for (let count = 1; count <= SWEEP_BATCHES; count += 1) {
      place = await batch(store, { ...slice, place })
      if (place === null) return null
    }
    return place
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error
    slice.report(error, name)
    return null
  }
}
