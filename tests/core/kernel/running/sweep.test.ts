import test from 'ava'
import fc from 'fast-check'
import { memoryStore } from '../../../../adapters/memory/memory-store.ts'
import { t as io } from '../../../../core/fp.ts'
import { type Change, insert, patch } from '../../../../core/kernel/records/change.ts'
import type { Collection } from '../../../../core/kernel/records/collection.ts'
import { orNull, record } from '../../../../core/kernel/records/record.ts'
import { always, lte } from '../../../../core/kernel/records/where.ts'
import { type Slice, sliceAfter } from '../../../../core/kernel/running/slices.ts'
import { SWEEP_BATCH, SWEEP_BATCHES, sweepAll, sweepOf } from '../../../../core/kernel/running/sweep.ts'
import { plusSeconds } from '../../../../core/kernel/values/day.ts'
import { listOf, type Store, StoreUnavailable } from '../../../../core/ports/store.ts'
import { failing } from './tasks.ts'

const crumb = record({ id: io.number, expiresAt: orNull(io.string) })
type Crumb = io.TypeOf<typeof crumb>
const collectionOf = (name: string): Collection<Crumb> => ({
  name,
  ids: 'integer',
  codec: crumb,
  owner: null,
  indexes: [{ sort: 'expiresAt' }],
})
const crumbs = collectionOf('test.crumbs')
const others = collectionOf('test.others')

const NOW = '2026-11-21T12:00:00.000Z'
const FIRST = { steady: NOW, place: null, report: failing }

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
    commit: (changes, hooks) => {
      commits.push(changes)
      return store.commit(changes, hooks)
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
  t.is(await sweepAll(store, [sweepOf(crumbs)], FIRST), null)
  t.deepEqual(await idsOf(store, crumbs), [3, 4])
})

test('a grace keeps what ran out for so long', async (t) => {
  const store = memoryStore([crumbs])
  await fill(store, crumbs, 1, plusSeconds(NOW, -60), 1)
  await fill(store, crumbs, 1, plusSeconds(NOW, -59), 2)
  await sweepAll(store, [sweepOf(crumbs, { graceSeconds: 60 })], FIRST)
  t.deepEqual(await idsOf(store, crumbs), [2])
})

test('a sweep goes in batches, and nothing is committed where nothing has run out', async (t) => {
  const { store, commits } = watched(memoryStore([crumbs]))
  t.is(await sweepAll(store, [sweepOf(crumbs)], FIRST), null)
  t.deepEqual(commits, [])
  await fill(store, crumbs, 2 * SWEEP_BATCH + 7, NOW)
  commits.length = 0
  t.is(await sweepAll(store, [sweepOf(crumbs)], FIRST), null)
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
  const place = await sweepAll(store, sweeps, FIRST)
  t.not(place, null)
  t.is((await idsOf(store, crumbs)).length, 5)
  t.deepEqual(await idsOf(store, others), [])
  t.is(await sweepAll(store, sweeps, { ...FIRST, place }), null)
  t.deepEqual(await idsOf(store, crumbs), [])
})

test('what is renewed between look and removal stays, and stops none of the others', async (t) => {
  const plain = memoryStore([crumbs])
  await fill(plain, crumbs, 5, NOW)
  const later = plusSeconds(NOW, 60)
  let isFirst = true
  const store: Store = {
    ...plain,
    commit: async (changes, hooks) => {
      if (isFirst) await plain.commit([patch(crumbs, 3, { set: { expiresAt: later }, when: always })])
      isFirst = false
      return plain.commit(changes, hooks)
    },
  }
  t.is(await sweepAll(store, [sweepOf(crumbs)], FIRST), null)
  t.deepEqual(await idsOf(store, crumbs), [3])
})

test('two that sweep at once get on with each other', async (t) => {
  const store = memoryStore([crumbs])
  await fill(store, crumbs, 1000, NOW)
  const runs = Array.from({ length: 2 }, () => sweepAll(store, [sweepOf(crumbs)], FIRST))
  t.deepEqual(await Promise.all(runs), [null, null])
  t.deepEqual(await idsOf(store, crumbs), [])
})

test('what cannot be removed is reported, once a run, and keeps nothing else that has run out', async (t) => {
  const plain = memoryStore([crumbs, others])
  const count = SWEEP_BATCH * SWEEP_BATCHES + 5
  await fill(plain, crumbs, count, plusSeconds(NOW, -1))
  await fill(plain, crumbs, 1, NOW, count + 1)
  await fill(plain, others, 3, NOW)
  const store: Store = {
    ...plain,
    commit: async (changes, hooks) => {
      if (changes.some(({ at: [name, id] }) => name === crumbs.name && id !== count + 1)) throw new Error('no')
      return plain.commit(changes, hooks)
    },
  }
  const sweeps = [sweepOf(crumbs), sweepOf(others)]
  for (let runs = 1; runs <= 2; runs += 1) {
    const reports: string[] = []
    let place: string | null = null
    let slices = 0
    do {
      place = await sweepAll(store, sweeps, { steady: NOW, place, report: (_, at) => void reports.push(at) })
      slices += 1
    } while (place !== null)
    t.is(slices, 2)
    t.is(new Set(reports).size, count)
    t.is(reports.length, count)
    t.is((await idsOf(plain, crumbs)).length, count)
    t.deepEqual(await idsOf(plain, others), [])
  }
})

test('a collection that cannot be read is reported and keeps no other from being swept; a store that is away ends the run', async (t) => {
  const plain = memoryStore([crumbs, others])
  await fill(plain, crumbs, 2, NOW)
  await fill(plain, others, 2, NOW)
  const failingWith = (error: Error): Store => ({
    ...plain,
    list: (ask) => (ask.from.name === crumbs.name ? Promise.reject(error) : plain.list(ask)),
  })
  const sweeps = [sweepOf(crumbs), sweepOf(others)]
  const reports: string[] = []
  const slice = { steady: NOW, place: null, report: (_: unknown, at: string) => void reports.push(at) }
  await t.throwsAsync(sweepAll(failingWith(new StoreUnavailable('away')), sweeps, slice), { message: 'away' })
  t.is(await sweepAll(failingWith(new Error('torn')), sweeps, slice), null)
  t.deepEqual(reports, [crumbs.name])
  t.deepEqual([await idsOf(plain, crumbs), await idsOf(plain, others)], [[1, 2], []])
})

test('slices go through every record once, however many share a value, whether or not anything comes of them', async (t) => {
  const moments = [0, 1, 2, 3].map((seconds) => plusSeconds(NOW, seconds))
  const property = fc.asyncProperty(
    fc.array(fc.constantFrom(null, ...moments), { maxLength: 40 }),
    fc.integer({ min: 1, max: 7 }),
    async (expiries, limit) => {
      const store = memoryStore([crumbs])
      await store.commit(expiries.map((expiresAt, index) => insert(crumbs, { id: index + 1, expiresAt })))
      const last = moments[2] ?? ''
      const walk = { from: crumbs, where: lte<'expiresAt'>('expiresAt', last), sort: 'expiresAt', limit } as const
      const seen: string[] = []
      let place: string | null = null
      do {
        const slice: Slice<Crumb> = await sliceAfter(store, walk, place)
        seen.push(...slice.records.map(({ id, expiresAt }) => `${expiresAt} ${String(id).padStart(3)}`))
        place = slice.next
      } while (place !== null)
      const due = expiries.flatMap((expiresAt, index) =>
        expiresAt !== null && expiresAt <= last ? [`${expiresAt} ${String(index + 1).padStart(3)}`] : [],
      )
      t.deepEqual(seen, due.sort())
    },
  )
  await fc.assert(property, { numRuns: 100 })
})
