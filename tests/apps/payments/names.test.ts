import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'ava'
import PostalMime from 'postal-mime'
import { outboxMailer } from '../../../adapters/messaging/outbox.ts'
import { always, patch } from '../../../core/kernel/records/record.ts'
import { accounts } from '../../../core/payments/accounts/account.ts'
import { clients } from '../../../core/payments/customers/client.ts'
import { users } from '../../../core/payments/members/user.ts'
import { PIN } from '../../core/payments/world.ts'
import { MARIA, openMerchant, PASSWORD } from './test-api.ts'

test('shows a multi-line name of an earlier release, changes its other fields, and folds it into one e-mail header', async (t) => {
  const { ask, merchant, token, host, drain, charge, mailer, setPin } = await openMerchant(t)
  const { id } = merchant
  await setPin({ token })
  const { user: me } = (await ask('GET', '/v1/auth/me', { token })).body
  const { client } = (await ask('POST', '/v1/clients', { token, body: { name: 'Ana' } })).body
  const old = 'Escola\nBcc: eva@example.com\u202e'
  const named = { set: { name: old }, when: always }
  await host.store.commit([patch(accounts, id, named), patch(users, me.id, named), patch(clients, client.id, named)])
  t.is((await ask('GET', '/v1/auth/me', { token })).body.user.name, old)
  t.is(
    (await ask('PUT', '/access/auth/edit', { token, body: { current_password: PASSWORD, phone: '1' } })).body.user.name,
    old,
  )
  t.is((await ask('PUT', `/v1/organizations/${id}`, { token, body: { email: 'a@b.co' } })).body.organization.name, old)
  t.is((await ask('PUT', `/v1/clients/${client.id}`, { token, body: { phone: '1' } })).body.client.name, old)
  const rules = { on_creation: { enabled: true } }
  const changed = await ask('PUT', '/access/account', { token, body: { pin: PIN, notification_rules: rules } })
  t.deepEqual([changed.status, changed.body.account.name], [200, old])

  await drain()
  mailer.sent.length = 0
  await charge(merchant)
  await drain()
  const [mail] = mailer.sent
  t.is(mail?.subject, `Nova cobrança de ${old}`)
  const directory = join(host.settings.DATA_DIR, 'read')
  if (mail) await outboxMailer({ directory, from: 'no-reply@portico.example' }).send(mail)
  const [file = ''] = await readdir(directory)
  const parsed = await PostalMime.parse(await readFile(join(directory, file)))
  t.deepEqual([parsed.bcc, parsed.cc, parsed.to?.map(({ address }) => address)], [undefined, undefined, [MARIA.email]])
  t.is(parsed.headers.filter(({ key }) => key === 'bcc').length, 0)
})
