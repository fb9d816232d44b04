import type { AnyCollection, Collection } from '../kernel/records/collection.ts'
import {
  ensureJobs,
  type Job,
  type JobRow,
  jobCollection,
  jobQueue,
  type Sweep,
  sweepAll,
} from '../kernel/running/jobs.ts'
import { type Presence, presenceOf, processCollection, type WorkerProcess } from '../kernel/running/presence.ts'
import type { Queue, Report } from '../kernel/running/queue.ts'
import type { Runtime } from '../kernel/running/use-case.ts'
import { type OnEnd, type Worker, withNudges, worker } from '../kernel/running/worker.ts'
import type { Log } from '../ports/runtime.ts'
import { type Migration, migrationJobs } from './migrations.ts'
import type { AnyEvent, Subscriber } from './outbox.ts'

/** What the worker runs of a room, and what a store has to hold for it. */
export interface Part<P, E extends AnyEvent> {
  readonly collections?: readonly AnyCollection[]
  /** What of its records runs out. */
  readonly sweeps?: readonly Sweep[]
  /** Made with ports whose commits nudge the worker, as what follows. */
  readonly queues?: (ports: P) => readonly Queue[]
  readonly jobs?: (ports: P) => readonly JobRow[]
  /** What moves records of earlier releases, each by itself. */
  readonly migrations?: (ports: P) => readonly Migration[]
  /** Done once at every start, beside what is due. */
  readonly atStart?: (ports: P) => Promise<unknown>
  /** What it makes of events. */
  readonly subscribers?: (ports: P) => readonly Subscriber<E>[]
}

export const sweepsOf = (parts: readonly { readonly sweeps?: readonly Sweep[] }[]): readonly Sweep[] =>
  parts.flatMap(({ sweeps = [] }) => sweeps)

export const subscribersOf = <P, E extends AnyEvent>(
  parts: readonly Part<P, E>[],
  ports: P,
): readonly Subscriber<E>[] => parts.flatMap(({ subscribers }) => subscribers?.(ports) ?? [])

/** What a business keeps its recurrent jobs in. */
export const jobsIn = (business: string): Collection<Job> => jobCollection(`${business}.jobs`)

/** What a business keeps the processes in that run its worker. */
export const processesIn = (business: string): Collection<WorkerProcess> => processCollection(`${business}.processes`)

const SWEEP_EVERY_SECONDS = 60

/** Removes what has run out. */
export const sweepJob = ({ store }: Pick<Runtime, 'store'>, sweeps: readonly Sweep[]): JobRow => ({
  name: 'sweep',
  schedule: { everySeconds: SWEEP_EVERY_SECONDS },
  run: (slice) => sweepAll(store, sweeps, slice),
})

export interface WorkerOptions<P, E extends AnyEvent> {
  /** Told of every error of the work itself; the log by default. */
  readonly report?: Report
  /** Told of what came of each record. */
  readonly ended?: OnEnd
  /** What else keeps records that have to be worked on: an adapter, the app. */
  readonly parts?: readonly Part<P, E>[]
}

/** The background of a business. */
export interface BusinessWorker extends Worker {
  /** Makes the records of the jobs, and does what parts do then: once at every start. A worker that runs has done so. */
  prepare(): Promise<void>
}

/** What of the office the worker of a business runs, besides its parts. */
export interface WorkerStorage<E extends AnyEvent> {
  readonly jobs: Collection<Job>
  readonly processes: Collection<WorkerProcess>
  readonly outbox: { queue(runtime: Runtime, subscribers: readonly Subscriber<E>[]): Queue }
}

export interface WorkerPorts extends Runtime {
  readonly log: Log
}

/** The ports of a business in one process, and its worker, which each commit by these ports nudges. */
export const withWorker = <P extends WorkerPorts, E extends AnyEvent>(
  office: WorkerStorage<E>,
  parts: readonly Part<P, E>[],
  plain: P,
): { readonly ports: P; worker(setup?: WorkerOptions<P, E>): BusinessWorker } => {
  let nudge = (_queue?: string): void => {}
  let presence: Presence | null = null
  const ports = {
    ...plain,
    store: withNudges(plain.store, plain.clock, { nudge: (queue) => nudge(queue) }),
    presence: { mark: (end: string) => presence?.mark(end) ?? end },
  }
  return {
    ports,
    worker(setup = {}) {
      const own = workerOf(office, plain, ports, [...parts, ...(setup.parts ?? [])], setup)
      nudge = own.nudge
      presence = own.presence
      return own
    },
  }
}

/** Works by the plain store, since its own claims leave nothing to look at; all else it does by ports that nudge it. */
const workerOf = <P extends WorkerPorts, E extends AnyEvent>(
  { jobs, processes, outbox }: WorkerStorage<E>,
  plain: P,
  ports: P,
  parts: readonly Part<P, E>[],
  { report = reportTo(plain), ended }: WorkerOptions<P, E>,
): BusinessWorker & { readonly presence: Presence } => {
  const rows = [
    sweepJob(ports, sweepsOf(parts)),
    ...parts.flatMap((part) => part.jobs?.(ports) ?? []),
    ...migrationJobs(
      ports.store,
      parts.flatMap((part) => part.migrations?.(ports) ?? []),
    ),
  ]
  const queues = [
    outbox.queue(ports, subscribersOf(parts, ports)),
    ...parts.flatMap((part) => part.queues?.(ports) ?? []),
    jobQueue(ports, jobs, rows),
  ]
  const presence = presenceOf(plain, processes, { queues, report, released: (collection) => working.nudge(collection) })
  const working: Worker = worker({ runtime: plain, queues, report, presence, ...(ended ? { ended } : {}) })
  const begin = async (): Promise<void> => {
    await Promise.all([ensureJobs(ports, jobs, rows), ...parts.map((part) => part.atStart?.(ports))])
  }
  let preparing: Promise<void> | null = null
  const prepare = (): Promise<void> => {
    preparing ??= begin().catch((error: unknown) => {
      preparing = null
      throw error
    })
    return preparing
  }
  return {
    ...working,
    presence,
    prepare,
    run: async () => {
      await prepare().catch((error: unknown) => report(error, jobs.name))
      await working.run()
    },
  }
}

const reportTo =
  ({ log }: Pick<WorkerPorts, 'log'>): Report =>
  (error, at) =>
    log.warn('work failed', { at, error: error instanceof Error ? error.message : `${error}` })
