import type { AnyCollection, Collection } from '../kernel/records/record.ts'
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
import { type Migration, migrationJobs, refuseUnmigrated } from './migrations.ts'
import type { AnyEvent, Subscriber } from './outbox.ts'

/** The collections of a module and its background work. The functions receive ports whose commits nudge the worker. */
export interface Part<P, E extends AnyEvent> {
  readonly collections?: readonly AnyCollection[]
  /** Deletes expired records; a function if a setting decides when. */
  readonly sweeps?: readonly Sweep[] | ((ports: P) => readonly Sweep[])
  readonly queues?: (ports: P) => readonly Queue[]
  readonly jobs?: (ports: P) => readonly JobRow[]
  readonly migrations?: (ports: P) => readonly Migration[]
  /** Runs at every start, before the queues. */
  readonly atStart?: (ports: P) => Promise<unknown>
  readonly subscribers?: (ports: P) => readonly Subscriber<E>[]
}

export const sweepsOf = <P>(parts: readonly Pick<Part<P, never>, 'sweeps'>[], ports: P): readonly Sweep[] =>
  parts.flatMap(({ sweeps = [] }) => (typeof sweeps === 'function' ? sweeps(ports) : sweeps))

export const subscribersOf = <P, E extends AnyEvent>(
  parts: readonly Part<P, E>[],
  ports: P,
): readonly Subscriber<E>[] => parts.flatMap(({ subscribers }) => subscribers?.(ports) ?? [])

export const jobsIn = (business: string): Collection<Job> => jobCollection(`${business}.jobs`)

export const processesIn = (business: string): Collection<WorkerProcess> => processCollection(`${business}.processes`)

export interface WorkerOptions<P, E extends AnyEvent> {
  /** Receives every error of the work itself; by default the log does. */
  readonly report?: Report
  /** Receives the outcome of each record. */
  readonly ended?: OnEnd
  /** Further background work, of an adapter or the app. */
  readonly parts?: readonly Part<P, E>[]
}

/** The worker of a business. */
export interface BusinessWorker extends Worker {
  /** Creates the records of the jobs and runs `atStart` of the parts, once. `run` includes it. */
  prepare(): Promise<void>
}

/** The collections and the outbox that the worker of a business needs besides its parts. */
export interface WorkerStorage<E extends AnyEvent> {
  readonly jobs: Collection<Job>
  readonly processes: Collection<WorkerProcess>
  readonly outbox: { queue(runtime: Runtime, subscribers: readonly Subscriber<E>[]): Queue }
}

export interface WorkerPorts extends Runtime {
  readonly log: Log
}

/** Returns the ports of a business in one process, and the constructor of its worker, which their commits nudge. */
export const withWorker = <P extends WorkerPorts, E extends AnyEvent>(
  storage: WorkerStorage<E>,
  parts: readonly Part<P, E>[],
  plainPorts: P,
): { readonly ports: P; worker(options?: WorkerOptions<P, E>): BusinessWorker } => {
  let nudge = (_queue?: string): void => {}
  let presence: Presence | null = null
  const ports = {
    ...plainPorts,
    store: withNudges(plainPorts.store, plainPorts.clock, { nudge: (queue) => nudge(queue) }),
    presence: { mark: (end: string) => presence?.mark(end) ?? end },
  }
  return {
    ports,
    worker(options = {}) {
      const own = workerOf(storage, plainPorts, ports, [...parts, ...(options.parts ?? [])], options)
      nudge = own.nudge
      presence = own.presence
      return own
    },
  }
}

/**
 * Builds the worker. Its own claims use the plain store, because they create no new work; all else uses the nudging
 * ports.
 */
const workerOf = <P extends WorkerPorts, E extends AnyEvent>(
  { jobs, processes, outbox }: WorkerStorage<E>,
  plainPorts: P,
  ports: P,
  parts: readonly Part<P, E>[],
  { report = reportTo(plainPorts), ended }: WorkerOptions<P, E>,
): BusinessWorker & { readonly presence: Presence } => {
  const migrations = parts.flatMap((part) => part.migrations?.(ports) ?? [])
  const rows = [
    sweepJob(ports, sweepsOf(parts, ports)),
    ...parts.flatMap((part) => part.jobs?.(ports) ?? []),
    ...migrationJobs(ports.store, migrations),
  ]
  const queues = [
    outbox.queue(ports, subscribersOf(parts, ports)),
    ...parts.flatMap((part) => part.queues?.(ports) ?? []),
    jobQueue(ports, jobs, rows),
  ]
  const presence = presenceOf(plainPorts, processes, {
    queues,
    report,
    released: (collection) => working.nudge(collection),
  })
  const working: Worker = worker({ runtime: plainPorts, queues, report, presence, ...(ended ? { ended } : {}) })
  const start = async (): Promise<void> => {
    await refuseUnmigrated(plainPorts.store, jobs, migrations)
    await Promise.all([ensureJobs(ports, jobs, rows), ...parts.map((part) => part.atStart?.(ports))])
  }
  let starting: Promise<void> | null = null
  const prepare = (): Promise<void> => {
    starting ??= start().catch((error: unknown) => {
      starting = null
      throw error
    })
    return starting
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

const SWEEP_EVERY_SECONDS = 60

export const sweepJob = ({ store }: Pick<Runtime, 'store'>, sweeps: readonly Sweep[]): JobRow => ({
  name: 'sweep',
  schedule: { everySeconds: SWEEP_EVERY_SECONDS },
  run: (slice) => sweepAll(store, sweeps, slice),
})

const reportTo =
  ({ log }: Pick<WorkerPorts, 'log'>): Report =>
  (error, at) =>
    log.warn('work failed', { at, error: error instanceof Error ? error.message : `${error}` })
