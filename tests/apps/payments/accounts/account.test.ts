import test from 'ava'
import { patch } from '../../../../core/kernel/records/change.ts'
import { always } from '../../../../core/kernel/records/where.ts'
import { accounts } from '../../../../core/payments/accounts/account.ts'
import { memberships } from '../../../../core/payments/members/membership.ts'
import { openTestApi } from '../test-api.ts'

const FOREIGN = { code: 403, success: false, message: 'Conta não pertence ao usuário.', error_code: 'account.foreign' }

test('the active account is shown with its secrets to its ADMIN, by a route that nothing replaces', async (t) => {
  const { ask, merchant } = await openTestApi(t)
  const { token } = await merchant()
  const answer = await ask('GET', '/access/account', { token })
  t.is(answer.status, 200)
  t.is(answer.headers.get('deprecation'), null)
  t.like(answer.body, { code: 200, success: true, message: 'Conta obtida com sucesso.' })
  const account = answer.body.account as Record<string, unknown>
  t.like(account, {
    id: 1,
    name: 'Escola Aurora',
    document: '11222333000181',
    bank: '748',
    status: { code: 2, title: 'Inativa' },
    has_pin: false,
    created_at: '2026-11-23T10:05:09-03:00',
  })
  t.regex(`${account.token}`, /^[A-Za-z0-9]{40}$/)
  t.regex(`${account.webhook_secret}`, /^whsec_[A-Za-z0-9+/]{44}$/)
})

test('nobody but an ADMIN sees the secrets', async (t) => {
  const { ask, merchant, host } = await openTestApi(t)
  const { token } = await merchant()
  for (const roleId of [2, 3, 4, 5]) {
    await host.store.commit([patch(memberships, 1, { set: { roleId }, when: always })])
    const { status, body } = await ask('GET', '/access/account', { token })
    t.is(status, 200)
    t.like(body.account as object, { token: null, webhook_secret: null })
  }
})

test('a foreign account is 403, by either header', async (t) => {
  const { ask, merchant } = await openTestApi(t)
  const { token } = await merchant()
  const joao = await merchant('joao@example.com')
  for (const header of [
    { 'x-account-id': '2' },
    { account: '2' },
    { 'x-account-id': '99' },
    { 'x-account-id': 'x' },
    { 'x-organization-id': joao.uuid },
  ]) {
    const { status, body } = await ask('GET', '/access/account', { token, headers: header as Record<string, string> })
    t.is(status, 403, JSON.stringify(header))
    t.deepEqual(body, FOREIGN)
  }
})

test('an account whose organization was removed is not there', async (t) => {
  const { ask, merchant, host } = await openTestApi(t)
  const { token } = await merchant()
  const set = { removedAt: '2026-11-23T13:05:09.123Z', status: 'DELETED' } as const
  await host.store.commit([patch(accounts, 1, { set, when: always })])
  t.is((await ask('GET', '/access/account', { token })).status, 404)
  t.is((await ask('GET', '/access/account', { token, headers: { 'x-account-id': '1' } })).status, 404)
})
