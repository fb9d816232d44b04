import { type AppMetrics, appMetrics } from '../../adapters/metrics/app-metrics.ts'
import type { Measure } from '../../adapters/metrics/measured-store.ts'
import type { Change } from '../../core/kernel/records/change.ts'
import type { OnEnd } from '../../core/kernel/running/worker.ts'
import { unreadableRecords } from '../../core/payments/bank/notices.ts'
import { jobs } from '../../core/payments/office.ts'
import { deliveries } from '../../core/payments/webhooks/delivery.ts'

/** What the payments app counts for `/metrics`. */
export interface Counts {
  readonly metrics: AppMetrics
  readonly measure: Measure
  readonly ended: OnEnd
}

export const countsOf = (): Counts => {
  const metrics = appMetrics('payments')
  return {
    metrics,
    measure(ending, seconds, changes) {
      metrics.commit(ending, seconds)
      if (ending !== 'ok') return
      for (const change of changes) {
        const outcome = outcomeOf(change)
        if (outcome !== null) metrics.delivery(outcome)
        const [collection, id] = change.at
        if (collection === unreadableRecords.name && change.kind === 'insert')
          metrics.unreadableBankRecord(`${id}`.split('|')[0] ?? '')
      }
    },
    ended(queue, id, ending) {
      metrics.work(queue, ending)
      if (queue === jobs.name) metrics.job(`${id}`, ending)
    },
  }
}

/** What a commit says of a try to deliver: each is recorded in one change, whoever recorded it. */
const outcomeOf = (change: Change): 'delivered' | 'failed' | 'retried' | null => {
  if (change.kind !== 'patch' || change.at[0] !== deliveries.name) return null
  const { status, attempts } = change.set ?? {}
  // A replay is no try yet.
  if (attempts === 0) return null
  if (status === 'pending') return 'retried'
  return status === 'delivered' || status === 'failed' ? status : null
}
