import { ensureJobs, jobQueue } from '../kernel/running/job.ts'
import type { Report } from '../kernel/running/queue.ts'
import type { Sweep } from '../kernel/running/sweep.ts'
import { type Ended, type Worker, worker } from '../kernel/running/worker.ts'
import { jobs, sweepJob } from './jobs.ts'
import { outbox, type Subscriber } from './office/events.ts'
import type { WorkingPart } from './payments-module.ts'
import type { PaymentsPorts } from './payments-ports.ts'

export interface WorkerSetup {
  /** Told of every error of the work itself; the log by default. */
  readonly report?: Report
  /** Told of what came of each record. */
  readonly ended?: Ended
  /** What else keeps records that have to be worked on: an adapter, the app. */
  readonly parts?: readonly WorkingPart[]
}

/** The background of the payments business. */
export interface PaymentsWorker extends Worker {
  /** Makes the records of the jobs: once at every start. A worker that runs has done so. */
  prepare(): Promise<void>
}

/** Works by the plain store, since its own claims leave nothing to look at; all else it does by ports that nudge it. */
export const paymentsWorker = (
  plain: PaymentsPorts,
  ports: PaymentsPorts,
  own: readonly WorkingPart[],
  { report = reportTo(plain), ended, parts: others = [] }: WorkerSetup,
): PaymentsWorker => {
  const parts = [...own, ...others]
  const rows = [sweepJob(ports, sweepsOf(parts)), ...parts.flatMap((part) => part.jobs?.(ports) ?? [])]
  const queues = [
    outbox.queue(ports, subscribersOf(parts, ports)),
    ...parts.flatMap((part) => part.queues?.(ports) ?? []),
    jobQueue(ports, jobs, rows),
  ]
  const working = worker({ runtime: plain, queues, report, ...(ended ? { ended } : {}) })
  let preparing: Promise<void> | null = null
  const prepare = (): Promise<void> => {
    preparing ??= ensureJobs(ports, jobs, rows).catch((error: unknown) => {
      preparing = null
      throw error
    })
    return preparing
  }
  return {
    ...working,
    prepare,
    run: async () => {
      await prepare().catch((error: unknown) => report(error, jobs.name))
      await working.run()
    },
  }
}

export const sweepsOf = (parts: readonly WorkingPart[]): readonly Sweep[] => parts.flatMap(({ sweeps = [] }) => sweeps)

export const subscribersOf = (parts: readonly WorkingPart[], ports: PaymentsPorts): readonly Subscriber[] =>
  parts.flatMap(({ subscribers }) => subscribers?.(ports) ?? [])

const reportTo =
  ({ log }: Pick<PaymentsPorts, 'log'>): Report =>
  (error, at) =>
    log.warn('work failed', { at, error: error instanceof Error ? error.message : `${error}` })
