import test from 'ava'
import { setClock } from '../../../../adapters/clock/set-clock.ts'
import { memoryStore } from '../../../../adapters/memory/memory-store.ts'
import {
  ensureJobs,
  JOB_LEASE_SECONDS,
  type JobRow,
  jobCollection,
  jobQueue,
  nextRun,
  type Schedule,
} from '../../../../core/kernel/running/job.ts'
import { worker } from '../../../../core/kernel/running/worker.ts'
import { plusSeconds } from '../../../../core/kernel/values/day.ts'
import { byId, type Store, StoreUnavailable } from '../../../../core/ports/store.ts'

const jobs = jobCollection('test.jobs')
// 09:00 in São Paulo.
const START = '2026-11-21T12:00:00.000Z'

test('the next time of day is São Paulo time, strictly later, in any month and year', (t) => {
  const at = (clockTime: string, now: string) => nextRun({ at: clockTime }, now)
  t.is(at('07:00', '2026-11-21T09:59:59.999Z'), '2026-11-21T10:00:00.000Z')
  t.is(at('07:00', '2026-11-21T10:00:00.000Z'), '2026-11-22T10:00:00.000Z')
  t.is(at('23:59', '2026-12-31T23:00:00.000Z'), '2027-01-01T02:59:00.000Z')
  t.is(at('00:00', '2026-02-28T12:00:00.000Z'), '2026-03-01T03:00:00.000Z')
  // Already the next day in UTC.
  t.is(at('22:00', '2026-11-22T00:30:00.000Z'), '2026-11-22T01:00:00.000Z')
})

test('a day of the month at a time of day is the next one, strictly later', (t) => {
  const at = (now: string, day = 5) => nextRun({ at: '07:00', day }, now)
  t.is(at('2026-11-05T09:59:59.999Z'), '2026-11-05T10:00:00.000Z')
  t.is(at('2026-11-05T10:00:00.000Z'), '2026-12-05T10:00:00.000Z')
  t.is(at('2026-12-31T12:00:00.000Z'), '2027-01-05T10:00:00.000Z')
  t.is(at('2026-11-01T00:00:00.000Z'), '2026-11-05T10:00:00.000Z')
  // Still January in São Paulo.
  t.is(at('2027-02-01T02:59:59.999Z', 28), '2027-02-28T10:00:00.000Z')
})

test('where summer time skips midnight, a time of day is still that on the clocks', (t) => {
  // On 2018-11-04 the clocks went from 00:00 to 01:00, three hours behind UTC before and two after.
  t.is(nextRun({ at: '07:00' }, '2018-11-04T01:00:00.000Z'), '2018-11-04T09:00:00.000Z')
  t.is(nextRun({ at: '07:00' }, '2018-11-03T01:00:00.000Z'), '2018-11-03T10:00:00.000Z')
  t.is(nextRun({ at: '00:30' }, '2018-11-04T01:00:00.000Z'), '2018-11-04T03:00:00.000Z')
})

test('an interval counts from now', (t) => {
  t.is(nextRun({ everySeconds: 60 }, START), plusSeconds(START, 60))
})

const processOn = (store: Store, clock: ReturnType<typeof setClock>, rows: readonly JobRow[]) => {
  const background = worker({
    runtime: { store, clock },
    queues: [jobQueue({ store, clock }, jobs, rows)],
    report: () => {},
  })
  return { start: () => ensureJobs({ store, clock }, jobs, rows), drain: background.drain }
}

const listed = (schedule: Schedule, runs: string[], name = 'job'): JobRow => ({
  name,
  schedule,
  run: async ({ steady }) => {
    runs.push(steady)
    return null
  },
})

const jobOf = (store: Store, id = 'job') => store.find(byId(jobs, id))

test('a daily job runs once a day, however many processes there are', async (t) => {
  const store = memoryStore([jobs])
  const clock = setClock(START)
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

test('a daily job whose time passed while no process was there runs at the next start, once', async (t) => {
  const store = memoryStore([jobs])
  const clock = setClock(START)
  const runs: string[] = []
  await processOn(store, clock, [listed({ at: '07:00' }, runs)]).start()

  clock.set('2026-11-24T15:00:00.000Z')
  const crews = [1, 2].map(() => processOn(store, clock, [listed({ at: '07:00' }, runs)]))
  await Promise.all(crews.map(({ start }) => start()))
  await Promise.all(crews.map(({ drain }) => drain()))
  t.is(runs.length, 1)
  t.like(await jobOf(store), { dueAt: '2026-11-25T10:00:00.000Z', attempts: 0, lastRunAt: runs[0] ?? '' })
})

test('a job that repeats is due at the first start and then after every interval', async (t) => {
  const store = memoryStore([jobs])
  const clock = setClock(START)
  const runs: string[] = []
  const { start, drain } = processOn(store, clock, [listed({ everySeconds: 60 }, runs)])
  await start()
  t.is(await drain(), 1)
  clock.advance(59.999)
  t.is(await drain(), 0)
  clock.advance(0.001)
  t.is(await drain(), 1)
  t.deepEqual(runs, [START, plusSeconds(START, 60)])
})

test('a job with more to do is run again at once, slice by slice', async (t) => {
  const store = memoryStore([jobs])
  const clock = setClock(START)
  const places: (string | null)[] = []
  const row: JobRow = {
    name: 'job',
    schedule: { at: '07:00' },
    run: async ({ place }) => {
      places.push(place)
      return places.length % 4 === 0 ? null : `after ${places.length}`
    },
  }
  const { start, drain } = processOn(store, clock, [row])
  await start()
  t.is(await drain(), 0)
  clock.set('2026-11-22T10:00:00.000Z')
  t.is(await drain(), 4)
  t.deepEqual(places, [null, 'after 1', 'after 2', 'after 3'])
  t.like(await jobOf(store), { dueAt: '2026-11-23T10:00:00.000Z', place: null })
})

test('a job that fails, or whose process died, is run again after its lease, the same day', async (t) => {
  const store = memoryStore([jobs])
  const clock = setClock(START)
  let tries = 0
  const row: JobRow = {
    name: 'job',
    schedule: { at: '07:00' },
    run: async () => {
      tries += 1
      if (tries === 1) throw new Error('not yet')
      return null
    },
  }
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

test('a run that dies in a slice goes on where that slice began, in whatever process; the next run begins anew', async (t) => {
  const store = memoryStore([jobs])
  const clock = setClock(START)
  const places: (string | null)[] = []
  const rowOf = (isMortal: boolean): JobRow => ({
    name: 'job',
    schedule: { everySeconds: 60 },
    run: async ({ place }) => {
      places.push(place)
      if (isMortal && place === 'second') throw new StoreUnavailable('the power went')
      return place === null ? 'second' : place === 'second' ? 'third' : null
    },
  })
  const dies = processOn(store, clock, [rowOf(true)])
  await dies.start()
  await dies.drain()
  t.like(await jobOf(store), { place: 'second', attempts: 1 })
  clock.advance(JOB_LEASE_SECONDS)
  const other = processOn(store, clock, [rowOf(false)])
  await other.start()
  await other.drain()
  t.deepEqual(places, [null, 'second', 'second', 'third'])
  clock.advance(60)
  await other.drain()
  t.deepEqual(places.slice(4), [null, 'second', 'third'])
})

test('a slice that fails where an earlier one sent it ends the run; the next run begins anew, on time', async (t) => {
  const store = memoryStore([jobs])
  const clock = setClock(START)
  const places: (string | null)[] = []
  const row: JobRow = {
    name: 'job',
    schedule: { everySeconds: 60 },
    run: async ({ place }) => {
      places.push(place)
      if (place === 'bad') throw new Error('no place of ours')
      return places.length === 1 ? 'bad' : null
    },
  }
  const reports: string[] = []
  const { drain } = worker({
    runtime: { store, clock },
    queues: [jobQueue({ store, clock }, jobs, [row])],
    report: (error, at) => void reports.push(`${at}: ${error}`),
  })
  await ensureJobs({ store, clock }, jobs, [row])
  await drain()
  t.like(await jobOf(store), { place: null, attempts: 0, dueAt: plusSeconds(START, 60) })
  t.deepEqual(reports, ['job: Error: no place of ours'])
  clock.advance(60)
  await drain()
  t.deepEqual(places, [null, 'bad', null])
})

test('another time of day in the settings holds from the next start on, earlier or later', async (t) => {
  const store = memoryStore([jobs])
  const clock = setClock(START)
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

test('a job that is being run is not moved by the start of another process', async (t) => {
  const store = memoryStore([jobs])
  const clock = setClock(START)
  const starting = processOn(store, clock, [listed({ at: '20:00' }, [])])
  const row: JobRow = {
    name: 'job',
    schedule: { everySeconds: 60 },
    run: async () => {
      const { dueAt } = (await jobOf(store)) ?? {}
      await starting.start()
      t.is((await jobOf(store))?.dueAt, dueAt)
      return null
    },
  }
  const { start, drain } = processOn(store, clock, [row])
  await start()
  t.is(await drain(), 1)
  t.is((await jobOf(store))?.dueAt, plusSeconds(START, 60))
})

test('a longer interval in the settings puts nothing off, a shorter one does not wait for the longer', async (t) => {
  const store = memoryStore([jobs])
  const clock = setClock(START)
  const startEvery = (everySeconds: number) => processOn(store, clock, [listed({ everySeconds }, [])])
  await startEvery(3600).start()
  await startEvery(3600).drain()
  t.is((await jobOf(store))?.dueAt, plusSeconds(START, 3600))
  await startEvery(60).start()
  t.is((await jobOf(store))?.dueAt, plusSeconds(START, 60))
  await startEvery(3600).start()
  t.is((await jobOf(store))?.dueAt, plusSeconds(START, 60))
})

test('a process leaves alone the jobs that it does not know', async (t) => {
  const store = memoryStore([jobs])
  const clock = setClock(START)
  const [known, unknown] = [[], []] as [string[], string[]]
  await processOn(store, clock, [listed({ everySeconds: 1 }, unknown, 'new')]).start()
  const old = processOn(store, clock, [listed({ everySeconds: 1 }, known, 'old')])
  await old.start()
  t.is(await old.drain(), 1)
  t.is(known.length, 1)
  t.like(await jobOf(store, 'new'), { attempts: 0, dueAt: START })
})

test('a clock that is days ahead for some minutes runs no daily job early, nor parks any', async (t) => {
  const store = memoryStore([jobs])
  const clock = setClock(START)
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
