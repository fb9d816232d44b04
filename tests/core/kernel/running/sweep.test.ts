import test from 'ava'
import { memoryStore } from '../../../../adapters/memory/memory-store.ts'
import { t as io } from '../../../../core/fp.ts'
import { type Change, insert, patch } from '../../../../core/kernel/records/change.ts'
import type { Collection } from '../../../../core/kernel/records/collection.ts'
import { orNull, record } from '../../../../core/kernel/records/record.ts'
import { always } from '../../../../core/kernel/records/where.ts'
import { SWEEP_BATCH, SWEEP_BATCHES, sweepAll, sweepOf } from '../../../../core/kernel/running/sweep.ts'
import { plusSeconds } from '../../../../core/kernel/values/day.ts'
import { listOf, type Store } from '../../../../core/ports/store.ts'

const crumb = record({ id: io.number, expiresAt: orNull(io.string) })
type Crumb = io.TypeOf<typeof crumb>
const collectionOf = (name: string): Collection<Crumb> => ({
  name,
  ids: 'integer',
  codec: crumb,
  owner: null,
  shard: 'id',
  indexes: [{ sort: 'expiresAt' }],
})
const crumbs = collectionOf('test.crumbs')
const others = collectionOf('test.others')

const NOW = '2026-11-21T12:00:00.000Z'

const fill = async (store: Store, into: Collection<Crumb>, count: number, expiresAt: string | null, firstId = 1) => {
  for (let from = 0; from < count; from += 1000) {
    const ids = Array.from({ length: Math.min(1000, count - from) }, (_, index) => firstId + from + index)
    await store.commit(ids.map((id) => insert(into, { id, expiresAt })))
  }
}

const idsOf = async (store: Store, from: Collection<Crumb>): Promise<readonly number[]> =>
  (await store.list(listOf(from, { where: always, limit: 10_000 }))).records.map(({ id }) => id)

/** Keeps what was committed. */
const watched = (store: Store) => {
  const commits: (readonly Change[])[] = []
  const watching: Store = {
    ...store,
    commit: (changes, rider) => {
      commits.push(changes)
      return store.commit(changes, rider)
    },
  }
  return { store: watching, commits }
}

test('what has run out goes, to the millisecond; what has not, or never does, stays', async (t) => {
  const store = memoryStore([crumbs])
  await fill(store, crumbs, 1, plusSeconds(NOW, -0.001), 1)
  await fill(store, crumbs, 1, NOW, 2)
  await fill(store, crumbs, 1, plusSeconds(NOW, 0.001), 3)
  await fill(store, crumbs, 1, null, 4)
  t.is(await sweepAll(store, [sweepOf(crumbs)], NOW), 'done')
  t.deepEqual(await idsOf(store, crumbs), [3, 4])
})

test('a grace keeps what ran out for so long', async (t) => {
  const store = memoryStore([crumbs])
  await fill(store, crumbs, 1, plusSeconds(NOW, -60), 1)
  await fill(store, crumbs, 1, plusSeconds(NOW, -59), 2)
  await sweepAll(store, [sweepOf(crumbs, { graceSeconds: 60 })], NOW)
  t.deepEqual(await idsOf(store, crumbs), [2])
})

test('a sweep goes in batches, and nothing is committed where nothing has run out', async (t) => {
  const { store, commits } = watched(memoryStore([crumbs]))
  t.is(await sweepAll(store, [sweepOf(crumbs)], NOW), 'done')
  t.deepEqual(commits, [])
  await fill(store, crumbs, 2 * SWEEP_BATCH + 7, NOW)
  commits.length = 0
  t.is(await sweepAll(store, [sweepOf(crumbs)], NOW), 'done')
  t.deepEqual(
    commits.map(({ length }) => length),
    [SWEEP_BATCH, SWEEP_BATCH, 7],
  )
  t.deepEqual(await idsOf(store, crumbs), [])
})

test('one run ends after so many batches and says that more is left; each collection has its own', async (t) => {
  const store = memoryStore([crumbs, others])
  const bound = SWEEP_BATCH * SWEEP_BATCHES
  await fill(store, crumbs, bound + 5, NOW)
  await fill(store, others, 3, NOW)
  const sweeps = [sweepOf(crumbs), sweepOf(others)]
  t.is(await sweepAll(store, sweeps, NOW), 'more')
  t.is((await idsOf(store, crumbs)).length, 5)
  t.deepEqual(await idsOf(store, others), [])
  t.is(await sweepAll(store, sweeps, NOW), 'done')
  t.deepEqual(await idsOf(store, crumbs), [])
})

test('what is renewed between look and removal stays, and stops none of the others', async (t) => {
  const plain = memoryStore([crumbs])
  await fill(plain, crumbs, 5, NOW)
  const later = plusSeconds(NOW, 60)
  let isFirst = true
  const store: Store = {
    ...plain,
    commit: async (changes, rider) => {
      if (isFirst) await plain.commit([patch(crumbs, 3, { set: { expiresAt: later }, when: always })])
      isFirst = false
      return plain.commit(changes, rider)
    },
  }
  t.is(await sweepAll(store, [sweepOf(crumbs)], NOW), 'done')
  t.deepEqual(await idsOf(store, crumbs), [3])
})

test('two that sweep at once get on with each other', async (t) => {
  const store = memoryStore([crumbs])
  await fill(store, crumbs, 1000, NOW)
  const runs = Array.from({ length: 2 }, () => sweepAll(store, [sweepOf(crumbs)], NOW))
  t.deepEqual(await Promise.all(runs), ['done', 'done'])
  t.deepEqual(await idsOf(store, crumbs), [])
})
