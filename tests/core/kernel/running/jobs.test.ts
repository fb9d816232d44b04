import test from 'ava'
import fc from 'fast-check'
import { setClock } from '../../../../adapters/clock/set-clock.ts'
import { memoryStore } from '../../../../adapters/memory/memory-store.ts'
import {
  always,
  type Collection,
  insert,
  t as io,
  lte,
  orNull,
  patch,
  record,
} from '../../../../core/kernel/records/record.ts'
import {
  ensureJobs,
  JOB_LEASE_SECONDS,
  type JobRow,
  jobCollection,
  jobQueue,
  nextRun,
  type Schedule,
  SWEEP_BATCH,
  SWEEP_BATCHES,
  sweepAll,
  sweepOf,
} from '../../../../core/kernel/running/jobs.ts'
import { readSlice, type Slice, slicesOf } from '../../../../core/kernel/running/slices.ts'
import { worker } from '../../../../core/kernel/running/worker.ts'
import { addSeconds } from '../../../../core/kernel/values/day.ts'
import { byId, listOf, type Store, StoreUnavailable } from '../../../../core/ports/store.ts'
import { beforeCommits, failing, justBefore } from './tasks.ts'

const jobs = jobCollection('test.jobs')
// 09:00 in São Paulo.
const START = '2026-11-21T12:00:00.000Z'

test('the next time of day is strictly later and in São Paulo time, in any month and year', (t) => {
  const at = (clockTime: string, now: string) => nextRun({ at: clockTime }, now)
  t.is(at('07:00', '2026-11-21T09:59:59.999Z'), '2026-11-21T10:00:00.000Z')
  t.is(at('07:00', '2026-11-21T10:00:00.000Z'), '2026-11-22T10:00:00.000Z')
  t.is(at('23:59', '2026-12-31T23:00:00.000Z'), '2027-01-01T02:59:00.000Z')
  t.is(at('00:00', '2026-02-28T12:00:00.000Z'), '2026-03-01T03:00:00.000Z')
  // Already the next day in UTC.
  t.is(at('22:00', '2026-11-22T00:30:00.000Z'), '2026-11-22T01:00:00.000Z')
})

test('a monthly job runs at the next such day and time, strictly later', (t) => {
  const at = (now: string, day = 5) => nextRun({ at: '07:00', day }, now)
  t.is(at('2026-11-05T09:59:59.999Z'), '2026-11-05T10:00:00.000Z')
  t.is(at('2026-11-05T10:00:00.000Z'), '2026-12-05T10:00:00.000Z')
  t.is(at('2026-12-31T12:00:00.000Z'), '2027-01-05T10:00:00.000Z')
  t.is(at('2026-11-01T00:00:00.000Z'), '2026-11-05T10:00:00.000Z')
  // Still January in São Paulo.
  t.is(at('2027-02-01T02:59:59.999Z', 28), '2027-02-28T10:00:00.000Z')
})

test('on a day whose midnight summer time skips, the time of day is local time', (t) => {
  // On 2018-11-04 the clocks went from 00:00 to 01:00, three hours behind UTC before and two after.
  t.is(nextRun({ at: '07:00' }, '2018-11-04T01:00:00.000Z'), '2018-11-04T09:00:00.000Z')
  t.is(nextRun({ at: '07:00' }, '2018-11-03T01:00:00.000Z'), '2018-11-03T10:00:00.000Z')
  t.is(nextRun({ at: '00:30' }, '2018-11-04T01:00:00.000Z'), '2018-11-04T03:00:00.000Z')
})

const setUp = () => ({ store: memoryStore([jobs]), clock: setClock(START) })

const processOn = (store: Store, clock: ReturnType<typeof setClock>, rows: readonly JobRow[]) => {
  const background = worker({
    runtime: { store, clock },
    queues: [jobQueue({ store, clock }, jobs, rows)],
    report: () => {},
  })
  return { start: () => ensureJobs({ store, clock }, jobs, rows), drain: background.drain }
}

const rowOf = (schedule: Schedule, run: JobRow['run']): JobRow => ({ name: 'job', schedule, run })

const listed = (schedule: Schedule, runs: string[], name = 'job'): JobRow => ({
  name,
  schedule,
  run: async ({ steady }) => {
    runs.push(steady)
    return null
  },
})

const jobOf = (store: Store, id = 'job') => store.find(byId(jobs, id))

test('a daily job runs once a day, however many processes run', async (t) => {
  const { store, clock } = setUp()
  const runs: string[] = []
  const crews = [1, 2].map(() => processOn(store, clock, [listed({ at: '07:00' }, runs)]))
  await Promise.all(crews.map(({ start }) => start()))
  for (let quarter = 0; quarter < 5 * 24 * 4; quarter += 1) {
    await Promise.all(crews.map(({ drain }) => drain()))
    clock.advance(15 * 60)
  }
  t.deepEqual(
    runs.map((run) => run.slice(0, 16)),
    ['2026-11-22T10:00', '2026-11-23T10:00', '2026-11-24T10:00', '2026-11-25T10:00', '2026-11-26T10:00'],
  )
})

test('a daily job that was missed while no process ran runs once at the next start', async (t) => {
  const { store, clock } = setUp()
  const runs: string[] = []
  await processOn(store, clock, [listed({ at: '07:00' }, runs)]).start()

  clock.set('2026-11-24T15:00:00.000Z')
  const crews = [1, 2].map(() => processOn(store, clock, [listed({ at: '07:00' }, runs)]))
  await Promise.all(crews.map(({ start }) => start()))
  await Promise.all(crews.map(({ drain }) => drain()))
  t.is(runs.length, 1)
  t.like(await jobOf(store), { dueAt: '2026-11-25T10:00:00.000Z', attempts: 0, lastRunAt: runs[0] ?? '' })
})

test('an interval job is due at the first start and then after every interval', async (t) => {
  const { store, clock } = setUp()
  const runs: string[] = []
  const { start, drain } = processOn(store, clock, [listed({ everySeconds: 60 }, runs)])
  await start()
  t.is(await drain(), 1)
  clock.advance(59.999)
  t.is(await drain(), 0)
  clock.advance(0.001)
  t.is(await drain(), 1)
  t.deepEqual(runs, [START, addSeconds(START, 60)])
})

test('a job that returns a cursor is run again at once, slice by slice', async (t) => {
  const { store, clock } = setUp()
  const places: (string | null)[] = []
  const row = rowOf({ at: '07:00' }, async ({ cursor: place }) => {
    places.push(place)
    return places.length % 4 === 0 ? null : `after ${places.length}`
  })
  const { start, drain } = processOn(store, clock, [row])
  await start()
  t.is(await drain(), 0)
  clock.set('2026-11-22T10:00:00.000Z')
  t.is(await drain(), 4)
  t.deepEqual(places, [null, 'after 1', 'after 2', 'after 3'])
  t.like(await jobOf(store), { dueAt: '2026-11-23T10:00:00.000Z', place: null })
})

test('a job that failed, or whose process died, is run again after its lease on the same day', async (t) => {
  const { store, clock } = setUp()
  let tries = 0
  const row = rowOf({ at: '07:00' }, async () => {
    tries += 1
    if (tries === 1) throw new Error('not yet')
    return null
  })
  const { start, drain } = processOn(store, clock, [row])
  await start()
  clock.set('2026-11-22T10:00:00.000Z')
  t.is(await drain(), 1)
  t.is((await jobOf(store))?.attempts, 1)
  await start()
  clock.advance(JOB_LEASE_SECONDS)
  t.is(await drain(), 1)
  t.like(await jobOf(store), { attempts: 0, dueAt: '2026-11-23T10:00:00.000Z' })
})

test("a run that dies in a slice continues at that slice's cursor in any process; the next run starts anew", async (t) => {
  const { store, clock } = setUp()
  const places: (string | null)[] = []
  const row = (isMortal: boolean) =>
    rowOf({ everySeconds: 60 }, async ({ cursor: place }) => {
      places.push(place)
      if (isMortal && place === 'second') throw new StoreUnavailable('the power went')
      return place === null ? 'second' : place === 'second' ? 'third' : null
    })
  const dies = processOn(store, clock, [row(true)])
  await dies.start()
  await dies.drain()
  t.like(await jobOf(store), { place: 'second', attempts: 1 })
  clock.advance(JOB_LEASE_SECONDS)
  const other = processOn(store, clock, [row(false)])
  await other.start()
  await other.drain()
  t.deepEqual(places, [null, 'second', 'second', 'third'])
  clock.advance(60)
  await other.drain()
  t.deepEqual(places.slice(4), [null, 'second', 'third'])
})

test('a slice that fails at a cursor ends the run; the next run starts anew, on time', async (t) => {
  const { store, clock } = setUp()
  const places: (string | null)[] = []
  const row = rowOf({ everySeconds: 60 }, async ({ cursor: place }) => {
    places.push(place)
    if (place === 'bad') throw new Error('no place of ours')
    return places.length === 1 ? 'bad' : null
  })
  const reports: string[] = []
  const { drain } = worker({
    runtime: { store, clock },
    queues: [jobQueue({ store, clock }, jobs, [row])],
    report: (error, at) => void reports.push(`${at}: ${error}`),
  })
  await ensureJobs({ store, clock }, jobs, [row])
  await drain()
  t.like(await jobOf(store), { place: null, attempts: 0, dueAt: addSeconds(START, 60) })
  t.deepEqual(reports, ['job: Error: no place of ours'])
  clock.advance(60)
  await drain()
  t.deepEqual(places, [null, 'bad', null])
})

test('a changed time of day takes effect at the next start, earlier or later', async (t) => {
  const { store, clock } = setUp()
  const startAt = (at: string) => processOn(store, clock, [listed({ at }, [])]).start()
  const dueAt = async () => (await jobOf(store))?.dueAt
  await startAt('07:00')
  t.is(await dueAt(), '2026-11-22T10:00:00.000Z')
  await startAt('08:30')
  t.is(await dueAt(), '2026-11-22T11:30:00.000Z')
  await startAt('09:01')
  t.is(await dueAt(), '2026-11-21T12:01:00.000Z')
  clock.advance(120)
  await startAt('06:00')
  t.is(await dueAt(), '2026-11-21T12:01:00.000Z', 'what is due already stays due')
})

test('the start of another process does not reschedule a running job', async (t) => {
  const { store, clock } = setUp()
  const starting = processOn(store, clock, [listed({ at: '20:00' }, [])])
  const row = rowOf({ everySeconds: 60 }, async () => {
    const { dueAt } = (await jobOf(store)) ?? {}
    await starting.start()
    t.is((await jobOf(store))?.dueAt, dueAt)
    return null
  })
  const { start, drain } = processOn(store, clock, [row])
  await start()
  t.is(await drain(), 1)
  t.is((await jobOf(store))?.dueAt, addSeconds(START, 60))
})

test('a longer interval postpones no scheduled run, and a shorter one takes effect at once', async (t) => {
  const { store, clock } = setUp()
  const startEvery = (everySeconds: number) => processOn(store, clock, [listed({ everySeconds }, [])])
  await startEvery(3600).start()
  await startEvery(3600).drain()
  t.is((await jobOf(store))?.dueAt, addSeconds(START, 3600))
  await startEvery(60).start()
  t.is((await jobOf(store))?.dueAt, addSeconds(START, 60))
  await startEvery(3600).start()
  t.is((await jobOf(store))?.dueAt, addSeconds(START, 60))
})

test('a process does not touch jobs that it does not know', async (t) => {
  const { store, clock } = setUp()
  const [known, unknown] = [[], []] as [string[], string[]]
  await processOn(store, clock, [listed({ everySeconds: 1 }, unknown, 'new')]).start()
  const old = processOn(store, clock, [listed({ everySeconds: 1 }, known, 'old')])
  await old.start()
  t.is(await old.drain(), 1)
  t.is(known.length, 1)
  t.like(await jobOf(store, 'new'), { attempts: 0, dueAt: START })
})

test('a clock that is days ahead for some minutes neither runs a daily job early nor postpones it', async (t) => {
  const { store, clock } = setUp()
  const [daily, often] = [[], []] as [string[], string[]]
  const rows = [listed({ at: '07:00' }, daily, 'daily'), listed({ everySeconds: 60 }, often, 'often')]
  const { start, drain } = processOn(store, clock, rows)
  await start()
  await drain()
  clock.jump(2 * 86_400)
  for (let minute = 1; minute <= 3; minute += 1) {
    clock.advance(60)
    await drain()
  }
  t.deepEqual([daily, often.length], [[], 4])
  t.true(
    often.every((at) => at < '2026-11-22T10:00:00.000Z'),
    `${often}`,
  )
  await processOn(store, clock, rows).start()
  t.is((await jobOf(store, 'daily'))?.dueAt, '2026-11-22T10:00:00.000Z')
  clock.jump(-2 * 86_400)
  clock.advance(60)
  await drain()
  t.deepEqual([daily, often.length], [[], 5])
  clock.set('2026-11-22T10:00:00.000Z')
  await drain()
  t.deepEqual(daily, ['2026-11-22T10:00:00.000Z'])
  t.is((await jobOf(store, 'daily'))?.dueAt, '2026-11-23T10:00:00.000Z')
})

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

const FIRST = { steady: START, cursor: null, report: failing }

const fill = async (store: Store, into: Collection<Crumb>, count: number, expiresAt: string | null, firstId = 1) => {
  for (let from = 0; from < count; from += 1000) {
    const ids = Array.from({ length: Math.min(1000, count - from) }, (_, index) => firstId + from + index)
    await store.commit(ids.map((id) => insert(into, { id, expiresAt })))
  }
}

const idsOf = async (store: Store, from: Collection<Crumb>): Promise<readonly number[]> =>
  (await store.list(listOf(from, { where: always, limit: 10_000 }))).records.map(({ id }) => id)

test('records are removed from the millisecond of their expiry on; records without an expiry stay', async (t) => {
  const store = memoryStore([crumbs])
  for (const [index, expiresAt] of [addSeconds(START, -0.001), START, addSeconds(START, 0.001), null].entries())
    await fill(store, crumbs, 1, expiresAt, index + 1)
  t.is(await sweepAll(store, [sweepOf(crumbs)], FIRST), null)
  t.deepEqual(await idsOf(store, crumbs), [3, 4])
})

test('expired records are kept for the grace period', async (t) => {
  const store = memoryStore([crumbs])
  await fill(store, crumbs, 1, addSeconds(START, -60), 1)
  await fill(store, crumbs, 1, addSeconds(START, -59), 2)
  await sweepAll(store, [sweepOf(crumbs, { graceSeconds: 60 })], FIRST)
  t.deepEqual(await idsOf(store, crumbs), [2])
})

test('a sweep commits in batches, and not at all without expired records', async (t) => {
  const plain = memoryStore([crumbs])
  const commits: number[] = []
  const store = beforeCommits(plain, ({ length }) => commits.push(length))
  t.is(await sweepAll(store, [sweepOf(crumbs)], FIRST), null)
  t.deepEqual(commits, [])
  await fill(store, crumbs, 2 * SWEEP_BATCH + 7, START)
  commits.length = 0
  t.is(await sweepAll(store, [sweepOf(crumbs)], FIRST), null)
  t.deepEqual(commits, [SWEEP_BATCH, SWEEP_BATCH, 7])
  t.deepEqual(await idsOf(store, crumbs), [])
})

test('a slice ends after SWEEP_BATCHES batches of each collection and returns a cursor', async (t) => {
  const store = memoryStore([crumbs, others])
  const bound = SWEEP_BATCH * SWEEP_BATCHES
  await fill(store, crumbs, bound + 5, START)
  await fill(store, others, 3, START)
  const sweeps = [sweepOf(crumbs), sweepOf(others)]
  const place = await sweepAll(store, sweeps, FIRST)
  t.not(place, null)
  t.is((await idsOf(store, crumbs)).length, 5)
  t.deepEqual(await idsOf(store, others), [])
  t.is(await sweepAll(store, sweeps, { ...FIRST, cursor: place }), null)
  t.deepEqual(await idsOf(store, crumbs), [])
})

test('a record renewed between read and removal stays, and the others are removed', async (t) => {
  const plain = memoryStore([crumbs])
  await fill(plain, crumbs, 5, START)
  const later = addSeconds(START, 60)
  const meanwhile = justBefore()
  meanwhile.act = () => plain.commit([patch(crumbs, 3, { set: { expiresAt: later }, when: always })])
  t.is(await sweepAll(meanwhile.on(plain), [sweepOf(crumbs)], FIRST), null)
  t.deepEqual(await idsOf(plain, crumbs), [3])
})

test('two concurrent sweeps remove each record once', async (t) => {
  const store = memoryStore([crumbs])
  await fill(store, crumbs, 1000, START)
  const runs = Array.from({ length: 2 }, () => sweepAll(store, [sweepOf(crumbs)], FIRST))
  t.deepEqual(await Promise.all(runs), [null, null])
  t.deepEqual(await idsOf(store, crumbs), [])
})

test('a record that cannot be removed is reported once a run and keeps no other', async (t) => {
  const plain = memoryStore([crumbs, others])
  const count = SWEEP_BATCH * SWEEP_BATCHES + 5
  await fill(plain, crumbs, count, addSeconds(START, -1))
  await fill(plain, crumbs, 1, START, count + 1)
  await fill(plain, others, 3, START)
  const store = beforeCommits(plain, (changes) => {
    if (changes.some(({ at: [name, id] }) => name === crumbs.name && id !== count + 1)) throw new Error('no')
  })
  const sweeps = [sweepOf(crumbs), sweepOf(others)]
  for (let runs = 1; runs <= 2; runs += 1) {
    const reports: string[] = []
    let place: string | null = null
    let slices = 0
    do {
      place = await sweepAll(store, sweeps, { steady: START, cursor: place, report: (_, at) => void reports.push(at) })
      slices += 1
    } while (place !== null)
    t.is(slices, 2)
    t.is(new Set(reports).size, count)
    t.is(reports.length, count)
    t.is((await idsOf(plain, crumbs)).length, count)
    t.deepEqual(await idsOf(plain, others), [])
  }
})

test('an unreadable collection is reported and the others are swept; an unavailable store ends the run', async (t) => {
  const plain = memoryStore([crumbs, others])
  await fill(plain, crumbs, 2, START)
  await fill(plain, others, 2, START)
  const failingWith = (error: Error): Store => ({
    ...plain,
    list: (ask) => (ask.from.name === crumbs.name ? Promise.reject(error) : plain.list(ask)),
  })
  const sweeps = [sweepOf(crumbs), sweepOf(others)]
  const reports: string[] = []
  const slice = { steady: START, cursor: null, report: (_: unknown, at: string) => void reports.push(at) }
  await t.throwsAsync(sweepAll(failingWith(new StoreUnavailable('away')), sweeps, slice), { message: 'away' })
  t.is(await sweepAll(failingWith(new Error('torn')), sweeps, slice), null)
  t.deepEqual(reports, [crumbs.name])
  t.deepEqual([await idsOf(plain, crumbs), await idsOf(plain, others)], [[1, 2], []])
})

test('a walk in slices meets every record once, also with equal sort values and failing records', async (t) => {
  const moments = [0, 1, 2, 3].map((seconds) => addSeconds(START, seconds))
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
        const slice: Slice<Crumb> = await readSlice(store, walk, place)
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

test('a walk of several slices meets every record once', async (t) => {
  const store = memoryStore([crumbs])
  const ids = Array.from({ length: 120 }, (_, index) => index + 1)
  await store.commit(ids.map((id) => insert(crumbs, { id, expiresAt: START })))
  const seen: number[] = []
  for await (const slice of slicesOf(store, {
    from: crumbs,
    where: lte<'expiresAt'>('expiresAt', START),
    sort: 'expiresAt',
  }))
    seen.push(...slice.map(({ id }) => id))
  t.deepEqual(seen, ids)
})
