import test from 'ava'
import { memorySender } from '../../../../adapters/memory/memory-ports.ts'
import { MAX_PER_HOST } from '../../../../core/kernel/running/concurrency.ts'
import { worker } from '../../../../core/kernel/running/worker.ts'
import { outbox } from '../../../../core/payments/events.ts'
import { DELIVERY_LEASE_SECONDS } from '../../../../core/payments/webhooks/deliver.ts'
import { webhookSubscriber } from '../../../../core/payments/webhooks/subscriber.ts'
import { turn } from '../../kernel/running/tasks.ts'
import {
  deliveriesIn,
  happen,
  installation,
  mortal,
  openAccount,
  portsOf,
  processOf,
  running,
} from './webhook-fixtures.ts'

test('two processes post each of 200 deliveries once', async (t) => {
  const installed = installation({ webhooks: memorySender() })
  const requests: string[] = []
  const calls = new Map<string, number>()
  let most = 0
  const webhooks = {
    post: async ({ url, headers }: { url: string; headers: Readonly<Record<string, string>> }) => {
      const { host } = new URL(url)
      calls.set(host, (calls.get(host) ?? 0) + 1)
      most = Math.max(most, calls.get(host) ?? 0)
      requests.push(`${url} ${headers['webhook-id']}`)
      await turn()
      calls.set(host, (calls.get(host) ?? 0) - 1)
      return { status: 200, body: '', retryAfterSeconds: null }
    },
  }
  const processes = [1, 2].map(() => processOf({ ...installed, webhooks }))
  const ports = portsOf(installed)
  await openAccount(ports, 1, { webhookUrl: 'https://um.test/' })
  await openAccount(ports, 2, { webhookUrl: 'https://dois.test/' })
  for (let event = 0; event < 100; event += 1)
    await happen(ports, { accountId: 1 + (event % 2), urls: ['https://charge.test/'] })
  const fansOutOnly = worker({
    runtime: ports,
    queues: [outbox.queue(ports, [webhookSubscriber])],
    report: (error) => t.fail(String(error)),
  })
  t.is(await fansOutOnly.drain(), 100)
  const counts = await Promise.all(processes.map((process) => process.worker.drain()))
  t.true(counts.every((count) => count > 0) && counts.reduce((sum, count) => sum + count) === 200)
  t.is(requests.length, 200)
  t.is(new Set(requests).size, 200)
  t.true(
    (await deliveriesIn(installed.store)).every(({ status, attempts }) => status === 'delivered' && attempts === 1),
  )
  // Of two processes, for two accounts.
  t.true(most <= 2 * 2 * MAX_PER_HOST)
  t.deepEqual(
    processes.flatMap(({ reports }) => reports),
    [],
  )
})

for (const when of ['before', 'after'] as const) {
  test(`a process that dies in any commit, ${when} it is durable, leaves what the next one finishes`, async (t) => {
    for (let diesAt = 1; ; diesAt += 1) {
      const webhooks = memorySender()
      const { installed, happen, stored, events } = await running(['https://conta.test/'], { webhooks })
      for (const id of [1, 2, 3])
        await happen(1, { urls: ['https://charge.test/', 'https://conta.test/'], data: { id } })

      const { store, state } = mortal(installed.store, diesAt, when)
      await processOf({ ...installed, store })
        .worker.drain()
        .catch(() => {})
      const next = processOf(installed)
      await next.worker.drain()
      installed.clock.advance(DELIVERY_LEASE_SECONDS)
      await next.worker.drain()

      const where = `died at commit ${diesAt}`
      const made = await stored()
      t.is(made.length, 6, where)
      const isDelivered = made.every(({ status, dueAt }) => status === 'delivered' && dueAt === null)
      const isEnded = (await events()).every(({ dueAt }) => dueAt === null)
      t.true(isDelivered && isEnded, where)
      // At least once: a duplicate has the id of the first.
      const posted = webhooks.requests.map(({ headers }) => headers['webhook-id'])
      t.deepEqual([...new Set(posted)].sort(), made.map(({ webhookId }) => webhookId).sort(), where)
      t.true(posted.length <= made.length + MAX_PER_HOST * 2, where)
      t.deepEqual(next.reports, [], where)
      if (!state.isDead) {
        // 3 claims and fan-outs of events, 6 claims and outcomes of deliveries.
        t.is(state.commits, 18)
        t.is(posted.length, 6)
        return
      }
    }
  })
}
