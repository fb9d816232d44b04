import { performance } from 'node:perf_hooks'
import type { Change } from '../../core/kernel/records/change.ts'
import { type Store, StoreUnavailable } from '../../core/ports/store.ts'

/** `error` is a fault of ours: a commit that no store could have taken. */
export type CommitEnding = 'ok' | 'stale' | 'conflict' | 'unavailable' | 'error'

/** Told of every commit once it has ended. */
export type Measure = (ending: CommitEnding, seconds: number, changes: readonly Change[]) => void

/** The store, telling how its commits end and how long they take. */
export const measuredStore = <S extends Store>(store: S, measure: Measure): S => ({
  ...store,
  async commit(changes, hook) {
    const start = performance.now()
    const end = (ending: CommitEnding): void => measure(ending, (performance.now() - start) / 1000, changes)
    try {
      const outcome = await store.commit(changes, hook)
      end(outcome.ok ? 'ok' : 'stale' in outcome ? 'stale' : 'conflict')
      return outcome
    } catch (error) {
      end(error instanceof StoreUnavailable ? 'unavailable' : 'error')
      throw error
    }
  },
})
