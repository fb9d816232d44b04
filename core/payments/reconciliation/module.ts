import { sweepOf } from '../../kernel/running/jobs.ts'
import type { PaymentsModule, PaymentsPorts } from '../payments-ports.ts'
import { reconcile } from './reconcile.ts'
import { differences, listedMovements, reconciliations } from './records.ts'
import { reconciliationJob, reconciliationQueue } from './schedule.ts'

/** What the bank says moved, beside what the ledger has. */
export const reconciliation = {
  collections: [reconciliations, differences, listedMovements],
  sweeps: [sweepOf(reconciliations), sweepOf(differences), sweepOf(listedMovements)],
  queues: (ports: PaymentsPorts) => [reconciliationQueue(ports)],
  jobs: (ports: PaymentsPorts) => [reconciliationJob(ports)],
  useCases: (ports: PaymentsPorts) => ({
    /**
     * Compares the movements that the bank lists for a day of São Paulo, until today, with the ledger, amounts in cents: which
     * are missing there, extra or different, and which records of the bank cannot be read. Posts nothing, and uses the same
     * memory for any day.
     * Fails: `fields`, `bank.unsupported` (the bank lists nothing), `bank.unavailable` (it did not answer).
     * Source: issue 14, Reconciliation.
     */
    reconcile: reconcile(ports),
  }),
} satisfies PaymentsModule
