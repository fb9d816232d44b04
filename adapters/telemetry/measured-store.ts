import { performance } from 'node:perf_hooks'
import type { Change } from '../../core/kernel/records/change.ts'
import { type Store, StoreUnavailable } from '../../core/ports/store.ts'

/** `error` is a fault of the program: no store could have accepted the commit. */
export type CommitEnding = 'ok' | 'stale' | 'conflict' | 'unavailable' | 'error'

/** Receives each commit after its end. */
export type Measure = (ending: CommitEnding, seconds: number, changes: readonly Change[]) => void

/** Measures the outcome and duration of the commits of a store. */
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
