import { MAX_WAITING_COMMITS } from '../../core/limits.ts'
import { apply, type Pending, type Settled } from '../../core/kernel/records/apply.ts'
import type { Change, CommitRider, Outcome } from '../../core/kernel/records/change.ts'
import type { AnyCollection } from '../../core/kernel/records/collection.ts'
import type { Sight } from '../../core/kernel/records/overlay.ts'
import { StoreUnavailable } from '../../core/ports/store.ts'
import { count, moveKey, place, type Shelf } from './shelf.ts'

/** What a simulation lets go wrong with a commit; a crash is `StoreUnavailable`, before or after it was stored. */
export type Fault = 'stale' | 'conflict' | 'crash-before' | 'crash-after'

/** Asked once for every commit, in order. */
export type FaultOf = (changes: readonly Change[]) => Fault | null

interface Waiting extends Pending {
  readonly settle: (settled: Settled) => void
}

/** Takes commits: those of one turn are one batch. */
export const commits = (
  table: ReadonlyMap<string, AnyCollection>,
  shelf: (collection: string) => Shelf,
  faultOf: FaultOf = () => null,
): ((changes: readonly Change[], rider?: CommitRider) => Promise<Outcome>) => {
  let waiting: Waiting[] = []

  const flush = (): void => {
    const batch = waiting
    waiting = []
    for (const [index, settled] of applied(table, shelf, batch).entries()) batch[index]?.settle(settled)
  }

  return (changes, rider) => {
    if (waiting.length >= MAX_WAITING_COMMITS) throw new StoreUnavailable('too much is waiting')
    const fault = faultOf(changes)
    const broken = brokenBy(fault, changes)
    if (broken) return broken
    return new Promise((resolve, reject) => {
      const settle = (settled: Settled): void => {
        if ('error' in settled) reject(settled.error)
        else if (fault === 'crash-after') reject(new StoreUnavailable('crashed after the commit'))
        else resolve(settled)
      }
      if (waiting.length === 0) queueMicrotask(flush)
      waiting.push({ changes, ...(rider && { rider }), settle })
    })
  }
}

const applied = (
  table: ReadonlyMap<string, AnyCollection>,
  shelf: (collection: string) => Shelf,
  batch: readonly Pending[],
): readonly Settled[] => {
  const sight: Sight = {
    record: ([collection, id]) => shelf(collection).records.get(id) ?? null,
    owner: (collection, key, text) => shelf(collection).keys.get(key)?.get(text) ?? null,
  }
  const { outcomes, writes, keys, tallies } = apply(table, sight, batch)
  for (const { collection, id, before, after } of writes) place(shelf(collection.name), id, before, after)
  for (const { collection, key, text, id } of keys) moveKey(shelf(collection), key, text, id)
  for (const delta of tallies) count(shelf(delta.collection.name), delta)
  return outcomes
}

const brokenBy = (fault: Fault | null, changes: readonly Change[]): Promise<Outcome> | null => {
  const at = changes[0]?.at ?? ['nothing', 0]
  if (fault === 'stale') return Promise.resolve({ ok: false, stale: at })
  if (fault === 'conflict') return Promise.resolve({ ok: false, conflict: { collection: at[0], key: 'id' } })
  if (fault === 'crash-before') return Promise.reject(new StoreUnavailable('crashed before the commit'))
  return null
}
