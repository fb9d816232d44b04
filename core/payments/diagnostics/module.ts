import { insert, patch } from '../../kernel/records/change.ts'
import { eq } from '../../kernel/records/where.ts'
import { type Job, type JobRow, ONCE } from '../../kernel/running/jobs.ts'
import { accept, useCase } from '../../kernel/running/use-case.ts'
import { byId } from '../../ports/store.ts'
import { jobs } from '../office.ts'
import type { PaymentsModule, PaymentsPorts } from '../payments-ports.ts'
import { tallyByBank } from './tally-by-bank.ts'

/** What tells whoever runs it that it works. */
export const diagnostics = {
  jobs: () => [testJob],
  useCases: (ports: PaymentsPorts) => ({
    /**
     * Lets the worker run a job that does nothing; at most one such job waits.
     * Source: 02-billing.md, Utility routes; decisions.md §9, Others.
     */
    queueTestJob: queueTestJob(ports),
    /**
     * How many charges of all accounts at a bank are due in a range of days, by status and method.
     * Fails: `fields`.
     * Source: 02-billing.md, Utility routes; decisions.md §9, Others.
     */
    tallyByBank: tallyByBank(ports),
  }),
} satisfies PaymentsModule

const TEST_JOB = 'test-job'

/** A job that does nothing: that it runs shows that there is a worker. */
export const testJob: JobRow = { name: TEST_JOB, schedule: ONCE, run: async () => null }

/** Lets the worker run the test job once more, where it does not wait already. Source: decisions.md §9, Others. */
export const queueTestJob = (ports: PaymentsPorts) => () =>
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
