import test from 'ava'
import { memoryMessenger } from '../../../adapters/memory/memory-services.ts'
import { always, patch } from '../../../core/kernel/records/record.ts'
import { sweepAll } from '../../../core/kernel/running/jobs.ts'
import { freshOf } from '../../../core/kernel/running/use-case.ts'
import { addSeconds } from '../../../core/kernel/values/day.ts'
import { messagesIn } from '../../../core/office/mail.ts'
import type { Message, Messenger } from '../../../core/ports/messaging.ts'
import { deferred, until } from '../kernel/running/tasks.ts'
import { COMPANY, OTHER_COMPANY, openEstate, START } from './estate.ts'

const { messages, enqueue: queued, part } = messagesIn('estate')

const LIFE_SECONDS = 3_600
const MESSAGE: Message = { id: 'e-1|sms', channel: 'sms', to: '11 99999-0000', text: 'Sua visita é hoje.' }

const messageFixtures = async (messenger: Messenger) => {
  const { ports, every, workerOf, ...here } = openEstate(part.collections)
  const queue = () => {
    const expiresAt = addSeconds(START, LIFE_SECONDS)
    return ports.store.commit([queued(ports.cipher, freshOf(ports).fresh, { ...MESSAGE, expiresAt })])
  }
  await queue()
  const worker = workerOf(ports.store, ...part.queues({ ...ports, messenger }))
  return { ...here, ports, worker, queue, every: () => every(messages) }
}

test('sends a message once, and queues no second one with its id', async (t) => {
  const messenger = memoryMessenger()
  const { worker, every, queue, reports } = await messageFixtures(messenger)
  t.is(messages.name, 'estate.messages')
  t.false(JSON.stringify(await every()).includes(MESSAGE.text))
  t.like(await queue(), { ok: false, conflict: { key: 'id' } })
  await worker.drain()
  t.deepEqual(messenger.sent, [MESSAGE])
  t.is(await worker.drain(), 0)
  t.like((await queue()) as object, { ok: false })
  t.deepEqual(reports, [])
})

test('does not send an expired message, and the sweep deletes it', async (t) => {
  const messenger = memoryMessenger()
  const { worker, every, ports, clock, reports } = await messageFixtures(messenger)
  clock.advance(LIFE_SECONDS)
  await worker.drain()
  t.deepEqual(messenger.sent, [])
  t.like((await every())[0], { dueAt: null })
  const slice = { steady: clock.steady(), cursor: null, report: (error: unknown) => reports.push(error) }
  t.is(await sweepAll(ports.store, part.sweeps, slice), null)
  t.deepEqual([await every(), reports], [[], []])
})

test('does not send a message whose seal is broken', async (t) => {
  const messenger = memoryMessenger()
  const { worker, every, ports, reports } = await messageFixtures(messenger)
  await ports.store.commit([patch(messages, MESSAGE.id, { set: { textSealed: 'v1.broken' }, when: always })])
  await worker.drain()
  t.deepEqual(messenger.sent, [])
  t.is((await every())[0]?.dueAt, addSeconds(START, 30))
  t.is(reports.length, 1)
})

test("a tenant's hanging messages do not delay those of another", async (t) => {
  const { ports, workerOf } = openEstate(part.collections)
  const hang = deferred()
  const sent: string[] = []
  const messenger: Messenger = {
    send: async ({ to }) => {
      sent.push(to)
      if (to === 'tarpit') await hang.promise
    },
  }
  const expiresAt = addSeconds(START, LIFE_SECONDS)
  const { fresh } = freshOf(ports)
  const queue = (id: string, tenantId: string, to: string) =>
    ports.store.commit([queued(ports.cipher, fresh, { ...MESSAGE, id, tenantId, to, expiresAt })])
  for (let count = 0; count < 100; count += 1) await queue(`a${count}`, COMPANY, 'tarpit')
  await queue('b', OTHER_COMPANY, '+5511988880000')
  const worker = workerOf(ports.store, ...part.queues({ ...ports, messenger }))
  const done = worker.drain()
  await until(() => sent.includes('+5511988880000'))
  t.true(sent.length <= 5, `${sent.length}`)
  hang.resolve()
  t.is(await done, 101)
})
