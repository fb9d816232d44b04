import { type JobRow, jobsIn } from '../kernel/running/job.ts'
import { type Sweep, sweepAll } from '../kernel/running/sweep.ts'
import type { Runtime } from '../kernel/running/use-case.ts'

export const jobs = jobsIn('payments.jobs')

const SWEEP_EVERY_SECONDS = 60

/** Removes what has run out. */
export const sweepJob = ({ store }: Pick<Runtime, 'store'>, sweeps: readonly Sweep[]): JobRow => ({
  name: 'sweep',
  schedule: { everySeconds: SWEEP_EVERY_SECONDS },
  run: (slice) => sweepAll(store, sweeps, slice),
})
