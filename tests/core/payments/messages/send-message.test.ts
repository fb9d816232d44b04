import test from 'ava'
import { memoryMessenger } from '../../../../adapters/messages/memory-messenger.ts'
import { patch } from '../../../../core/kernel/records/change.ts'
import { always } from '../../../../core/kernel/records/where.ts'
import { sweepOf } from '../../../../core/kernel/running/sweep.ts'
import { plusSeconds } from '../../../../core/kernel/values/day.ts'
import { messages, queueMessage } from '../../../../core/payments/messages/message.ts'
import type { Message, Messenger } from '../../../../core/ports/messenger.ts'
import { listOf } from '../../../../core/ports/store.ts'
import { freshIn, installation, processOf, START } from '../webhooks/webhook-fixtures.ts'

const LIFE_SECONDS = 3_600
const MESSAGE: Message = { id: 'e-1|sms', channel: 'sms', to: '11 99999-0000', text: 'Vence hoje.' }

const messageFixtures = async (messenger: Messenger) => {
  const base = installation({ messenger })
  const process = processOf(base, { sweeps: [sweepOf(messages)] })
  const queue = () => {
    const expiresAt = plusSeconds(START, LIFE_SECONDS)
    return base.store.commit([queueMessage(process.ports.cipher, freshIn(process.ports), { ...MESSAGE, expiresAt })])
  }
  await queue()
  const every = async () => (await base.store.list(listOf(messages, { where: always, limit: 9 }))).records
  return { ...base, ...process, queue, every }
}

/** A messenger that fails so many times. */
const failingMessenger = (failures: number) => {
  const tried: Message[] = []
  const messenger: Messenger = {
    send: async (message) => {
      tried.push(message)
      if (tried.length <= failures) throw new Error('no connection')
    },
  }
  return { messenger, tried }
}

test('a message is sent once, as it was sealed; one of the same id is none', async (t) => {
  const messenger = memoryMessenger()
  const { worker, every, queue, reports } = await messageFixtures(messenger)
  t.false(JSON.stringify(await every()).includes(MESSAGE.text))
  t.like(await queue(), { ok: false, conflict: { key: 'id' } })
  await worker.drain()
  t.deepEqual(messenger.sent, [MESSAGE])
  t.is(await worker.drain(), 0)
  t.like((await queue()) as object, { ok: false })
  t.deepEqual(reports, [])
})

test('what was not taken is tried again after growing waits, as the same message', async (t) => {
  const { messenger, tried } = failingMessenger(2)
  const { worker, every, clock, reports } = await messageFixtures(messenger)
  await worker.drain()
  t.like((await every())[0], { attempts: 1, dueAt: plusSeconds(START, 30) })
  clock.advance(30)
  await worker.drain()
  t.like((await every())[0], { attempts: 2, dueAt: plusSeconds(START, 150) })
  clock.advance(120)
  await worker.drain()
  t.like((await every())[0], { attempts: 3, dueAt: null })
  t.deepEqual(tried, [MESSAGE, MESSAGE, MESSAGE])
  t.is(reports.length, 2)
})

test('what ran out while nobody could send it is not sent, and forgotten by the sweep', async (t) => {
  const messenger = memoryMessenger()
  const { worker, prepare, every, clock } = await messageFixtures(messenger)
  clock.advance(LIFE_SECONDS)
  await worker.drain()
  t.deepEqual(messenger.sent, [])
  t.like((await every())[0], { dueAt: null })
  await prepare()
  clock.advance(60)
  await worker.drain()
  t.deepEqual(await every(), [])
})

test('a message that does not open is never sent', async (t) => {
  const messenger = memoryMessenger()
  const { worker, every, store, reports } = await messageFixtures(messenger)
  await store.commit([patch(messages, MESSAGE.id, { set: { textSealed: 'v1.broken' }, when: always })])
  await worker.drain()
  t.deepEqual(messenger.sent, [])
  t.is((await every())[0]?.dueAt, plusSeconds(START, 30))
  t.is(reports.length, 1)
})
