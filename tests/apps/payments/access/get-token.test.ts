import test, { type ExecutionContext } from 'ava'
import { patch } from '../../../../core/kernel/records/change.ts'
import { always } from '../../../../core/kernel/records/where.ts'
import { memberships } from '../../../../core/payments/accounts/membership.ts'
import { notifications } from '../../../../core/payments/notifications/notification.ts'
import { errorsOf, served } from '../server.ts'

const EMAIL = 'maria@example.com'
const WRONG = { code: 401, success: false, message: 'E-mail, chave ou vínculo inválido.' }
type Sent = Readonly<Record<string, unknown>>

const open = async (t: ExecutionContext) => {
  const server = await served(t)
  const { ask, as, organized } = server
  const { token } = await organized()
  const { body } = await ask('GET', '/access/account', undefined, as(token))
  const apiKey = `${(body.account as Sent).token}`
  return {
    ...server,
    token,
    apiKey,
    exchange: (sent: Sent = {}) => ask('POST', '/access/account/get-token', { email: EMAIL, token: apiKey, ...sent }),
  }
}

test('an API key gives a token of ten minutes with what the role may; it is never refreshed', async (t) => {
  const { ask, as, exchange, clock } = await open(t)
  const { status, body } = await exchange()
  t.is(status, 200)
  const data = body.data as { readonly token: string; readonly permissions: readonly string[] }
  t.like(data, { token_type: 'Bearer', expires_at: '2026-11-21T10:15:09-03:00' })
  t.true(data.permissions.includes('withdrawals:write'))
  const isGood = async () => (await ask('GET', '/v1/clients', undefined, as(data.token))).status
  t.is(await isGood(), 200)
  t.is((await ask('POST', '/v1/auth/refresh', undefined, as(data.token))).status, 401)
  clock.advance(599)
  t.is(await isGood(), 200)
  clock.advance(1)
  t.is(await isGood(), 401)
})

test('a program that an ADMIN made signs in by the key, until it is removed', async (t) => {
  const { ask, as, token, exchange } = await open(t)
  const bot = { name: 'Integração', email: 'bot@example.com', document: '111.444.777-35' }
  const made = await ask('POST', '/access/manager/api-tokens', bot, as(token))
  const { body } = await exchange({ email: bot.email })
  const { token: given } = body.data as { readonly token: string }
  t.is((await ask('POST', '/v1/clients', { name: 'Ana' }, as(given))).status, 201)
  t.is((await ask('GET', '/v1/users', undefined, as(given))).status, 403)
  const { id } = made.body.data as { readonly id: number }
  await ask('DELETE', `/access/manager/api-tokens/${id}`, undefined, as(token))
  t.is((await ask('GET', '/v1/clients', undefined, as(given))).status, 401)
  t.deepEqual((await exchange({ email: bot.email })).body, WRONG)
})

test('a wrong e-mail, a wrong key, another account’s key and an inactive link are the same 401', async (t) => {
  const { ask, as, organized, exchange, ports } = await open(t)
  const { token: ana } = await organized('ana@example.com', { name: 'Oficina', document: '529.982.247-25' })
  const { body } = await ask('GET', '/access/account', undefined, as(ana))
  const foreign = (body.account as Sent).token
  for (const sent of [{ email: 'x@example.com' }, { token: 'x' }, { token: foreign }, { email: 'ana@example.com' }]) {
    const refused = await exchange(sent)
    t.deepEqual([refused.status, refused.body], [401, WRONG])
  }
  await ports.store.commit([patch(memberships, 1, { set: { status: 0 }, when: always })])
  t.deepEqual((await exchange()).body, WRONG)
  t.deepEqual(Object.keys(errorsOf(await exchange({ email: 'x', token: '' }))), ['email', 'token'])
})

test('two hundred exchanges of a key end no sign-in of a person; a further one ends the oldest exchange', async (t) => {
  const { ask, as, token, exchange, clock } = await open(t)
  const statusOf = async (of: string) => (await ask('GET', '/v1/auth/me', undefined, as(of))).status
  const given: string[] = []
  for (let made = 1; made <= 201; made += 1) {
    clock.advance(1)
    given.push(((await exchange()).body.data as { readonly token: string }).token)
  }
  const [first = '', second = ''] = given
  t.deepEqual([await statusOf(token), await statusOf(first), await statusOf(second)], [200, 401, 200])
})

test('guesses at a key are counted with those at the login', async (t) => {
  const { ask, exchange } = await open(t)
  const all = await Promise.all(Array.from({ length: 10 }, (_, place) => exchange({ token: `chave ${place}` })))
  t.deepEqual(all.map(({ status }) => status).sort(), [401, 401, 401, 401, 401, 429, 429, 429, 429, 429])
  t.is((await ask('POST', '/v1/auth/login', { email: EMAIL, password: 'outra' })).status, 429)
  t.is((await exchange()).status, 429)
})

test('each use is told to the account’s active ADMINs in the app, and to nobody else', async (t) => {
  const { ask, as, token, exchange, ports, every } = await open(t)
  const person = { password: 'correto e longo', password_confirmation: 'correto e longo' }
  const add = (role: number, email: string, document: string) =>
    ask('POST', '/access/manager/users', { name: 'Alguém', email, document, role, ...person }, as(token))
  await add(1, 'chefe@example.com', '529.982.247-25')
  await add(1, 'antiga@example.com', '111.444.777-35')
  await add(2, 'gerente@example.com', '935.411.347-80')
  await ports.store.commit([patch(memberships, 3, { set: { status: 0 }, when: always })])
  t.is((await exchange({ email: 'gerente@example.com' })).status, 200)
  const told = await every(notifications)
  t.deepEqual(told.map(({ userId }) => userId).sort(), [1, 2])
  const { body } = await ask('GET', '/access/auth/notifications', undefined, as(token))
  t.like((body.data as Sent[])[0], {
    type: 'key.exchanged',
    data: { account_id: 1, user_id: 4, email: 'gerente@example.com', address: '127.0.0.1' },
  })
  t.is((await exchange({ token: 'x' })).status, 401)
  t.is((await every(notifications)).length, 2)
})
