import { eq, insert, patch } from '../../kernel/records/record.ts'
import { type Job, type JobRow, ONCE } from '../../kernel/running/jobs.ts'
import { accept, useCase } from '../../kernel/running/use-case.ts'
import { byId } from '../../ports/store.ts'
import { jobs } from '../office.ts'
import type { PaymentsModule, PaymentsPorts } from '../payments-ports.ts'
import { tallyByBank } from './tally-by-bank.ts'

/** Checks for the operator of an installation. */
export const diagnostics = {
  jobs: () => [testJob],
  useCases: (ports: PaymentsPorts) => ({
    /** Enqueues a job that does nothing, unless one is waiting already. */
    queueTestJob: queueTestJob(ports),
    /**
     * Counts the charges of all accounts at a bank that are due in a range of days, by status and method.
     * Fails: `fields`.
     */
    tallyByBank: tallyByBank(ports),
  }),
} satisfies PaymentsModule

const TEST_JOB = 'test-job'

/** A job that does nothing. Its run shows that a worker is active. */
const testJob: JobRow = { name: TEST_JOB, schedule: ONCE, run: async () => null }

const queueTestJob = (ports: PaymentsPorts) => () =>
  useCase<Job | null, null, never>(
    ports,
    (store) => store.find(byId(jobs, TEST_JOB)),
    (job, { steady }) => {
      if (!job) {
        const first = { id: TEST_JOB, dueAt: steady, attempts: 0, lastRunAt: null, place: null }
        return accept(null, insert(jobs, first))
      }
      if (job.dueAt !== null) return accept(null)
      return accept(null, patch(jobs, TEST_JOB, { set: { dueAt: steady }, when: eq('dueAt', null) }))
    },
  )
