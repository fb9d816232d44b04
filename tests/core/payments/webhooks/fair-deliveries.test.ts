import test from 'ava'
import { memorySender } from '../../../../adapters/memory/memory-ports.ts'
import { MAX_PER_HOST } from '../../../../core/kernel/running/concurrency.ts'
import { deferred, turn, until } from '../../kernel/running/tasks.ts'
import { running } from './webhook-fixtures.ts'

const HANGING = Array.from({ length: 40 }, (_, index) => `https://h${index}.hangs.test/`)

/** Webhooks of which those to such URLs are not answered before they are let. */
const hanging = (within: string) => {
  const hang = deferred()
  const sender = memorySender()
  const webhooks = {
    post: async (webhook: Parameters<typeof sender.post>[0]) => {
      const answer = await sender.post(webhook)
      if (webhook.url.includes(within)) await hang.promise
      return answer
    },
  }
  return { hang, sender, webhooks }
}

test('40 hosts of one account that never answer do not delay the webhooks of other accounts', async (t) => {
  const { hang, sender, webhooks } = hanging('hangs.test')
  const { worker, reports, happen, stored } = await running([null, 'https://loja.test/'], { webhooks })
  const posted = (host: string) => sender.requests.filter(({ url }) => url.includes(host)).length
  void worker.run()
  for (let events = 0; events < 25; events += 1) await happen(1, { urls: HANGING })
  await until(() => posted('hangs.test') >= 64)
  for (let events = 0; events < 5; events += 1) await happen(2)
  await until(() => posted('loja.test') === 5)
  for (let turns = 0; turns < 50; turns += 1) await turn()
  t.true(posted('hangs.test') <= 64, `half of the places at most, not ${posted('hangs.test')}`)
  hang.resolve()
  for (let turns = 0; turns < 10_000 && posted('hangs.test') < 1_000; turns += 1) await turn()
  await worker.stop()
  const all = await stored()
  t.is(all.length, 1_005)
  t.true(all.every(({ status, attempts }) => status === 'delivered' && attempts === 1))
  t.deepEqual(reports, [])
})

test('a host that two accounts share is called for both, regardless of the queue of one', async (t) => {
  const { hang, sender, webhooks } = hanging('flood')
  const { worker, happen } = await running(['https://platform.test/flood', 'https://platform.test/shop'], { webhooks })
  for (let events = 0; events < 200; events += 1) await happen(1)
  await happen(2)
  void worker.run()
  await until(() => sender.requests.some(({ url }) => url.includes('shop')))
  t.is(sender.requests.filter(({ url }) => url.includes('flood')).length, MAX_PER_HOST)
  hang.resolve()
  await worker.stop()
})
