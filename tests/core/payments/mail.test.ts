import test from 'ava'
import { memoryMailer, memoryTenantMailer } from '../../../adapters/memory/memory-services.ts'
import { always, insert, patch } from '../../../core/kernel/records/record.ts'
import { text } from '../../../core/office/mail.ts'
import { accounts, sealedSmtpPassword } from '../../../core/payments/accounts/account.ts'
import { notifications } from '../../../core/payments/inbox/inbox.ts'
import { memberships } from '../../../core/payments/members/membership.ts'
import { queueMail } from '../../../core/payments/office.ts'
import type { TenantMailer } from '../../../core/ports/messaging.ts'
import { listOf } from '../../../core/ports/store.ts'
import { deferred, until } from '../kernel/running/tasks.ts'
import { aMembership } from './records.ts'
import { freshIn, installation, openAccount, processOf, START } from './webhooks/webhook-fixtures.ts'

const mailFixtures = async (mailer: Mailer) => {
  const base = { ...installation(), mailer }
  const process = processOf(base, { sweeps: [sweepOf(mails)] })
  await process.ports.store.commit([
    queueMail(process.ports.cipher, freshIn(process.ports), {
      to: 'maria@example.com',
      subject: 'Código de verificação',
      blocks: [text('Seu código é'), code('123456')],
    }),
  ])
  const only = async () => {
    const { records } = await base.store.list(listOf(mails, { where: always, limit: 2 }))
    const [mail, ...more] = records
    if (!mail || more.length > 0) throw new Error('not one mail')
    return mail
  }
  return { ...base, ...process, only }
}

/** A mailer that fails a number of times. */
const failingMailer = (failures: number) => {
  const tried: Mail[] = []
  const mailer: Mailer = {
    send: async (mail) => {
      tried.push(mail)
      if (tried.length <= failures) throw new Error('no connection')
    },
  }
  return { mailer, tried }
}

test('sends a mail once, with its sealed text', async (t) => {
  const mailer = memoryMailer()
  const { worker, only, reports } = await mailFixtures(mailer)
  t.false((await only()).letterSealed.includes('123456'))
  await worker.drain()
  const { id, dueAt } = await only()
  t.is(mailer.sent.length, 1)
  t.like(mailer.sent[0], {
    id,
    to: 'maria@example.com',
    subject: 'Código de verificação',
    text: 'Seu código é\n\n123456',
  })
  t.true(mailer.sent[0]?.html?.includes('123456'))
  t.is(dueAt, null)
  t.is(await worker.drain(), 0)
  t.deepEqual(reports, [])
})

test('sends other mails while the server of one account does not answer', async (t) => {
  const hanging = deferred()
  const reached: string[] = []
  const mailer: Mailer = {
    send: async ({ to }) => {
      reached.push(to)
      if (to === 'tarpit@example.com') await hanging.promise
    },
  }
  const { ports, worker } = await mailFixtures(mailer)
  const mail = (to: string, accountId: number | null) =>
    queueMail(ports.cipher, freshIn(ports), { to, accountId, subject: 'Cobrança', blocks: [text('Olá')] })
  const stuck = Array.from({ length: 100 }, () => mail('tarpit@example.com', 7))
  await ports.store.commit([...stuck, mail('other@example.com', 8), mail('code@example.com', null)])
  void worker.run()
  await until(() => reached.includes('other@example.com') && reached.includes('code@example.com'))
  t.is(reached.filter((to) => to === 'tarpit@example.com').length, MAX_PER_HOST)
  hanging.resolve()
  await until(() => reached.length === 103)
  await worker.stop()
})

test('retries a failed mail with the same id after growing waits, and reports it', async (t) => {
  const { mailer, tried } = failingMailer(2)
  const { worker, only, clock, reports } = await mailFixtures(mailer)
  await worker.drain()
  t.like(await only(), { attempts: 1, dueAt: addSeconds(START, 30) })
  clock.advance(30)
  await worker.drain()
  t.like(await only(), { attempts: 2, dueAt: addSeconds(START, 150) })
  clock.advance(120)
  await worker.drain()
  t.like(await only(), { attempts: 3, dueAt: null })
  t.is(new Set(tried.map(({ id }) => id)).size, 1)
  t.is(reports.length, 2)
  t.false(JSON.stringify(reports.map(([error]) => String(error))).includes('123456'))
})

test('stops retrying a mail after about a day', async (t) => {
  const { mailer, tried } = failingMailer(Number.POSITIVE_INFINITY)
  const { worker, only, clock } = await mailFixtures(mailer)
  await worker.drain()
  for (let { dueAt } = await only(); dueAt !== null; { dueAt } = await only()) {
    clock.set(dueAt)
    await worker.drain()
  }
  t.is(tried.length, RETRY_DELAYS_SECONDS.length + 1)
  const hours = (Date.parse(clock.now()) - Date.parse(START)) / 3_600_000
  t.true(hours > 22 && hours < 26)
})

test('increases the waits', (t) => {
  t.deepEqual(
    RETRY_DELAYS_SECONDS,
    RETRY_DELAYS_SECONDS.toSorted((a, b) => a - b),
  )
  t.is(nextAttemptAt(RETRY_DELAYS_SECONDS.length + 1, START), null)
})

test('does not send a mail that expired while sending failed', async (t) => {
  const mailer = memoryMailer()
  const { worker, only, clock } = await mailFixtures(mailer)
  clock.advance(MAIL_LIFE_SECONDS)
  await worker.drain()
  t.deepEqual(mailer.sent, [])
  t.is((await only()).dueAt, null)
})

test('never sends a mail that cannot be unsealed', async (t) => {
  const mailer = memoryMailer()
  const { worker, only, store, reports } = await mailFixtures(mailer)
  const { id } = await only()
  await store.commit([patch(mails, id, { set: { letterSealed: 'v1.broken' }, when: always })])
  await worker.drain()
  t.deepEqual(mailer.sent, [])
  t.is((await only()).dueAt, addSeconds(START, 30))
  t.is(reports.length, 1)
})

test('removes expired mails in the sweep', async (t) => {
  const { worker, prepare, clock, store } = await mailFixtures(memoryMailer())
  const count = async () => (await store.list(listOf(mails, { where: always, limit: 9 }))).records.length
  await prepare()
  await worker.drain()
  clock.advance(MAIL_LIFE_SECONDS - 1)
  await worker.drain()
  t.is(await count(), 1)
  clock.advance(61)
  await worker.drain()
  t.is(await count(), 0)
})

const SERVER = {
  host: 'smtp.loja.example',
  port: 587,
  user: 'loja',
  encryption: 'tls',
  fromName: 'Loja',
  fromAddress: 'contato@loja.example',
} as const

const mailingAs = async (tenantMailer: TenantMailer) => {
  const mailer = memoryMailer()
  const base = { ...installation(), mailer, tenantMailer }
  const process = processOf(base)
  const { ports, worker } = process
  await openAccount(ports, 1, { logoFileId: 'logo-1' })
  const smtp = { ...SERVER, passwordSealed: sealedSmtpPassword(ports.cipher, 1, 'segredo') }
  await ports.store.commit([patch(accounts, 1, { set: { smtp }, when: always })])
  await ports.store.commit([insert(memberships, aMembership({ userId: 7 }))])
  let count = 0
  return {
    ...base,
    worker,
    post: async (accountId: number | null) => {
      count += 1
      const mail = { to: `cliente${count}@example.com`, accountId, subject: 'Olá', blocks: [text('Oi')] }
      await ports.store.commit([queueMail(ports.cipher, freshIn(ports), mail)])
      await worker.drain()
    },
    told: async () => (await base.store.list(listOf(notifications, { where: always, limit: 10 }))).records,
  }
}

test('sends an account’s mails by its own server and in its name, and Portico’s by ours', async (t) => {
  const tenantMailer = memoryTenantMailer()
  const { post, mailer } = await mailingAs(tenantMailer)
  await post(1)
  t.deepEqual(mailer.sent, [])
  t.deepEqual(tenantMailer.sent[0]?.server, { ...SERVER, password: 'segredo' })
  t.true(tenantMailer.sent[0]?.mail.html?.includes('/storage/logos/logo-1'))
  t.deepEqual(tenantMailer.sent[0]?.mail.inNameOf, { name: 'Loja', replyTo: null })
  await post(null)
  t.is(mailer.sent[0]?.inNameOf, undefined)
  t.is(tenantMailer.sent.length, 1)
  t.true(mailer.sent[0]?.html?.includes('Portico'))
})

test('sends by our server if the account’s fails, and notifies its team once a day', async (t) => {
  const tenantMailer: TenantMailer = { send: () => Promise.reject(new Error('535 5.7.8 Bad\u0000 credentials')) }
  const { post, mailer, told, clock } = await mailingAs(tenantMailer)
  await post(1)
  await post(1)
  t.is(mailer.sent.length, 2)
  const [only, ...more] = await told()
  t.is(more.length, 0)
  t.like(only, { userId: 7, accountId: 1, type: 'smtp.failed' })
  t.deepEqual(JSON.parse(only?.data ?? ''), { host: 'smtp.loja.example', reason: '535 5.7.8 Bad  credentials' })
  clock.advance(24 * 3_600)
  await post(1)
  t.is((await told()).length, 2)
})
