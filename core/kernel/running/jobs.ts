import { listOf, type Store, StoreUnavailable } from '../../ports/store.ts'
import {
  all,
  type Change,
  type Collection,
  eq,
  type Id,
  insert,
  isIn,
  lte,
  orNull,
  patch,
  type Rec,
  record,
  remove,
  t,
  type Where,
} from '../records/record.ts'
import { addDays, addMonths, addSeconds, dayOf, type Instant, minuteOfDay, startOfDay } from '../values/day.ts'
import { applyOutcome, type Queue, queueOf, queueParts, type Report } from './queue.ts'
import { processEach, readSlice } from './slices.ts'
import type { Runtime } from './use-case.ts'

const job = record({
  /** The name of the job. */
  id: t.string,
  dueAt: orNull(t.string),
  /** The number of starts of the running slice; 0 while none runs. */
  attempts: t.number,
  lastRunAt: orNull(t.string),
  /** The cursor of the next slice, in the job's own format; null before a run. */
  place: orNull(t.string),
})

/** The state of a recurrent job, shared by all processes. */
export type Job = t.TypeOf<typeof job>

/** Returns the collection of a business for its jobs. */
export const jobCollection = (name: string): Collection<Job> => ({
  name,
  ids: 'text',
  codec: job,
  owner: null,
  ...queueParts(),
})

/** The recurrence of a job. */
export type Recurrence =
  | { readonly everySeconds: number }
  /**
   * `HH:MM` in São Paulo, once a day, or once a month on a day from 1 to 28. A run that was missed because no process
   * was up happens as soon as one is.
   */
  | { readonly at: string; readonly day?: number }

/** A single run: repeated until it ends without an error, and never again. */
export const ONCE = { once: true } as const

export type Schedule = Recurrence | typeof ONCE

/** One slice of a run of a job. */
export interface JobSlice {
  readonly steady: Instant
  /** The result of the slice before; null in the first slice of a run. */
  readonly cursor: string | null
  /** Reports a failure that does not stop the run. */
  readonly report: Report
}

/**
 * A recurrent job, run in slices that take much less than `JOB_LEASE_SECONDS`. `run` returns the cursor of the next
 * slice, which starts at once in any process, or null at the end. Records that failed are retried by the next run.
 */
export interface JobRow {
  readonly name: string
  readonly schedule: Schedule
  readonly run: (slice: JobSlice) => Promise<string | null>
}

/** The lease of a slice. Another process takes over after it. */
export const JOB_LEASE_SECONDS = 300
const JOBS_AT_ONCE = 4

const RETRY_ONCE_SECONDS = 60

/** Returns the first time of a recurrence after `now`. */
export const nextRun = (schedule: Recurrence, now: Instant): Instant => {
  if ('everySeconds' in schedule) return addSeconds(now, schedule.everySeconds)
  const today = dayOf(now)
  const { at, day } = schedule
  const first = day === undefined ? today : `${today.slice(0, 8)}${`${day}`.padStart(2, '0')}`
  const atFirst = timeOf(first, at)
  return atFirst > now ? atFirst : timeOf(day === undefined ? addDays(first, 1) : addMonths(first, 1), at)
}

const timeOf = (day: string, clockTime: string): Instant => {
  const [hours, minutes] = clockTime.split(':').map(Number)
  const start = startOfDay(day)
  // On days whose midnight was skipped by summer time, the day began at 01:00.
  const sinceStart = Number(hours) * 60 + Number(minutes) - minuteOfDay(start)
  return addSeconds(start, Math.max(0, sinceStart) * 60)
}

/** Returns the queue of these jobs for a process's worker. */
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
    span: ({ id }) => `job ${id}`,
    handle: async (due, report) => {
      const row = rows.find(({ name }) => name === due.id)
      if (!row) throw new Error(`no job ${due.id}`)
      const lastRunAt = clock.steady()
      const { next, isSound } = await runSlice(row, { steady: lastRunAt, cursor: due.place, report })
      const steady = clock.steady()
      const dueAt = next === null ? afterRun(row.schedule, isSound, steady) : steady
      await applyOutcome(store, jobs, due, { dueAt, attempts: 0, lastRunAt, place: next })
    },
  })

const afterRun = (schedule: Schedule, isSound: boolean, steady: Instant): Instant | null => {
  if (!('once' in schedule)) return nextRun(schedule, steady)
  return isSound ? null : addSeconds(steady, RETRY_ONCE_SECONDS)
}

/**
 * Runs a slice and returns the cursor of the next one. A failing slice with a cursor ends the run, so that the next run
 * starts anew instead of failing at that cursor again.
 */
const runSlice = async ({ name, run }: JobRow, slice: JobSlice) => {
  try {
    return { next: await run(slice), isSound: true }
  } catch (error) {
    if (slice.cursor === null || error instanceof StoreUnavailable) throw error
    slice.report(error, name)
    return { next: null, isSound: false }
  }
}

/**
 * Inserts missing job records and reschedules jobs whose schedule has changed. Called at every start, by any number of
 * processes at once. A new job with a time of day waits for that time; any other is due at once.
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
  // Separate commits: a job that another process inserted first must not stop the others.
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
  const isScheduled = dueAt !== null && (dueAt <= steady || ('at' in schedule ? dueAt === next : dueAt <= next))
  if (isScheduled) return null
  // A running job is rescheduled when it ends.
  return patch(jobs, name, { set: { dueAt: next }, when: all(eq('dueAt', dueAt), eq('attempts', 0)) })
}

/** Records removed in one commit of a sweep. */
export const SWEEP_BATCH = 100
/** Commits per collection and slice, so that a stop need not wait long; the rest is left to the next slice. */
export const SWEEP_BATCHES = 20

/** A record that can be removed from `expiresAt` on; null keeps it. */
type Expiring = Rec & { readonly expiresAt: string | null }

/**
 * The sweep of one collection: `batch` removes a batch of expired records after a cursor and returns the next cursor.
 */
export interface Sweep {
  readonly name: string
  readonly batch: (store: Store, slice: JobSlice) => Promise<string | null>
}

/**
 * Returns the sweep of a collection, which needs an index row `{ sort: 'expiresAt' }`, across owners if it has an
 * owner. Records are kept for `graceSeconds` after they expire.
 */
export const sweepOf = <R extends Expiring>(
  from: Collection<R>,
  { graceSeconds = 0 }: { readonly graceSeconds?: number } = {},
): Sweep => ({
  name: from.name,
  async batch(store, { steady, cursor, report }) {
    // Also the guard of each removal: a record that was renewed meanwhile stays.
    const expired: Where<'expiresAt'> = lte('expiresAt', addSeconds(steady, -graceSeconds))
    const walk = { from, where: expired, sort: 'expiresAt', limit: SWEEP_BATCH } as const
    const { records, next } = await readSlice(store, walk, cursor)
    const removals = records.map(({ id }) => ({ id, changes: [remove(from, id, expired)] }))
    await commitTogether(store, from, removals, report)
    return next
  },
})

/** The changes about one record. */
interface RecordChanges {
  readonly id: Id
  readonly changes: readonly Change[]
}

/**
 * Commits the changes of several records together. One record that is gone, was changed or cannot be changed fails that
 * commit: then each record has its own.
 */
export const commitTogether = async (
  store: Store,
  from: { readonly name: string },
  records: readonly RecordChanges[],
  report: Report,
): Promise<void> => {
  if (records.length === 0) return
  if (
    await isCommitted(
      store,
      records.flatMap(({ changes }) => changes),
    )
  )
    return
  await processEach(from, records, ({ changes }) => store.commit(changes), report)
}

const isCommitted = async (store: Store, changes: readonly Change[]): Promise<boolean> => {
  try {
    return (await store.commit(changes)).ok
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error
    return false
  }
}

type Cursors = Readonly<Record<string, string>>

/**
 * Sweeps all collections, continuing at the cursors of the slice before. Returns null when no expired record is left.
 */
export const sweepAll = async (store: Store, sweeps: readonly Sweep[], slice: JobSlice): Promise<string | null> => {
  const cursors: Cursors | null = slice.cursor === null ? null : JSON.parse(slice.cursor)
  const ends = await Promise.all(
    sweeps
      .filter(({ name }) => cursors === null || Object.hasOwn(cursors, name))
      .map(async (sweep) => [
        sweep.name,
        await sweepMany(store, sweep, { ...slice, cursor: cursors?.[sweep.name] ?? null }),
      ]),
  )
  const more = ends.filter(([, cursor]) => cursor !== null)
  return more.length === 0 ? null : JSON.stringify(Object.fromEntries(more))
}

const sweepMany = async (store: Store, { name, batch }: Sweep, slice: JobSlice): Promise<string | null> => {
  let { cursor } = slice
  try {
    for (let count = 1; count <= SWEEP_BATCHES; count += 1) {
      cursor = await batch(store, { ...slice, cursor })
      if (cursor === null) return null
    }
    return cursor
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error
    slice.report(error, name)
    return null
  }
}
