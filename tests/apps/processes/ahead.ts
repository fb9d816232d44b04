import type { Startable } from '../../../apps/host/host.ts'
import { payments } from '../../../apps/payments/app.ts'
import { addSeconds } from '../../../core/kernel/values/day.ts'

const aheadSeconds = Number(process.env.CLOCK_AHEAD_SECONDS ?? 0)

/** The payments app on a clock that may be ahead of the machine's. */
export const aheadPayments: Startable = {
  ...payments,
  start: ({ clock, ...host }) =>
    payments.start({
      ...host,
      clock: {
        ...clock,
        now: () => addSeconds(clock.now(), aheadSeconds),
        steady: () => addSeconds(clock.steady(), aheadSeconds),
      },
    }),
}
