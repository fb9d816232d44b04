import { join } from 'node:path'
import test from 'ava'
import { memorySender } from '../../../adapters/memory/memory-services.ts'
import { sqliteStore } from '../../../adapters/sqlite/store.ts'
import { watchedStore } from '../../../apps/host/host.ts'
import { openStore } from '../../../apps/host/open-store.ts'
import { buildPayments, payments } from '../../../apps/payments/app.ts'
import { claims } from '../../../core/payments/claim.ts'
import { jobs } from '../../../core/payments/office.ts'
import type { Query } from '../../../core/ports/store.ts'
import { reading } from '../../metrics.ts'
import { openTestApi } from '../payments/test-api.ts'
import { folder } from './disk.ts'

const HOOK = 'https://hooks.example/'
const statuses = [500, 200, 410]

test('the payments app counts commits, delivery attempts, queues and jobs', async (t) => {
  let tries = 0
  const webhooks = memorySender(() => {
    tries += 1
    return { status: statuses[tries - 1] ?? 200, body: '', retryAfterSeconds: null }
  })
  const api = await openTestApi(t, { instead: () => ({ webhooks }) })
  const read = async (series: string) => reading((await api.ask('GET', '/metrics')).text, series)
  const due = (queue: string) => read(`queue_due{queue="${queue}",app="payments"}`)
  const delivered = (outcome: string) => read(`deliveries_total{outcome="${outcome}",app="payments"}`)

  const merchant = await api.merchant()
  t.is(await due('payments.mails'), 1)
  await api.charge(merchant, { webhook: HOOK })
  t.is(await due('payments.events'), 1)
  t.is(await due('payments.deliveries'), 0)
  api.clock.advance(30)
  t.is(await read('queue_oldest_seconds{queue="payments.events",app="payments"}'), 30)

  await api.drain()
  t.is(await due('payments.events'), 0)
  t.is(await delivered('retried'), 1)
  t.is(await delivered('delivered'), null)
  api.clock.advance(30)
  t.is(await due('payments.deliveries'), 1)
  await api.drain()
  t.is(await delivered('delivered'), 1)
  await api.charge(merchant, { webhook: HOOK })
  await api.drain()
  t.is(await delivered('failed'), 1)
  t.is(await read('work_total{queue="payments.deliveries",outcome="done",app="payments"}'), 3)
  t.is(await read('jobs_total{job="sweep",outcome="done",app="payments"}'), 1)
  t.true(((await read('store_commits_total{outcome="ok",app="payments"}')) ?? 0) > 10)
  t.is(await read('http_requests_total{route="charges.issue",status="200",app="payments"}'), 2)

  t.is((await api.ask('POST', '/access/webhook-notifications/1/replay', { token: merchant.token })).status, 200)
  t.is(await due('payments.deliveries'), 1)
  t.is(await delivered('retried'), 1, 'a replay is no attempt yet')
  await api.drain()
  t.is(await delivered('delivered'), 2)
})

test('counts failed commits by outcome', async (t) => {
  let isTaken = false
  const open: typeof openStore = async (url, collections) => {
    const store = await openStore(url, collections)
    const commit: typeof store.commit = async (changes, hooks) => {
      if (!isTaken) return store.commit(changes, hooks)
      isTaken = false
      return { ok: false, conflict: { collection: claims.name, key: 'id' } }
    }
    return { ...store, commit }
  }
  const api = await openTestApi(t, { open })
  isTaken = true
  await api.person()
  const { text } = await api.ask('GET', '/metrics')
  t.regex(text, /store_commits_total\{outcome="conflict",app="payments"\} 1$/m)
})

test('reads and counts the backlog of each queue by an index', async (t) => {
  const store = await sqliteStore(join(await folder(t), 'portico.db'), payments.collections)
  t.teardown(() => store.close())
  const queries: Query[] = []
  const { host } = await openTestApi(t)
  const list: typeof store.list = (query) => {
    queries.push(query)
    return store.list(query)
  }
  const { api } = await buildPayments({ ...host, store: watchedStore({ ...store, list }) })
  queries.length = 0
  const queues = await api.worker.backlogs()
  t.is(queries.length, queues.length)
  for (const query of queries) {
    const plan = await store.explain(query)
    t.notRegex(plan, /SCAN (payments|fake-bank)\./)
    // Jobs are queried by their names.
    if (query.from !== jobs) t.notRegex(plan, /TEMP B-TREE/)
    t.is(plan.match(/USING (COVERING INDEX|INDEX|PRIMARY KEY)/g)?.length, 2, plan)
  }
})
