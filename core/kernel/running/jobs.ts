import { t } from '../../fp.ts'
import { listOf, type Store, StoreUnavailable } from '../../ports/store.ts'
import { type Change, insert, patch, remove } from '../records/change.ts'
import type { Collection, Rec } from '../records/collection.ts'
import { orNull, record } from '../records/record.ts'
import { all, eq, isIn, lte, not, type Where } from '../records/where.ts'
import { addDays, addMonths, dayOf, type Instant, minuteOfDay, plusSeconds, startOfDay } from '../values/day.ts'
import { applyOutcome, type Queue, queueOf, type Report, WAITING } from './queue.ts'
import { processEach, readSlice } from './slices.ts'
import type { Runtime } from './use-case.ts'

const job = record({
  /** The name of the job. */
  id: t.string,
  dueAt: orNull(t.string),
  /** Begun and not ended: 0 while nobody runs it. */
  attempts: t.number,
  lastRunAt: orNull(t.string),
  /** Where the next slice of a run goes on, in the job's own words; null where a run begins. */
  place: orNull(t.string),
})

/** When a recurrent job is to run next: the one keeper of it for all processes. */
export type Job = t.TypeOf<typeof job>

/** The collection that a business keeps its jobs in. */
export const jobCollection = (name: string): Collection<Job> => ({
  name,
  ids: 'text',
  codec: job,
  owner: null,
  conditions: { [WAITING]: not(eq('dueAt', null)) },
  indexes: [{ sort: 'dueAt', when: WAITING, across: true }],
})

export type Recurrence =
  | { readonly everySeconds: number }
  /**
   * `HH:MM` in São Paulo, once a day, or once a month on a day from 1 to 28: as soon as there is a process again where there
   * was none at that time.
   */
  | { readonly at: string; readonly day?: number }

/** One run that ends without an error, ever. */
export const ONCE = { once: true } as const

export type Schedule = Recurrence | typeof ONCE

/** One slice of a run of a job. */
export interface JobSlice {
  readonly steady: Instant
  /** Where it begins, as the slice before it said; null at the beginning. */
  readonly cursor: string | null
  /** Told of what fails, which stops nothing else. */
  readonly report: Report
}

/**
 * A recurrent job, in slices that are short beside `JOB_LEASE_SECONDS`. Each says where the next one begins, which comes at
 * once, in whatever process; null at the end of the run. What failed on the way is tried again by the next run.
 */
export interface JobRow {
  readonly name: string
  readonly schedule: Schedule
  readonly run: (slice: JobSlice) => Promise<string | null>
}

/** One slice takes less; a process that died in one is replaced after it. */
export const JOB_LEASE_SECONDS = 300
const JOBS_AT_ONCE = 4

const RETRY_ONCE_SECONDS = 60

/** The next time of a schedule after `now`. */
export const nextRun = (schedule: Recurrence, now: Instant): Instant => {
  if ('everySeconds' in schedule) return plusSeconds(now, schedule.everySeconds)
  const today = dayOf(now)
  const { at, day } = schedule
  const first = day === undefined ? today : `${today.slice(0, 8)}${`${day}`.padStart(2, '0')}`
  const atFirst = timeOf(first, at)
  return atFirst > now ? atFirst : timeOf(day === undefined ? addDays(first, 1) : addMonths(first, 1), at)
}

const timeOf = (day: string, clockTime: string): Instant => {
  const [hours, minutes] = clockTime.split(':').map(Number)
  const start = startOfDay(day)
  // Where summer time skipped midnight, the day began at 01:00.
  const sinceStart = Number(hours) * 60 + Number(minutes) - minuteOfDay(start)
  return plusSeconds(start, Math.max(0, sinceStart) * 60)
}

/** The queue of these jobs, on the worker of every process that has them. */
export const jobQueue = (
  { store, clock }: Pick<Runtime, 'store' | 'clock'>,
  jobs: Collection<Job>,
  rows: readonly JobRow[],
): Queue =>
  queueOf({
    collection: jobs,
    leaseSeconds: JOB_LEASE_SECONDS,
    atOnce: JOBS_AT_ONCE,
    only: isIn(
      'id',
      rows.map(({ name }) => name),
    ),
    handle: async (due, report) => {
      const row = rows.find(({ name }) => name === due.id)
      if (!row) throw new Error(`no job ${due.id}`)
      const lastRunAt = clock.steady()
      const { place, isSound } = await sliceOf(row, { steady: lastRunAt, cursor: due.place, report })
      const steady = clock.steady()
      const dueAt = place === null ? afterRun(row.schedule, isSound, steady) : steady
      await applyOutcome(store, jobs, due, { dueAt, attempts: 0, lastRunAt, place })
    },
  })

const afterRun = (schedule: Schedule, isSound: boolean, steady: Instant): Instant | null => {
  if (!('once' in schedule)) return nextRun(schedule, steady)
  return isSound ? null : plusSeconds(steady, RETRY_ONCE_SECONDS)
}

/**
 * Where the next slice begins. A slice that fails where an earlier one sent it ends the run: the next one begins anew, and is
 * not sent there for ever.
 */
const sliceOf = async ({ name, run }: JobRow, slice: JobSlice) => {
  try {
    return { place: await run(slice), isSound: true }
  } catch (error) {
    if (slice.cursor === null || error instanceof StoreUnavailable) throw error
    slice.report(error, name)
    return { place: null, isSound: false }
  }
}

/**
 * Makes the records of jobs that have none and moves those whose schedule was changed. Called at every start, by any
 * number of processes at once. A job at a time of day waits for its next time, any other is due at once.
 */
export const ensureJobs = async (
  { store, clock }: Pick<Runtime, 'store' | 'clock'>,
  jobs: Collection<Job>,
  rows: readonly JobRow[],
): Promise<void> => {
  const names = rows.map(({ name }) => name)
  const steady = clock.steady()
  const { records } = await store.list(listOf(jobs, { where: isIn('id', names), limit: Math.max(1, names.length) }))
  const changes = rows.map((row) => jobChange(jobs, row, records.find(({ id }) => id === row.name) ?? null, steady))
  // Each by itself: one that another process was faster with stops none of the others.
  await Promise.all(changes.filter((change) => change !== null).map((change) => store.commit([change])))
}

const jobChange = (
  jobs: Collection<Job>,
  { name, schedule }: JobRow,
  known: Job | null,
  steady: Instant,
): Change | null => {
  const isOnce = 'once' in schedule
  if (known && isOnce) return null
  const next = isOnce ? steady : nextRun(schedule, steady)
  if (!known) {
    const dueAt = 'at' in schedule ? next : steady
    return insert(jobs, { id: name, dueAt, attempts: 0, lastRunAt: null, place: null })
  }
  const { dueAt } = known
  const isRightly = dueAt !== null && (dueAt <= steady || ('at' in schedule ? dueAt === next : dueAt <= next))
  if (isRightly) return null
  // What is being run plans itself anew when it ends.
  return patch(jobs, name, { set: { dueAt: next }, when: all(eq('dueAt', dueAt), eq('attempts', 0)) })
}

/** Records that one commit of a sweep removes. */
export const SWEEP_BATCH = 100
/** Commits of one run on one collection: what is left then is for the next run, so that a stop need not wait. */
export const SWEEP_BATCHES = 20

/** A record that is of no use to anybody from `expiresAt` on; null keeps it. */
type Expiring = Rec & { readonly expiresAt: string | null }

/** One collection that is swept: removes a batch of what had run out after a place, and says where the next one begins. */
export interface Sweep {
  readonly name: string
  readonly batch: (store: Store, slice: JobSlice) => Promise<string | null>
}

/**
 * Sweeps a collection that has an index row `{ sort: 'expiresAt' }`, across owners where it has one. `graceSeconds`: how long a record is
 * kept after it ran out.
 */
export const sweepOf = <R extends Expiring>(
  from: Collection<R>,
  { graceSeconds = 0 }: { readonly graceSeconds?: number } = {},
): Sweep => ({
  name: from.name,
  async batch(store, { steady, cursor: place, report }) {
    // What was renewed meanwhile stays: each removal asks again.
    const ranOut: Where<'expiresAt'> = lte('expiresAt', plusSeconds(steady, -graceSeconds))
    const walk = { from, where: ranOut, sort: 'expiresAt', limit: SWEEP_BATCH } as const
    const { records, next } = await readSlice(store, walk, place)
    const removal = ({ id }: R): Change => remove(from, id, ranOut)
    // One that is gone, was renewed or cannot be removed spoils the batch: the others go each by itself.
    if (records.length > 0 && !(await isCommitted(store, records.map(removal)))) {
      await processEach(from, records, (record) => store.commit([removal(record)]), report)
    }
    return next
  },
})

const isCommitted = async (store: Store, changes: readonly Change[]): Promise<boolean> => {
  try {
    return (await store.commit(changes)).ok
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error
    return false
  }
}

type Places = Readonly<Record<string, string>>

/** Sweeps every collection of the table, those that had more where it goes on; null where none holds what has run out. */
export const sweepAll = async (store: Store, sweeps: readonly Sweep[], slice: JobSlice): Promise<string | null> => {
  const places: Places | null = slice.cursor === null ? null : JSON.parse(slice.cursor)
  const ends = await Promise.all(
    sweeps
      .filter(({ name }) => places === null || Object.hasOwn(places, name))
      .map(async (sweep) => [
        sweep.name,
        await sweepMany(store, sweep, { ...slice, cursor: places?.[sweep.name] ?? null }),
      ]),
  )
  const more = ends.filter(([, place]) => place !== null)
  return more.length === 0 ? null : JSON.stringify(Object.fromEntries(more))
}

const sweepMany = async (store: Store, { name, batch }: Sweep, slice: JobSlice): Promise<string | null> => {
  let { cursor: place } = slice
  try {
    for (let count = 1; count <= SWEEP_BATCHES; count += 1) {
      place = await batch(store, { ...slice, cursor: place })
      if (place === null) return null
    }
    return place
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error
    slice.report(error, name)
    return null
  }
}
