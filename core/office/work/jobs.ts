import type { Collection } from '../../kernel/records/collection.ts'
import { type Job, type JobRow, jobCollection, type Sweep, sweepAll } from '../../kernel/running/jobs.ts'
import { processCollection, type WorkerProcess } from '../../kernel/running/presence.ts'
import type { Runtime } from '../../kernel/running/use-case.ts'

/** What a business keeps its recurrent jobs in. */
export const jobsIn = (business: string): Collection<Job> => jobCollection(`${business}.jobs`)

/** What a business keeps the processes in that run its worker. */
export const processesIn = (business: string): Collection<WorkerProcess> => processCollection(`${business}.processes`)

const SWEEP_EVERY_SECONDS = 60

/** Removes what has run out. */
export const sweepJob = ({ store }: Pick<Runtime, 'store'>, sweeps: readonly Sweep[]): JobRow => ({
  name: 'sweep',
  schedule: { everySeconds: SWEEP_EVERY_SECONDS },
  run: (slice) => sweepAll(store, sweeps, slice),
})
