import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { bankOperations } from '../../../core/payments/bank/operation.ts'
import { jobs } from '../../../core/payments/office.ts'
import { paymentsCollections } from '../../../core/payments/payments.ts'
import type { PaymentsModule } from '../../../core/payments/payments-ports.ts'
import { ROOT } from '../../root.ts'
import { openPayments } from './world.ts'

test('runs every queue and job of the business in the worker of an embedder', async (t) => {
  const { pay, mailer, person } = openPayments()
  const { email } = await person()
  await pay.codes.forgotPassword({ email })()
  const worker = pay.worker()
  t.true((await worker.drain()) > 0)
  t.true(mailer.sent.length > 0 && mailer.sent.every(({ to }) => to === email))
  const queues = (await worker.backlogs()).map(({ queue }) => queue)
  t.is(new Set(queues).size, queues.length)
  for (const queue of ['payments.events', 'payments.deliveries', 'payments.mails', jobs.name])
    t.true(queues.includes(queue), queue)
})

test('resumes every kind of bank operation of the core in the worker', async (t) => {
  const folder = join(ROOT, 'core/payments')
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
  const kinds = sources.flatMap((file) => readFileSync(join(folder, file), 'utf8').match(/\boperationsOf</g) ?? [])
  const queues = (await openPayments().pay.worker().backlogs()).map(({ queue }) => queue)
  t.is(queues.filter((queue) => queue.startsWith(`${bankOperations.name}.`)).length, kinds.length, queues.join())
})

test('creates the records of the jobs in a running worker, which commits wake', async (t) => {
  const { pay, mailer, person, every } = openPayments()
  const worker = pay.worker()
  const running = worker.run()
  t.teardown(worker.stop)
  await worker.prepare()
  const migrations = [
    'step:count-late-payments',
    'step:mask-party-search',
    'step:mask-recipient-search',
    'step:mask-withdrawal-search',
  ]
  const expected = [
    'expire-charges',
    'reconcile-bank',
    'release-split-shares',
    'retention',
    ...migrations,
    'sweep',
    'test-job',
  ]
  t.deepEqual((await every(jobs)).map(({ id }) => id).sort(), expected)
  await pay.codes.forgotPassword(await person())()
  for (let turns = 0; turns < 1_000 && mailer.sent.length === 0; turns += 1)
    await new Promise((resolve) => setImmediate(resolve))
  t.true(mailer.sent.length > 0)
  await worker.stop()
  await running
})

test('rejects a module at compile time whose members are not tasks', (t) => {
  const member = async (_actor: object, id: string) => id
  // @ts-expect-error: the member returns a promise, not a task.
  const module: PaymentsModule = { useCases: () => ({ member }) }
  t.is(typeof module, 'object')
})

test('lists the collections of every room once', (t) => {
  const names = paymentsCollections.map(({ name }) => name)
  t.is(new Set(names).size, names.length)
  t.is(openPayments().pay.collections, paymentsCollections)
})
