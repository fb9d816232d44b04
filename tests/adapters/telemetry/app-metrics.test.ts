import test from 'ava'
import { appMetrics } from '../../../adapters/telemetry/app-metrics.ts'
import { StoreUnavailable } from '../../../core/ports/store.ts'

const reading = (text: string, series: string): number | null => {
  const line = text.split('\n').find((each) => each.startsWith(`${series} `))
  return line === undefined ? null : Number(line.slice(series.length + 1))
}

test('counts by app', async (t) => {
  const [pay, estate] = [appMetrics('pay'), appMetrics('estate')]
  pay.request('charges.issue', 201, 0.004)
  pay.request('charges.issue', 201, 0.2)
  pay.request('charges.issue', 422, 0.0001)
  estate.request('none', 404, 0.001)
  pay.commit('ok', 0.003)
  pay.commit('stale', 0.003)
  pay.delivery('retried')
  pay.work('payments.mails', 'done')
  pay.job('sweep', 'failed')
  const [paid, estates] = [await pay.text(), await estate.text()]
  t.is(reading(paid, 'http_requests_total{route="charges.issue",status="201",app="pay"}'), 2)
  t.is(reading(paid, 'http_requests_total{route="charges.issue",status="422",app="pay"}'), 1)
  t.is(reading(paid, 'http_request_duration_seconds_bucket{le="0.005",app="pay",route="charges.issue"}'), 2)
  t.is(reading(paid, 'http_request_duration_seconds_count{app="pay",route="charges.issue"}'), 3)
  t.is(reading(paid, 'store_commits_total{outcome="ok",app="pay"}'), 1)
  t.is(reading(paid, 'store_commits_total{outcome="stale",app="pay"}'), 1)
  t.is(reading(paid, 'store_commit_duration_seconds_count{app="pay"}'), 2)
  t.is(reading(paid, 'deliveries_total{outcome="retried",app="pay"}'), 1)
  t.is(reading(paid, 'work_total{queue="payments.mails",outcome="done",app="pay"}'), 1)
  t.is(reading(paid, 'jobs_total{job="sweep",outcome="failed",app="pay"}'), 1)
  t.is(reading(estates, 'http_requests_total{route="none",status="404",app="estate"}'), 1)
  t.notRegex(estates, /app="pay"/)
  for (const text of [paid, estates]) {
    t.true((reading(text, 'process_resident_memory_bytes') ?? 0) > 0)
    t.not(reading(text, 'nodejs_eventloop_lag_p99_seconds'), null)
    const names = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name)
    t.is(new Set(names).size, names.length)
  }
})

test('reads the queues at every scrape, and leaves them out if the store is unavailable', async (t) => {
  const metrics = appMetrics('pay')
  let isDown = false
  let due = 3
  metrics.watchQueues(async () => {
    if (isDown) throw new StoreUnavailable('down')
    return [{ queue: 'payments.mails', due, oldestSeconds: 7 }]
  })
  const gauge = 'queue_due{queue="payments.mails",app="pay"}'
  t.is(reading(await metrics.text(), gauge), 3)
  due = 0
  t.is(reading(await metrics.text(), gauge), 0)
  t.is(reading(await metrics.text(), 'queue_oldest_seconds{queue="payments.mails",app="pay"}'), 7)
  isDown = true
  const without = await metrics.text()
  t.is(reading(without, gauge), null)
  t.true(without.includes('process_cpu_seconds_total'))
})
