import test from 'ava'
import { memoryStore } from '../../../adapters/memory/memory-store.ts'
import { appMetrics, type CommitEnding, measuredStore } from '../../../adapters/telemetry/metrics.ts'
import { eq, insert, patch } from '../../../core/kernel/records/record.ts'
import { StoreUnavailable } from '../../../core/ports/store.ts'
import { START, type Task, tasks } from '../../core/kernel/running/tasks.ts'
import { reading } from '../../metrics.ts'

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

const task: Task = { id: 1, host: 'a', owner: 'a', dueAt: START, attempts: 0, doneBy: null }

test('reports each commit once, with its outcome and changes', async (t) => {
  const plain = memoryStore([tasks])
  const reported: [CommitEnding, number][] = []
  const store = measuredStore(plain, (ending, seconds, changes) => {
    t.true(seconds >= 0 && seconds < 60)
    reported.push([ending, changes.length])
  })
  t.true((await store.commit([insert(tasks, task), insert(tasks, { ...task, id: 2 })])).ok)
  t.false((await store.commit([insert(tasks, task)])).ok)
  t.false((await store.commit([patch(tasks, 1, { set: { host: 'b' }, when: eq('host', 'x') })])).ok)
  await t.throwsAsync(store.commit([{ kind: 'insert', at: ['test.tasks', 3], record: { id: 3 } }]))
  await store.close()
  await t.throwsAsync(store.commit([insert(tasks, task)]), { instanceOf: StoreUnavailable })
  t.deepEqual(reported, [
    ['ok', 2],
    ['conflict', 1],
    ['stale', 1],
    ['error', 1],
    ['unavailable', 1],
  ])
})
