import type { Change } from '../../../core/kernel/records/change.ts'
import { type Store, StoreUnavailable } from '../../../core/ports/store.ts'
import type { Ground } from './environment.ts'
import { dies, type Life, never } from './life.ts'

const LONGEST_PAUSE_MS = 25
const MINUTE_MS = 60_000

const named = (changes: readonly Change[]): string =>
  changes.map(({ kind, at }) => `${kind} ${at[0].replace(/^.*\./, '')}/${at[1]}`).join(', ')

/** The store as one process reaches it: it takes its time, it is lost, and the process dies in a commit. */
export const storeLine = (ground: Ground, life: Life): Store => {
  const { store, agenda, dice, weather, watch, trace } = ground

  const pause = async (): Promise<void> => {
    if (dice.chance(weather.now.slowStore)) await agenda.wait(dice.between(1, LONGEST_PAUSE_MS))
    if (life.isOver()) await never()
  }
  const reading = async <A>(read: () => Promise<A>): Promise<A> => {
    await pause()
    if (dice.chance(weather.now.lostRead)) throw new StoreUnavailable('lost while reading')
    return read()
  }
  const commit: Store['commit'] = async (changes, hooks) => {
    await pause()
    const fate = ground.fates.of(life, 'commit')
    if (fate === 'before') return dies(life)
    const outcome = await store.commit(changes, hooks).finally(() => watch.committed(changes))
    trace.note(`${outcome.ok ? 'commit' : 'broken'} ${life.name}: ${named(changes)}`)
    if (fate === 'after') return dies(life)
    if (dice.chance(weather.now.sleep)) await agenda.wait(dice.between(MINUTE_MS, 10 * MINUTE_MS))
    await pause()
    return outcome
  }

  return {
    find: (ask) => reading(() => store.find(ask)),
    list: (ask) => reading(() => store.list(ask)),
    group: (ask) => reading(() => store.group(ask)),
    read: (asks) => reading(() => store.read(asks)),
    scan: (from, where) => store.scan(from, where),
    commit,
    reserve: (collection, count) => reading(() => store.reserve(collection, count)),
    returnIds: (collection, next, end) => reading(() => store.returnIds(collection, next, end)),
    close: async () => {},
  }
}
