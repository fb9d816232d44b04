import type { Worker } from '../../core/kernel/running/worker.ts'
import type { Clock } from '../../core/ports/runtime.ts'

/** How long the worker may take for what it has in hand once it is told to stop. */
const LAST_CALLS_MS = 2_000

/** What is closed, and by whose time. */
interface Closed {
  readonly worker: Pick<Worker, 'stop' | 'release'>
  readonly mounted: { unclaim(): Promise<void> }
  readonly clock: Pick<Clock, 'wait'>
}

/** Stops a worker while its server answers its last requests, and gives back what both had in hand. */
export const closing =
  ({ worker, mounted, clock }: Closed) =>
  async (served: Promise<unknown> = Promise.resolve()): Promise<void> => {
    // A receiver that hangs may hang longer than a stop may last: its call is left to another process, which makes it again.
    const letGo = Promise.race([worker.stop(), clock.wait(LAST_CALLS_MS)]).then(worker.release)
    await Promise.all([served.then(mounted.unclaim), letGo])
  }
