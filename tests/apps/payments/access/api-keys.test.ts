import test from 'ava'
import { digest } from '../../../../adapters/crypto/cipher.ts'
import { always, patch } from '../../../../core/kernel/records/record.ts'
import { checksum, MAX_LIVING_KEYS, namedKeys } from '../../../../core/payments/access/named-key.ts'
import { memberships } from '../../../../core/payments/members/membership.ts'
import { audit } from '../../../../core/payments/office.ts'
import { byId } from '../../../../core/ports/store.ts'
import { confirmPassword } from '../given/basics.ts'
import { failure, openMerchant, openTestApi, PASSWORD, pluck, worked, wrongFields } from '../test-api.ts'

const KEYS = '/v1/api-keys'
const SHOP = { name: 'Loja', permissions: ['clients:read', 'charges:read'] }
const WRONG = [401, 'token.invalid'] as const

const open = async (...[t, options]: Parameters<typeof openMerchant>) => {
  const shop = await openMerchant(t, { ...options, env: { TRUST_PROXY: 'true', ...options?.env } })
  const { api, token } = shop
  await confirmPassword(api, token, PASSWORD)
  return {
    ...shop,
    create: async (more: object = {}) =>
      worked(await api.ask('POST', KEYS, { token, body: { ...SHOP, ...more } })).api_key,
    use: (key: string, { path = '/v1/clients', from = '203.0.113.7', at = api } = {}) =>
      at.ask('GET', path, { token: key, headers: { 'x-forwarded-for': from } }),
    shown: async (id: number) => worked(await api.ask('GET', `${KEYS}/${id}`, { token })).api_key,
  }
}

test('creates a key that is shown once, and acts with no more than its permissions', async (t) => {
  const { api, token, use } = await open(t)
  const headers = { 'idempotency-key': 'k' }
  const make = () => api.ask('POST', KEYS, { token, body: SHOP, headers })
  const { key, ...shown } = worked(await make()).api_key
  const [, secret = '', sum] = /^portico_test_(\w{36})(\w{6})$/.exec(key) ?? []
  t.deepEqual([sum, shown.ending], [checksum(secret), key.slice(-4)])
  t.is(worked(await make()).api_key.key, key)
  for (const path of [KEYS, `${KEYS}/${shown.id}`, '/v1/account/audit'])
    t.false((await api.ask('GET', path, { token })).text.includes(key), path)
  t.false(JSON.stringify(await api.everything()).includes(secret))
  worked(await use(key))
  t.deepEqual(worked(await use(key, { path: '/access/auth/me' })).permissions, [...SHOP.permissions])
  const statusOf = async (method: string, path: string, body?: object) =>
    (await api.ask(method, path, { token: key, ...(body && { body }) })).status
  t.is(await statusOf('POST', '/v1/clients', { name: 'Ana' }), 403)
  const other = await api.merchant('rui@example.com')
  t.is((await api.ask('GET', '/v1/clients', { token: key, headers: { 'x-account-id': `${other.id}` } })).status, 404)
  worked(await use(key))
})

test('rejects a key from the next request on once it is revoked, in every process of the store', async (t) => {
  const { api, token, create, use, shown, host } = await open(t)
  const second = await openTestApi(t, { env: { STORE_URL: host.settings.STORE_URL } })
  const { id, key } = await create()
  worked(await use(key))
  worked(await use(key, { at: second }))
  worked(await api.ask('DELETE', `${KEYS}/${id}`, { token }))
  for (const at of [second, api]) t.deepEqual(failure(await use(key, { at })), [401, 'api-key.revoked'])
  const revoked = await shown(id)
  t.is(revoked.status, 'revoked')
  t.deepEqual(worked(await api.ask('DELETE', `${KEYS}/${id}`, { token })).api_key, revoked)
  const trail = worked(await api.ask('GET', '/v1/account/audit?action=api-key.revoked', { token })).audit
  t.deepEqual(pluck(trail, 'subject'), [`api-key:${id}`])
  t.deepEqual(failure(await api.ask('PATCH', `${KEYS}/${id}`, { token, body: { name: 'x' } })), [409, 'api-key.ended'])
})

test('a key loses a permission with the role of its maker, and works no more once its maker leaves', async (t) => {
  const { api, merchant, create, use } = await open(t)
  const { key } = await create({ permissions: ['clients:write', 'withdrawals:write', 'charges:read'] })
  const permissions = async () => worked(await use(key, { path: '/v1/account/access' })).access.permissions
  t.deepEqual([...(await permissions())].sort(), ['charges:read', 'clients:write', 'withdrawals:write'])
  await api.setRole(merchant, 3)
  t.deepEqual([...(await permissions())].sort(), ['charges:read', 'clients:write'])
  await api.setRole(merchant, 4)
  t.deepEqual(await permissions(), ['charges:read'])
  const [membership] = await api.every(memberships)
  await api.host.store.commit([patch(memberships, membership?.id ?? 0, { set: { status: 0 }, when: always })])
  t.deepEqual(failure(await use(key)), [401, 'api-key.revoked'])
})

test('a key works until it expires and from its networks only; a wrong key is an unknown one', async (t) => {
  const { api, create, use, shown, host } = await open(t)
  const expires_at = '2026-11-23T10:06:09-03:00'
  const { key, id } = await create({ expires_at, addresses: ['10.0.0.0/8', '::ffff:192.0.2.7', '2001:db8::/32'] })
  const inside = [
    '10.255.0.1',
    '::ffff:10.0.0.1',
    '::FFFF:a00:1',
    '192.0.2.7',
    '2001:db8:ffff::1%eth0',
    '9.9.9.9, 10.0.0.1',
  ]
  for (const from of inside) worked(await use(key, { from }))
  const outside = ['11.0.0.1', '192.0.2.8', '2001:db9::1', '::ffff:11.0.0.1', '10.0.0.1, 11.0.0.1']
  for (const from of [...outside, '10.0.0.1:80', '::10.0.0.1', '010.0.0.1'])
    t.deepEqual(failure(await use(key, { from })), [401, 'api-key.address'], from)
  const unknown = await use('portico_test_x')
  for (const wrong of [`${key}x`, key.replace('test', 'live'), `${key.slice(0, -1)}_`]) {
    const { status, body } = await use(wrong)
    t.deepEqual([status, body], [unknown.status, unknown.body])
  }
  t.deepEqual(failure(unknown), WRONG)
  // Without a trusted proxy the header is the caller's own claim.
  const direct = await openTestApi(t, { env: { STORE_URL: host.settings.STORE_URL } })
  t.deepEqual(failure(await use(key, { from: '10.0.0.1', at: direct })), [401, 'api-key.address'])
  api.clock.advance(60)
  t.deepEqual(failure(await use(key, { from: '10.0.0.1' })), [401, 'api-key.expired'])
  t.is((await shown(id)).status, 'expired')
})

test('rotation issues a successor, and the former key works for the time that was set', async (t) => {
  const { api, token, create, use, shown } = await open(t)
  const { key, id } = await create({ addresses: ['203.0.113.0/24'] })
  const rotate = (of: number, body: object) => api.ask('POST', `${KEYS}/${of}/rotate`, { token, body })
  const [first, again] = await Promise.all([rotate(id, { expires_in: 60 }), rotate(id, { expires_in: 60 })])
  t.deepEqual([first.status, again.status].sort(), [201, 409])
  const next = (first.status === 201 ? first : again).body.api_key
  t.like(next, { name: SHOP.name, permissions: SHOP.permissions, addresses: ['203.0.113.0/24'] })
  t.like(await shown(id), { successor_id: next.id, expires_at: '2026-11-23T10:06:09-03:00' })
  for (const each of [key, next.key]) worked(await use(each))
  api.clock.advance(60)
  t.deepEqual(failure(await use(key)), [401, 'api-key.expired'])
  worked(await use(next.key))
  const last = worked(await rotate(next.id, { expires_in: 0 })).api_key
  t.deepEqual(failure(await use(next.key)), [401, 'api-key.expired'])
  worked(await use(last.key))
  const trail = worked(
    await api.ask('GET', '/v1/account/audit?action=api-key.created,api-key.rotated', { token }),
  ).audit
  t.deepEqual(pluck(trail, 'action'), ['api-key.rotated', 'api-key.rotated', 'api-key.created'])
  await api.drain()
  t.deepEqual((await audit.verify(api.host.store, digest)).faults, [])
})

test('stores the last use of a key at most once a minute', async (t) => {
  const { api, create, use, host } = await open(t)
  const { key, id } = await create()
  const lastUse = async () => {
    // A commit of this process follows the one that a use has begun.
    await host.store.commit([patch(namedKeys, id, { set: { name: 'Loja' }, when: always })])
    const { lastUsedAt, lastUsedAddress } = (await host.store.find(byId(namedKeys, id))) ?? {}
    return [lastUsedAt, lastUsedAddress]
  }
  t.deepEqual(await lastUse(), [null, null])
  worked(await use(key))
  const first = ['2026-11-23T13:05:09.123Z', '203.0.113.7']
  t.deepEqual(await lastUse(), first)
  api.clock.advance(59)
  worked(await use(key, { from: '203.0.113.8' }))
  t.deepEqual(await lastUse(), first)
  api.clock.advance(1)
  worked(await use(key, { from: '203.0.113.8' }))
  t.is((await lastUse())[1], '203.0.113.8')
})

test('validates a new key, limits the number of valid keys, and requires a recent password in every session', async (t) => {
  const { api, merchant, token, create } = await open(t)
  const make = (body: object, by = token) => api.ask('POST', KEYS, { token: by, body })
  const wrong = { permissions: ['account:write', 'users:write'], addresses: ['10.0.0.0/33', '1::2::3', '10.0.0.1/-1'] }
  const names = Object.entries(wrong).flatMap(([name, values]) => values.map((_, index) => `${name}.${index}`))
  t.deepEqual(wrongFields(await make({ ...SHOP, ...wrong })).toSorted(), names.toSorted())
  t.deepEqual(wrongFields(await make({ ...SHOP, expires_at: '2026-11-23T10:05:09-03:00' })), ['expires_at'])
  const { id } = await create()
  for (let made = 1; made < MAX_LIVING_KEYS; made += 1) worked(await make(SHOP))
  t.deepEqual(failure(await make(SHOP)), [409, 'api-key.limit'])
  const body = { email: merchant.email, password: PASSWORD }
  const logIn = async (more = {}) =>
    worked(await api.ask('POST', '/v1/auth/login', { body: { ...body, ...more } })).data.access_token as string
  const [unguarded, guarded] = [await logIn(), await logIn({ guarded: true })]
  api.clock.advance(600)
  for (const by of [unguarded, guarded]) {
    for (const [method, path] of [
      ['POST', KEYS],
      ['PATCH', `${KEYS}/${id}`],
      ['POST', `${KEYS}/${id}/rotate`],
      ['POST', '/v1/account/api-key'],
    ] as const)
      t.deepEqual(failure(await api.ask(method, path, { token: by, body: SHOP })), [403, 'password.stale'], path)
    worked(await api.ask('DELETE', `${KEYS}/${id}`, { token: by }))
  }
  await confirmPassword(api, unguarded, PASSWORD)
  worked(await make(SHOP, unguarded))
})
