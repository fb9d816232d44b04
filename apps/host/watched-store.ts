import { t } from '../../core/fp.ts'
import { insert, remove } from '../../core/kernel/records/change.ts'
import type { Collection } from '../../core/kernel/records/collection.ts'
import { record } from '../../core/kernel/records/record.ts'
import { always } from '../../core/kernel/records/where.ts'
import type { Clock } from '../../core/ports/runtime.ts'
import { byId, type Store, StoreUnwritable } from '../../core/ports/store.ts'

const writeProbe = record({
  id: t.string,
  /** As large as the commit of a request: a smaller one may still fit onto a full disk. */
  filling: t.string,
})

/** Records that test whether the store accepts commits. They are removed at once. */
export const writeProbes: Collection<t.TypeOf<typeof writeProbe>> = {
  name: 'host.write-probes',
  ids: 'text',
  codec: writeProbe,
  owner: null,
}

const PROBE = { id: 'probe', filling: '.'.repeat(16_384) }
const PROBE_EVERY_MS = 1_000

/** A store that reports whether it accepts commits. */
export interface WatchedStore extends Store {
  readonly acceptsCommits: () => boolean
  /** Rejects with `StoreUnavailable` if the store cannot be read or accepts no commits. Writes nothing. */
  health(): Promise<void>
  /** Tests by a commit whether the store accepts commits again. Never rejects. */
  probe(): Promise<void>
}

/** Watches the commits of a store: after one that its disk refused, it counts as not writable until a probe succeeds. */
export const watchedStore = <S extends Store>(
  store: S,
  changed: (acceptsCommits: boolean) => void = () => {},
): S & WatchedStore => {
  let isWritable = true
  const setWritable = (now: boolean): void => {
    if (isWritable === now) return
    isWritable = now
    changed(now)
  }
  const watched = async <A>(work: Promise<A>): Promise<A> => {
    try {
      return await work
    } catch (error) {
      if (error instanceof StoreUnwritable) setWritable(false)
      throw error
    }
  }
  return {
    ...store,
    commit: (changes, hook) => watched(store.commit(changes, hook)),
    reserve: (collection, count) => watched(store.reserve(collection, count)),
    acceptsCommits: () => isWritable,
    health: async () => {
      if (!isWritable) throw new StoreUnwritable('the store accepts no commits now')
      await store.find(byId(writeProbes, PROBE.id))
    },
    probe: async () => {
      if (await acceptsProbe(store)) setWritable(true)
    },
  }
}

const acceptsProbe = async (store: Store): Promise<boolean> => {
  try {
    const isStored = (await store.commit([insert(writeProbes, PROBE)])).ok
    // If the insert failed, the record is of another process: removing it proves nothing.
    await store.commit([remove(writeProbes, PROBE.id, always)])
    return isStored
  } catch {
    return false
  }
}

/** Probes a store every second until it accepts commits again. */
export const untilWritable = async (store: WatchedStore, clock: Clock): Promise<void> => {
  while (!store.acceptsCommits()) {
    await clock.wait(PROBE_EVERY_MS)
    await store.probe()
  }
}
