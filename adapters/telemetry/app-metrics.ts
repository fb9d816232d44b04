import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { CommitEnding } from './measured-store.ts'

/** In seconds. A read of one record takes less than one of these, a call to a bank up to the last. */
const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** What is due in a queue and nobody's yet, and how long the first of it has been. */
export interface Backlog {
  readonly queue: string
  readonly due: number
  readonly oldestSeconds: number
}

/** What one app of a process counts, for Prometheus. */
export interface AppMetrics {
  /** The media type of `text`. */
  readonly type: string
  request(route: string, status: number, seconds: number): void
  commit(ending: CommitEnding, seconds: number): void
  delivery(outcome: string): void
  unreadableBankRecord(kind: string): void
  work(queue: string, ending: string): void
  job(name: string, outcome: string): void
  /** Asked for at every scrape from now on; where it rejects, the scrape goes without. */
  watchQueues(backlogs: () => Promise<readonly Backlog[]>): void
  /** Everything, as Prometheus reads it, with what the process tells of itself. */
  text(): Promise<string>
}

/** A registry of its own for each app, though both may run in one process. `app` is on all that it counts. */
export const appMetrics = (app: string): AppMetrics => {
  const registry = new Registry()
  registry.setDefaultLabels({ app })
  const process = processMetrics()
  const showQueues = queueGauges(registry)
  let backlogsOf = async (): Promise<readonly Backlog[]> => []
  return {
    ...countersOf(registry),
    type: registry.contentType,
    watchQueues(backlogs) {
      backlogsOf = backlogs
    },
    async text() {
      // A store that is away is the very moment at which the rest is asked for.
      showQueues(await backlogsOf().catch(() => []))
      return (await Promise.all([registry.metrics(), process.metrics()])).join('\n')
    },
  }
}

const countersOf = (registry: Registry) => {
  const registers = [registry]
  const counter = <L extends string>(name: string, help: string, ...labelNames: readonly L[]) =>
    new Counter({ name, help, labelNames, registers })
  const durations = <L extends string>(name: string, help: string, ...labelNames: readonly L[]) =>
    new Histogram({ name, help, labelNames, buckets: BUCKETS_SECONDS, registers })

  const requests = counter('http_requests_total', 'Requests answered, by route and status.', 'route', 'status')
  const latency = durations('http_request_duration_seconds', 'From the start of a request to its answer.', 'route')
  const commits = counter('store_commits_total', 'Commits, by how they ended.', 'outcome')
  const commitLatency = durations('store_commit_duration_seconds', 'How long commits took, the wait in line included.')
  const deliveries = counter('deliveries_total', 'Tries of webhooks, by what came of them.', 'outcome')
  const unreadable = counter('bank_unreadable_total', 'Records of the bank that could not be read, by kind.', 'kind')
  const work = counter('work_total', 'Records that the worker took from its queues.', 'queue', 'outcome')
  const jobs = counter('jobs_total', 'Slices of recurrent jobs, by what came of them.', 'job', 'outcome')
  return {
    request(route: string, status: number, seconds: number) {
      requests.inc({ route, status })
      latency.observe({ route }, seconds)
    },
    commit(outcome: CommitEnding, seconds: number) {
      commits.inc({ outcome })
      commitLatency.observe(seconds)
    },
    delivery: (outcome: string) => deliveries.inc({ outcome }),
    unreadableBankRecord: (kind: string) => unreadable.inc({ kind }),
    work: (queue: string, outcome: string) => work.inc({ queue, outcome }),
    job: (job: string, outcome: string) => jobs.inc({ job, outcome }),
  }
}

const queueGauges = (registry: Registry): ((backlogs: readonly Backlog[]) => void) => {
  const gauge = (name: string, help: string) => new Gauge({ name, help, labelNames: ['queue'], registers: [registry] })
  const due = gauge('queue_due', 'Records that are due and not leased.')
  const oldest = gauge('queue_oldest_seconds', 'How long the first of them has been due.')
  return (backlogs) => {
    due.reset()
    oldest.reset()
    for (const { queue, ...backlog } of backlogs) {
      due.set({ queue }, backlog.due)
      oldest.set({ queue }, backlog.oldestSeconds)
    }
  }
}

const LOOP_DELAY_EVERY_MS = 20

let known: Registry | null = null

/**
 * What a process tells of itself: processor time, memory, open files, collections of garbage, and the delay of the event
 * loop since anybody last asked. One for all that a process runs: its observers cannot be taken off again.
 */
export const processMetrics = (): Registry => {
  if (known) return known
  known = new Registry()
  collectDefaultMetrics({ register: known, eventLoopMonitoringPrecision: LOOP_DELAY_EVERY_MS })
  return known
}
