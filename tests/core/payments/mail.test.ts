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
import { aMembership } from './records.ts'
import { freshIn, installation, openAccount, processOf } from './webhooks/webhook-fixtures.ts'

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
