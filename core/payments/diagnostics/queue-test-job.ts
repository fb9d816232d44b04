import { insert, patch } from '../../kernel/records/change.ts'
import { eq } from '../../kernel/records/where.ts'
import { type Job, type JobRow, ONCE } from '../../kernel/running/jobs.ts'
import { accept, useCase } from '../../kernel/running/use-case.ts'
import { byId } from '../../ports/store.ts'
import { jobs } from '../office/jobs.ts'
import type { PaymentsPorts } from '../payments-ports.ts'

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
