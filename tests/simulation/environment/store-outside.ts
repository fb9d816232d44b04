import type { FaultOf } from '../../../adapters/memory/memory-store.ts'
import type { Outcome } from '../../../core/kernel/records/change.ts'
import { type Store, StoreUnavailable } from '../../../core/ports/store.ts'

/** A store whose answers come in a time of its own, which no agenda knows. */
export interface StoreOutside {
  readonly store: Store
  /** Whether somebody waits for an answer of it. */
  isAsked(): boolean
}

/** The same faults befall its commits as those of the store in memory. */
export const storeOutside = (outside: Store, faultOf: FaultOf): StoreOutside => {
  let asked = 0
  const noted = async <A>(ask: () => Promise<A>): Promise<A> => {
    asked += 1
    try {
      return await ask()
    } finally {
      asked -= 1
    }
  }
  const commit: Store['commit'] = async (changes, hook): Promise<Outcome> => {
    const fault = faultOf(changes)
    const at = changes[0]?.at ?? ['nothing', 0]
    if (fault === 'stale') return { ok: false, stale: at }
    if (fault === 'conflict') return { ok: false, conflict: { collection: at[0], key: 'id' } }
    if (fault === 'crash-before') throw new StoreUnavailable('crashed before the commit')
    const outcome = await noted(() => outside.commit(changes, hook))
    if (fault === 'crash-after') throw new StoreUnavailable('crashed after the commit')
    return outcome
  }
  return {
    isAsked: () => asked > 0,
    store: {
      ...outside,
      find: (ask) => noted(() => outside.find(ask)),
      list: (ask) => noted(() => outside.list(ask)),
      group: (ask) => noted(() => outside.group(ask)),
      read: (asks) => noted(() => outside.read(asks)),
      reserve: (collection, count) => noted(() => outside.reserve(collection, count)),
      returnIds: (collection, next, end) => noted(() => outside.returnIds(collection, next, end)),
      commit,
    },
  }
}
