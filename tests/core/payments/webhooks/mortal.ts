import { type Store, StoreUnavailable } from '../../../../core/ports/store.ts'

/** The store of a process that dies in a commit, before or after it was durable: nothing of it happens afterwards. */
export const mortal = (store: Store, diesAt: number, when: 'before' | 'after') => {
  const state = { commits: 0, isDead: false }
  const alive = <A>(ask: () => Promise<A>): Promise<A> =>
    state.isDead ? Promise.reject(new StoreUnavailable('dead')) : ask()
  const commit: Store['commit'] = async (changes, hooks) => {
    state.commits += 1
    if (state.commits !== diesAt) return store.commit(changes, hooks)
    state.isDead = true
    if (when === 'after') await store.commit(changes, hooks)
    throw new StoreUnavailable('dying')
  }
  const dying: Store = {
    ...store,
    find: (ask) => alive(() => store.find(ask)),
    list: (ask) => alive(() => store.list(ask)),
    read: (asks) => alive(() => store.read(asks)),
    reserve: (...args) => alive(() => store.reserve(...args)),
    commit: (changes, hooks) => alive(() => commit(changes, hooks)),
  }
  return { store: dying, state }
}
