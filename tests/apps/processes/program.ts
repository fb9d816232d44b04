import type { Startable } from '../../../apps/host/host.ts'
import { run } from '../../../apps/host/run.ts'
import { payments } from '../../../apps/payments/startable.ts'
import { plusSeconds } from '../../../core/kernel/values/day.ts'
import { sayStarted } from '../host/say-started.ts'

// What a process of a processes runs: the payments app by itself, on a clock that may be ahead of the machine's. It says
// where it listens.
const aheadSeconds = Number(process.env.CLOCK_AHEAD_SECONDS ?? 0)
const app: Startable = {
  ...payments,
  start: ({ clock, ...host }) =>
    payments.start({ ...host, clock: { ...clock, now: () => plusSeconds(clock.now(), aheadSeconds) } }),
}

await run([app], sayStarted)
