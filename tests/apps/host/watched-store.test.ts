import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { setClock } from '../../../adapters/clock/set-clock.ts'
import { memoryStore } from '../../../adapters/memory/memory-store.ts'
import { sqliteStore } from '../../../adapters/sqlite/store.ts'
import { untilWritable, watchedStore, writeProbes } from '../../../apps/host/host.ts'
import { insert } from '../../../core/kernel/records/record.ts'
import { byId, type Store, StoreUnavailable, StoreUnwritable } from '../../../core/ports/store.ts'
import { claim, claims, thingCollections, things } from '../../fixtures/things.ts'
import { disk, empty, fill } from './disk.ts'

const START = '2026-11-23T13:00:00.000Z'
const collections = [...thingCollections, writeProbes]
const FULL = new StoreUnwritable('full')

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

test('is healthy until the disk refuses a commit, and tests that without commits', async (t) => {
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

test('is unhealthy after ids could not be reserved', async (t) => {
  const { store, state } = failing(t)
  state.error = FULL
  await t.throwsAsync(store.reserve(things.name, 1), { is: FULL })
  t.false(store.acceptsCommits())
})

test('probes a failing store once a second until a commit succeeds', async (t) => {
  const { store, own, state, changes } = failing(t)
  const clock = setClock(START)
  state.error = FULL
  await t.throwsAsync(write(store, 'a'), { is: FULL })
  const probes: string[] = []
  const counting = { ...clock, wait: (ms: number) => clock.wait(ms).then(() => void probes.push(clock.now())) }
  const until = untilWritable(store, counting)
  while (probes.length < 3) await new Promise((resolve) => setImmediate(resolve))
  state.error = null
  // The record of another process that ended during its probe.
  await own.commit([insert(writeProbes, { id: 'probe', filling: '' })])
  await until
  t.deepEqual(probes.slice(0, 3), ['2026-11-23T13:00:01.000Z', '2026-11-23T13:00:02.000Z', '2026-11-23T13:00:03.000Z'])
  t.deepEqual(changes, [false, true])
  await store.health()
  t.is(await own.find(byId(writeProbes, 'probe')), null)
  const before = state.commits
  await untilWritable(store, counting)
  t.is(state.commits, before)
})

test('is unhealthy on a full disk, and healthy once there is space', async (t) => {
  const path = await disk(t, '4m')
  if (path === null) return
  const own = await sqliteStore(join(path, 'store.db'), collections)
  t.teardown(() => own.close())
  const store = watchedStore(own)
  await write(store, 'first')
  await fill(path)
  let written = 0
  // The first commits overwrite the existing log file.
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
