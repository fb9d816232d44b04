import { applyCommits, type CommitResult, type PendingCommit } from '../../core/kernel/records/apply-commits.ts'
import type { StoreReader } from '../../core/kernel/records/batch-state.ts'
import type { Change, CommitHook, Outcome } from '../../core/kernel/records/change.ts'
import type { AnyCollection } from '../../core/kernel/records/collection.ts'
import { MAX_WAITING_COMMITS } from '../../core/limits.ts'
import { StoreUnavailable } from '../../core/ports/store.ts'
import { type CollectionState, count, moveKey, place } from './collection-state.ts'

/** What a simulation lets go wrong with a commit; a crash is `StoreUnavailable`, before or after it was stored. */
export type Fault = 'stale' | 'conflict' | 'crash-before' | 'crash-after'

/** Asked once for every commit, in order. */
export type FaultOf = (changes: readonly Change[]) => Fault | null

interface Waiting extends PendingCommit {
  readonly resolve: (resolved: CommitResult) => void
}

/** Takes commits: those of one turn are one batch. */
export const commits = (
  table: ReadonlyMap<string, AnyCollection>,
  state: (collection: string) => CollectionState,
  faultOf: FaultOf = () => null,
): ((changes: readonly Change[], hook?: CommitHook) => Promise<Outcome>) => {
  let waiting: Waiting[] = []

  const flush = (): void => {
    const batch = waiting
    waiting = []
    for (const [index, resolved] of applied(table, state, batch).entries()) batch[index]?.resolve(resolved)
  }

  return (changes, hook) => {
    if (waiting.length >= MAX_WAITING_COMMITS) throw new StoreUnavailable('too much is waiting')
    const fault = faultOf(changes)
    const broken = brokenBy(fault, changes)
    if (broken) return broken
    return new Promise((resolve, reject) => {
      const resolveWaiting = (resolved: CommitResult): void => {
        if ('error' in resolved) reject(resolved.error)
        else if (fault === 'crash-after') reject(new StoreUnavailable('crashed after the commit'))
        else resolve(resolved)
      }
      if (waiting.length === 0) queueMicrotask(flush)
      waiting.push({ changes, ...(hook && { hook }), resolve: resolveWaiting })
    })
  }
}

const applied = (
  table: ReadonlyMap<string, AnyCollection>,
  state: (collection: string) => CollectionState,
  batch: readonly PendingCommit[],
): readonly CommitResult[] => {
  const reader: StoreReader = {
    record: ([collection, id]) => state(collection).records.get(id) ?? null,
    owner: (collection, key, text) => state(collection).keys.get(key)?.get(text) ?? null,
  }
  const { outcomes, writes, keys, tallies } = applyCommits(table, reader, batch)
  for (const { collection, id, before, after } of writes) place(state(collection.name), id, before, after)
  for (const move of keys) moveKey(state(move.collection), move)
  for (const delta of tallies) count(state(delta.collection.name), delta)
  return outcomes
}

const brokenBy = (fault: Fault | null, changes: readonly Change[]): Promise<Outcome> | null => {
  const at = changes[0]?.at ?? ['nothing', 0]
  if (fault === 'stale') return Promise.resolve({ ok: false, stale: at })
  if (fault === 'conflict') return Promise.resolve({ ok: false, conflict: { collection: at[0], key: 'id' } })
  if (fault === 'crash-before') return Promise.reject(new StoreUnavailable('crashed before the commit'))
  return null
}
