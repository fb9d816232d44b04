import test, { type ExecutionContext } from 'ava'
import type { Host } from '../../../apps/host/host.ts'
import { always, insert, patch } from '../../../core/kernel/records/record.ts'
import { freshOf } from '../../../core/kernel/running/use-case.ts'
import { accounts } from '../../../core/payments/accounts/account.ts'
import { notifyAdmins } from '../../../core/payments/events.ts'
import { notifications } from '../../../core/payments/inbox/inbox.ts'
import type { PaymentsPorts } from '../../../core/payments/payments-ports.ts'
import { deliveries } from '../../../core/payments/webhooks/deliveries.ts'
import { PASSWORD } from '../../core/payments/world.ts'
import { type Merchant, openMerchant, statusAndMessage } from './test-api.ts'

const LIST = '/access/auth/notifications'

const open = async (t: ExecutionContext, paid = 1, instead: (host: Host) => Partial<PaymentsPorts> = () => ({})) => {
  const { api, merchant } = await openMerchant(t, { instead })
  const pay = async (whose: Merchant, count: number): Promise<void> => {
    for (let number = 0; number < count; number += 1) {
      await api.paid(whose, { value: 10.5 })
      api.clock.advance(1)
    }
    await api.drain()
  }
  await pay(merchant, paid)
  const ask = (method: string, rest = '', token = merchant.token) => api.ask(method, `${LIST}${rest}`, { token })
  return { ...api, owner: merchant, payTo: pay, ask, api }
}

test('lists and counts unread notifications, and marks one or all as read', async (t) => {
  const { ask, clock, api } = await open(t, 3)
  await api.drain()
  t.deepEqual((await ask('GET', '/unread-count')).body, { unread_count: 3 })
  const [newest] = (await ask('GET', '/unread?per_page=1')).body.data
  const read = await ask('PUT', `/${newest.id}/read`)
  t.is(read.body.message, 'Notificação marcada como lida')
  t.not(read.body.notification.read_at, null)
  clock.advance(60)
  t.deepEqual((await ask('PUT', `/${newest.id}/read`)).body, read.body)
  const unread = await ask('GET', '/unread')
  t.deepEqual(Object.keys(unread.body), ['code', 'success', 'data', 'meta', 'message'])
  t.is(unread.body.meta.total, 2)
  t.is((await ask('GET', '?unread_only=true')).body.meta.total, 2)
  t.is((await ask('GET')).body.meta.total, 3)
  const all = await ask('PUT', '/mark-all-read')
  t.deepEqual(all.body, { message: 'Todas as notificações foram marcadas como lidas', unread_count: 0 })
  t.deepEqual((await ask('GET', '/unread-count')).body, { unread_count: 0 })
})

test('removes one notification, or all that are read', async (t) => {
  const { ask } = await open(t, 3)
  const [first, second] = (await ask('GET')).body.data
  t.deepEqual((await ask('DELETE', `/${first.id}`)).body, { message: 'Notificação deletada com sucesso' })
  t.deepEqual(statusAndMessage(await ask('DELETE', `/${first.id}`)), [404, 'Notificação não encontrada.'])
  await ask('PUT', `/${second.id}/read`)
  t.deepEqual((await ask('DELETE', '/read/all')).body, {
    message: 'Notificações lidas deletadas com sucesso',
    deleted_count: 1,
  })
  t.is((await ask('GET')).body.meta.total, 1)
})

test('marks and removes any number of notifications in slices, and returns 503 under constant conflicts', async (t) => {
  let isBusy = false
  const { ask, api } = await open(t, 1, ({ store }) => ({
    store: {
      ...store,
      commit: async (changes, hooks) => {
        const at = changes.find(({ at: [name] }) => name === notifications.name)?.at
        return isBusy && at ? { ok: false, stale: at } : store.commit(changes, hooks)
      },
    },
  }))
  const [one] = await api.every(notifications)
  if (!one) return t.fail()
  const more = Array.from({ length: 1_200 }, (_, index) => insert(notifications, { ...one, id: `n${index}` }))
  await api.host.store.commit(more.slice(0, 600))
  await api.host.store.commit(more.slice(600))
  isBusy = true
  t.is((await ask('PUT', '/mark-all-read')).status, 503)
  isBusy = false
  t.is((await ask('PUT', '/mark-all-read')).body.unread_count, 0)
  t.true((await api.every(notifications)).every(({ readAt }) => readAt !== null))
  t.is((await ask('DELETE', '/read/all')).body.deleted_count, 1_201)
  t.deepEqual(await api.every(notifications), [])
})

test('separates the notifications of the members of an account, strangers and programs', async (t) => {
  const { ask, api, owner, payTo } = await open(t, 0)
  const person = { name: 'João', email: 'joao@example.com', password: PASSWORD, password_confirmation: PASSWORD }
  await api.ask('POST', '/v1/users', { token: owner.token, body: person })
  const bot = { name: 'Robô', email: 'bot@example.com', document: '11144477735' }
  await api.ask('POST', '/access/manager/api-tokens', { token: owner.token, body: bot })
  await payTo(owner, 1)
  const login = await api.ask('POST', '/v1/auth/login', { body: { email: person.email, password: PASSWORD } })
  const joao = login.body.data.access_token
  t.is((await ask('GET', '', joao)).body.meta.total, 1)
  const [mine] = (await ask('GET')).body.data
  t.is((await ask('PUT', `/${mine.id}/read`, joao)).status, 404)
  await ask('PUT', '/mark-all-read', joao)
  t.deepEqual((await ask('GET', '/unread-count')).body, { unread_count: 1 })
  const stranger = await api.person('estranha@example.com')
  t.is((await ask('GET', '', stranger)).body.meta.total, 0)
  const totals = []
  for (const token of [owner.token, joao]) totals.push((await ask('GET', '', token)).body.meta.total)
  t.deepEqual(totals, [1, 1])
  // João is no ADMIN, and this event reaches no webhook.
  const data = { kind: 'pix', id: 'E1' }
  api.clock.advance(1)
  await api.host.store.commit([
    patch(accounts, owner.id, { set: { webhookUrl: 'https://loja.example/webhooks' }, when: always }),
    notifyAdmins(freshOf(api.host).fresh, owner.id, 'bank.unreadable', data),
  ])
  await api.drain()
  t.is((await ask('GET', '', joao)).body.meta.total, 1)
  const [newest] = (await ask('GET')).body.data
  t.deepEqual(newest.data, { account_id: owner.id, ...data })
  t.deepEqual(await api.every(deliveries), [])
})
