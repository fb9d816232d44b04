import { sweepOf } from '../../kernel/running/jobs.ts'
import type { PaymentsModule, PaymentsPorts } from '../payments-ports.ts'
import { reconcile } from './reconcile.ts'
import { differences, listedMovements, reconciliations } from './records.ts'
import { reconciliationJob, reconciliationQueue } from './schedule.ts'

/** Comparison of the bank's movements with the ledger. */
export const reconciliation = {
  collections: [reconciliations, differences, listedMovements],
  sweeps: [sweepOf(reconciliations), sweepOf(differences), sweepOf(listedMovements)],
  queues: (ports: PaymentsPorts) => [reconciliationQueue(ports)],
  jobs: (ports: PaymentsPorts) => [reconciliationJob(ports)],
  useCases: (ports: PaymentsPorts) => ({
    /**
     * Compares the movements that the bank lists for a past day of São Paulo with the ledger: counts those that are
     * missing in the ledger, extra there or different, and records of the bank that cannot be read; amounts are in
     * cents. Posts nothing. Its use of memory does not depend on the day.
     * Fails: `fields`, `bank.unsupported` (the bank lists nothing), `bank.unavailable` (it did not answer).
     */
    reconcile: reconcile(ports),
  }),
} satisfies PaymentsModule
