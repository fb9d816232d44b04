import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { setClock } from '../../../adapters/clock/set-clock.ts'
import { memoryStore } from '../../../adapters/memory/memory-store.ts'
import { sqliteStore } from '../../../adapters/sqlite/store.ts'
import { untilWritable, watchedStore, writeProbes } from '../../../apps/host/watched-store.ts'
import { insert } from '../../../core/kernel/records/change.ts'
import { byId, type Store, StoreUnavailable, StoreUnwritable } from '../../../core/ports/store.ts'
import { claim, claims, thingCollections, things } from '../../fixtures/things.ts'
import { disk, empty, fill } from './disk.ts'

const START = '2026-11-23T13:00:00.000Z'
const collections = [...thingCollections, writeProbes]
const FULL = new StoreUnwritable('full')

/** A store that fails when it is told to, and counts the commits that it is asked for. */
const failing = (t: ExecutionContext) => {
  const own = memoryStore(collections)
  t.teardown(() => own.close())
  const state = { error: null as Error | null, commits: 0 }
  const unless = <A>(work: () => Promise<A>): Promise<A> => (state.error ? Promise.reject(state.error) : work())
  const store: Store = {
    ...own,
    commit: (changes, hooks) => {
      state.commits += 1
      return unless(() => own.commit(changes, hooks))
    },
    reserve: (collection, count) => unless(() => own.reserve(collection, count)),
  }
  const changes: boolean[] = []
  return { own, state, changes, store: watchedStore(store, (now) => changes.push(now)) }
}

const write = (store: Store, id: string) => store.commit([insert(claims, claim(id))])

test('a store is healthy until a commit is refused for want of room, and asked for no commit meanwhile', async (t) => {
  const { store, state, changes } = failing(t)
  await store.health()
  t.is(state.commits, 0)
  state.error = new StoreUnavailable('busy')
  await t.throwsAsync(write(store, 'a'), { is: state.error })
  await t.notThrowsAsync(store.health())
  state.error = FULL
  await t.throwsAsync(write(store, 'a'), { is: FULL })
  await t.throwsAsync(write(store, 'b'), { is: FULL })
  await t.throwsAsync(store.health(), { instanceOf: StoreUnwritable })
  t.is(state.commits, 3)
  t.deepEqual(changes, [false])
})

test('ids that cannot be reserved tell the same as commits', async (t) => {
  const { store, state } = failing(t)
  state.error = FULL
  await t.throwsAsync(store.reserve(things.name, 1), { is: FULL })
  t.false(store.acceptsCommits())
})

test('a store that fails is tried once a second until it takes a commit, and then no more', async (t) => {
  const { store, own, state, changes } = failing(t)
  const clock = setClock(START)
  state.error = FULL
  await t.throwsAsync(write(store, 'a'), { is: FULL })
  const tries: string[] = []
  const told = { ...clock, wait: (ms: number) => clock.wait(ms).then(() => void tries.push(clock.now())) }
  const until = untilWritable(store, told)
  while (tries.length < 3) await new Promise((resolve) => setImmediate(resolve))
  state.error = null
  // What another process has left behind that ended while it tried is removed first.
  await own.commit([insert(writeProbes, { id: 'probe', filling: '' })])
  await until
  t.deepEqual(tries.slice(0, 3), ['2026-11-23T13:00:01.000Z', '2026-11-23T13:00:02.000Z', '2026-11-23T13:00:03.000Z'])
  t.deepEqual(changes, [false, true])
  await store.health()
  t.is(await own.find(byId(writeProbes, 'probe')), null)
  const before = state.commits
  await untilWritable(store, told)
  t.is(state.commits, before)
})

test('a disk that is full makes a store sick, and one that is emptied makes it well', async (t) => {
  const path = await disk(t, '4m')
  if (path === null) return
  const own = await sqliteStore(join(path, 'store.db'), collections)
  t.teardown(() => own.close())
  const store = watchedStore(own)
  await write(store, 'first')
  await fill(path)
  let written = 0
  // What is in the log's file already is written over first.
  for (; store.acceptsCommits(); written += 1) await write(store, `${written}`).catch(() => {})
  await t.throwsAsync(store.health(), { instanceOf: StoreUnwritable })
  await store.probe()
  t.false(store.acceptsCommits())
  t.is((await store.find(byId(claims, 'first')))?.id, 'first')
  await empty(path)
  await store.probe()
  await store.health()
  t.true((await write(store, 'last')).ok)
})
