import { performance } from 'node:perf_hooks'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Change } from '../../core/kernel/records/record.ts'
import { type Store, StoreUnavailable } from '../../core/ports/store.ts'

/** From the read of one record to the slowest call of a bank. */
const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** The due records of a queue that no process has claimed. */
export interface Backlog {
  readonly queue: string
  readonly due: number
  /** The time since the first record became due. */
  readonly oldestSeconds: number
}

/** The metrics of one app, for Prometheus. */
export interface AppMetrics {
  /** The media type of `text`. */
  readonly type: string
  request(route: string, status: number, seconds: number): void
  commit(ending: CommitEnding, seconds: number): void
  delivery(outcome: string): void
  unreadableBankRecord(kind: string): void
  work(queue: string, ending: string): void
  job(name: string, outcome: string): void
  /** Calls `backlogs` at every scrape. If it rejects, the scrape has no figures of queues. */
  watchQueues(backlogs: () => Promise<readonly Backlog[]>): void
  /** Returns all metrics of the app and of the process in Prometheus' text format. */
  text(): Promise<string>
}

/** Creates the metrics of an app, labelled by `app`: one process may run several apps. */
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
      // The other metrics matter most while the store is unavailable.
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

  const requests = counter('http_requests_total', 'Requests, by route and status.', 'route', 'status')
  const latency = durations('http_request_duration_seconds', 'Duration of requests.', 'route')
  const commits = counter('store_commits_total', 'Commits, by outcome.', 'outcome')
  const commitLatency = durations('store_commit_duration_seconds', 'Duration of commits, waits included.')
  const deliveries = counter('deliveries_total', 'Delivery attempts of webhooks, by outcome.', 'outcome')
  const unreadable = counter('bank_unreadable_total', 'Unreadable records of the bank, by kind.', 'kind')
  const work = counter('work_total', 'Records that the worker processed, by queue and outcome.', 'queue', 'outcome')
  const jobs = counter('jobs_total', 'Slices of recurring jobs, by outcome.', 'job', 'outcome')
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
  const oldest = gauge('queue_oldest_seconds', 'Seconds since the oldest of them became due.')
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

let collected: Registry | null = null

/**
 * Returns the metrics of the process: CPU time, memory, open files, garbage collections, and the delay of the event
 * loop since the last scrape. They are collected once for all apps: the observers cannot be removed.
 */
const processMetrics = (): Registry => {
  if (collected) return collected
  collected = new Registry()
  collectDefaultMetrics({ register: collected, eventLoopMonitoringPrecision: LOOP_DELAY_EVERY_MS })
  return collected
}

/** `error` is a fault of the program: no store could have accepted the commit. */
export type CommitEnding = 'ok' | 'stale' | 'conflict' | 'unavailable' | 'error'

/** Receives each commit after its end. */
export type Measure = (ending: CommitEnding, seconds: number, changes: readonly Change[]) => void

/** Measures the outcome and duration of the commits of a store. */
export const measuredStore = <S extends Store>(store: S, measure: Measure): S => ({
  ...store,
  async commit(changes, hook) {
    const start = performance.now()
    const end = (ending: CommitEnding): void => measure(ending, (performance.now() - start) / 1000, changes)
    try {
      const outcome = await store.commit(changes, hook)
      end(outcome.ok ? 'ok' : 'stale' in outcome ? 'stale' : 'conflict')
      return outcome
    } catch (error) {
      end(error instanceof StoreUnavailable ? 'unavailable' : 'error')
      throw error
    }
  },
})
