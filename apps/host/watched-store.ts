import { t } from '../../core/fp.ts'
import { insert, remove } from '../../core/kernel/records/change.ts'
import type { Collection } from '../../core/kernel/records/collection.ts'
import { record } from '../../core/kernel/records/record.ts'
import { always } from '../../core/kernel/records/where.ts'
import type { Clock } from '../../core/ports/runtime.ts'
import { byId, type Store, StoreUnwritable } from '../../core/ports/store.ts'

const writeProbe = record({
  id: t.string,
  /** As much as a request commits: what fits into the last gap of a full disk proves nothing. */
  filling: t.string,
})

/** What is written to find out whether commits come through, and removed at once. */
export const writeProbes: Collection<t.TypeOf<typeof writeProbe>> = {
  name: 'host.write-probes',
  ids: 'text',
  codec: writeProbe,
  owner: null,
}

const PROBE = { id: 'probe', filling: '.'.repeat(16_384) }
const PROBE_EVERY_MS = 1_000

/** A store that knows whether it takes commits, by how the last ones ended. */
export interface WatchedStore extends Store {
  readonly takesCommits: () => boolean
  /** Rejects with `StoreUnavailable` where it cannot be read, or takes no commits. Writes nothing. */
  health(): Promise<void>
  /** Finds out by a commit of its own whether it takes them again. Never rejects. */
  probe(): Promise<void>
}

/** Watches how commits end: one that is refused for want of room says the same of all, until a probe comes through. */
export const watchedStore = <S extends Store>(
  store: S,
  changed: (takesCommits: boolean) => void = () => {},
): S & WatchedStore => {
  let isWritable = true
  const know = (now: boolean): void => {
    if (isWritable === now) return
    isWritable = now
    changed(now)
  }
  const watched = async <A>(work: Promise<A>): Promise<A> => {
    try {
      return await work
    } catch (error) {
      if (error instanceof StoreUnwritable) know(false)
      throw error
    }
  }
  return {
    ...store,
    commit: (changes, hook) => watched(store.commit(changes, hook)),
    reserve: (collection, count) => watched(store.reserve(collection, count)),
    takesCommits: () => isWritable,
    health: async () => {
      if (!isWritable) throw new StoreUnwritable('the store takes no commits now')
      await store.find(byId(writeProbes, PROBE.id))
    },
    probe: async () => {
      if (await takesProbe(store)) know(true)
    },
  }
}

const takesProbe = async (store: Store): Promise<boolean> => {
  try {
    const isIn = (await store.commit([insert(writeProbes, PROBE)])).ok
    // Where it was not taken, another process is just trying, or ended while it did: removing it proves nothing.
    await store.commit([remove(writeProbes, PROBE.id, always)])
    return isIn
  } catch {
    return false
  }
}

/** Asks a store every second until it takes commits again. */
export const untilWritable = async (store: WatchedStore, clock: Clock): Promise<void> => {
  while (!store.takesCommits()) {
    await clock.wait(PROBE_EVERY_MS)
    await store.probe()
  }
}
