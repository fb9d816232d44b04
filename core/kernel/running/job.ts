import { t } from '../../fp.ts'
import { listOf, StoreUnavailable } from '../../ports/store.ts'
import { type Change, insert, patch } from '../records/change.ts'
import type { Collection } from '../records/collection.ts'
import { orNull, record } from '../records/record.ts'
import { all, eq, isIn, not } from '../records/where.ts'
import { addDays, addMonths, dayOf, type Instant, minuteOfDay, plusSeconds, startOfDay } from '../values/day.ts'
import { applyOutcome, type Queue, queueOf, type Report, WAITING } from './queue.ts'
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
  readonly place: string | null
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
    span: ({ id }) => `job ${id}`,
    only: isIn(
      'id',
      rows.map(({ name }) => name),
    ),
    handle: async (due, report) => {
      const row = rows.find(({ name }) => name === due.id)
      if (!row) throw new Error(`no job ${due.id}`)
      const lastRunAt = clock.steady()
      const { place, isSound } = await sliceOf(row, { steady: lastRunAt, place: due.place, report })
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
    if (slice.place === null || error instanceof StoreUnavailable) throw error
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
  const changes = rows.map((row) => ensured(jobs, row, records.find(({ id }) => id === row.name) ?? null, steady))
  // Each by itself: one that another process was faster with stops none of the others.
  await Promise.all(changes.filter((change) => change !== null).map((change) => store.commit([change])))
}

const ensured = (
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
