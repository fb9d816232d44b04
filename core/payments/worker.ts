import { ensureJobs, type JobRow, jobQueue } from '../kernel/running/job.ts'
import type { Queue, Report } from '../kernel/running/queue.ts'
import type { Sweep } from '../kernel/running/sweep.ts'
import { type Ended, nudging, type Worker, worker } from '../kernel/running/worker.ts'
import { auditQueue } from './audit/link-entries.ts'
import { fileQueue } from './files/file-queue.ts'
import { jobs, sweepJob } from './jobs.ts'
import { mailQueues } from './mail/send-mail.ts'
import { messageQueue } from './messages/send-message.ts'
import { eventQueue } from './outbox/fan-out.ts'
import type { PaymentsPorts } from './payments-ports.ts'
import { reminderQueue } from './reminders/remind-payers.ts'
import { deliveryQueue } from './webhooks/deliver.ts'

export interface WorkerSetup {
  readonly report: Report
  readonly ended?: Ended
  /** What is swept, of the core and of the app. */
  readonly sweeps: readonly Sweep[]
  /** Recurrent jobs besides the sweep; made with ports whose commits nudge the worker. */
  readonly jobs: (ports: PaymentsPorts) => readonly JobRow[]
  /** Queues besides events, deliveries, reminders, mails, messages, files, the audit and jobs: intents that the worker carries on. */
  readonly queues: (ports: PaymentsPorts) => readonly Queue[]
}

/** The background of the payments business. */
export interface Background {
  /** The ports for everything else in the process: their commits nudge the worker. */
  readonly ports: PaymentsPorts
  readonly worker: Worker
  /** Makes the records of the jobs: once at every start, before the worker runs. */
  prepare(): Promise<void>
}

/** The one worker of payments, and the ports that wake it. */
export const paymentsWorker = (plain: PaymentsPorts, setup: WorkerSetup): Background => {
  const ports: PaymentsPorts = { ...plain, store: nudging(plain.store, { nudge: (queue) => own.nudge(queue) }) }
  const rows = [sweepJob(ports, setup.sweeps), ...setup.jobs(ports)]
  const queues = [
    eventQueue(ports),
    deliveryQueue(ports),
    reminderQueue(ports),
    ...mailQueues(ports),
    messageQueue(ports),
    fileQueue(ports),
    auditQueue(ports),
    ...setup.queues(ports),
    jobQueue(ports, jobs, rows),
  ]
  // Its own claims go by the plain store: they leave nothing to look at.
  const { report, ended } = setup
  const own = worker({ runtime: plain, queues, report, ...(ended ? { ended } : {}) })
  return { ports, worker: own, prepare: () => ensureJobs(ports, jobs, rows) }
}
