import type { PaymentsModule } from '../payments-module.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { queueTestJob, testJob } from './queue-test-job.ts'
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
