import test from 'ava'
import { patch } from '../../../../core/kernel/records/change.ts'
import { always } from '../../../../core/kernel/records/where.ts'
import { accounts } from '../../../../core/payments/accounts/account.ts'
import { memberships } from '../../../../core/payments/members/membership.ts'
import { errorsOf, openTestApi, wide } from '../test-api.ts'

const ANA = {
  name: 'Ana Souza',
  email: 'ana@example.com',
  phone: '11 98888-0000',
  document: '529.982.247-25',
  type: 'individual',
  gender: 'female',
  birthdate: '1990-02-28',
  metadata: { origem: { canal: 'loja' }, notas: [1, 2.5, null] },
}
const TAKEN = 'Já existe um cliente com este documento nesta organização.'
const NONE = {
  code: 404,
  success: false,
  message: 'Nenhuma organização encontrada.',
  error_code: 'organization.none',
  hint: 'Crie uma com POST /v1/organizations.',
}
const UNKNOWN = { code: 404, success: false, message: 'Cliente não encontrado.', error_code: 'client.unknown' }

test('a client is created ACTIVE with all that was sent', async (t) => {
  const { ask, merchant } = await openTestApi(t)
  const { token } = await merchant()
  const { status, body } = await ask('POST', '/v1/clients', {
    token,
    body: { ...ANA, status: 'DELETED', accountId: 7 },
  })
  t.is(status, 201)
  const { code, ...rest } = body.client as Record<string, unknown>
  t.is(typeof code, 'string')
  t.deepEqual(rest, {
    ...ANA,
    id: 1,
    document: '52998224725',
    status: 'ACTIVE',
    address: null,
    created_at: '2026-11-23T10:05:09-03:00',
    updated_at: '2026-11-23T10:05:09-03:00',
  })
  t.is(body.message, 'Cliente criado com sucesso.')
  const shown = await ask('GET', '/v1/clients/1', { token })
  t.is(shown.status, 200)
  t.deepEqual(shown.body.client, body.client)
})

test('only the name is needed; null and blank are nothing', async (t) => {
  const { ask, merchant } = await openTestApi(t)
  const { token } = await merchant()
  const nothing = { email: null, phone: '', document: ' ', type: null, gender: null, birthdate: null, metadata: null }
  for (const sent of [{ name: 'Ana' }, { name: 'Ana', ...nothing }]) {
    const { status, body } = await ask('POST', '/v1/clients', { token, body: sent })
    t.is(status, 201)
    t.like(body.client as object, { ...nothing, phone: null, document: null, name: 'Ana' })
  }
})

test('every wrong field of a client is told at once', async (t) => {
  const { ask, merchant } = await openTestApi(t)
  const { token } = await merchant()
  const wrong = {
    name: '',
    email: 'x',
    phone: wide(21),
    document: 'x'.repeat(21),
    type: 'robot',
    gender: 'x',
    birthdate: '2026-02-30',
    metadata: [],
  }
  const answer = await ask('POST', '/v1/clients', { token, body: wrong })
  t.is(answer.status, 422)
  t.deepEqual(Object.keys(errorsOf(answer)), Object.keys(wrong))
})

const email = (length: number): string => `${'a'.repeat(length - '@example.com'.length)}@example.com`
const limits: readonly [field: string, good: unknown, bad: unknown][] = [
  ['name', wide(255), wide(256)],
  ['email', email(255), email(256)],
  ['phone', wide(20), wide(21)],
  ['document', '1'.repeat(20), '1'.repeat(21)],
  ['birthdate', '2024-02-29', '2023-02-29'],
]
for (const [field, good, bad] of limits) {
  test(`the limit of ${field} is where the specification has it`, async (t) => {
    const { ask, merchant } = await openTestApi(t)
    const { token } = await merchant()
    const over = await ask('POST', '/v1/clients', { token, body: { name: 'Ana', [field]: bad } })
    t.is(over.status, 422)
    t.deepEqual(Object.keys(errorsOf(over)), [field])
    t.is((await ask('POST', '/v1/clients', { token, body: { name: 'Ana', [field]: good } })).status, 201)
  })
}

test('a document that the organization has is 422 with its own message; another organization may have it', async (t) => {
  const { ask, merchant } = await openTestApi(t)
  const { token } = await merchant()
  await ask('POST', '/v1/clients', { token, body: ANA })
  const again = await ask('POST', '/v1/clients', { token, body: { name: 'Outra', document: '52998224725' } })
  t.is(again.status, 422)
  t.deepEqual(again.body, {
    code: 422,
    success: false,
    message: TAKEN,
    error_code: 'fields',
    errors: { document: [TAKEN] },
    error_codes: { document: ['client.document.taken'] },
  })
  const joao = await merchant('joao@example.com')
  t.is((await ask('POST', '/v1/clients', { token: joao.token, body: ANA })).status, 201)
})

test('a client of another organization is 404, as is what is no id', async (t) => {
  const { ask, merchant } = await openTestApi(t)
  const { token } = await merchant()
  await ask('POST', '/v1/clients', { token, body: ANA })
  const joao = await merchant('joao@example.com')
  for (const [id, by] of [
    ['1', joao.token],
    ['2', token],
    ['abc', token],
    ['%00', token],
    ['9'.repeat(40), token],
  ] as const) {
    const missing = await ask('GET', `/v1/clients/${id}`, { token: by })
    t.is(missing.status, 404, id)
    if (id !== '%00') t.deepEqual(missing.body, UNKNOWN)
  }
})

test('clients are listed newest first, whole or in pages with meta', async (t) => {
  const { ask, merchant, clock } = await openTestApi(t)
  const { token } = await merchant()
  for (const name of ['Ana', 'Bia', 'Caio']) {
    await ask('POST', '/v1/clients', { token, body: { name } })
    clock.advance(1)
  }
  const names = (body: Readonly<Record<string, unknown>>) =>
    (body.clients as { readonly name: string }[]).map(({ name }) => name)
  const whole = await ask('GET', '/v1/clients', { token })
  t.deepEqual(names(whole.body), ['Caio', 'Bia', 'Ana'])
  t.like(whole.body, { code: 200, success: true })
  const paged = await ask('GET', '/v1/clients?page=2&per_page=2', { token })
  t.deepEqual(names(paged.body), ['Ana'])
  t.deepEqual(paged.body.meta, { current_page: 2, per_page: 2, total: 3, last_page: 2 })
})

test('the header names the organization; one that is not the caller’s is 404, an empty one is none', async (t) => {
  const { ask, merchant, clock } = await openTestApi(t)
  const { token, uuid } = await merchant()
  clock.advance(1)
  await ask('POST', '/v1/organizations', { token, body: { name: 'Segunda', document: '390.533.447-05' } })
  const joao = await merchant('joao@example.com')
  await ask('POST', '/v1/clients', { token, body: { name: 'Da primeira' }, headers: { 'x-organization-id': uuid } })
  await ask('POST', '/v1/clients', { token, body: { name: 'Da mais nova' } })
  const list = async (more: Record<string, string>) => ask('GET', '/v1/clients', { token, headers: more })
  const names = async (more: Record<string, string>) =>
    ((await list(more)).body.clients as { readonly name: string }[]).map(({ name }) => name)
  t.deepEqual(await names({ 'x-organization-id': uuid }), ['Da primeira'])
  t.deepEqual(await names({ organization: uuid }), ['Da primeira'])
  t.deepEqual(await names({ 'x-account-id': '1' }), ['Da primeira'])
  t.deepEqual(await names({}), ['Da mais nova'])
  t.deepEqual(await names({ 'x-organization-id': '' }), ['Da mais nova'])
  for (const foreign of [joao.uuid, 'x', '1']) {
    const { status, body } = await list({ 'x-organization-id': foreign })
    t.is(status, 404)
    t.is(body.message, 'Organização não encontrada.')
  }
})

test('without an organization there are no clients: 404', async (t) => {
  const { ask, person } = await openTestApi(t)
  const token = await person()
  for (const [method, path] of [
    ['GET', '/v1/clients'],
    ['POST', '/v1/clients'],
    ['GET', '/v1/clients/1'],
    ['GET', '/access/account'],
  ] as const) {
    const { status, body } = await ask(method, path, { token })
    t.is(status, 404)
    t.deepEqual(body, NONE)
  }
})

test('who may only read is 403 where something is written', async (t) => {
  const { ask, merchant, host } = await openTestApi(t)
  const { token } = await merchant()
  await host.store.commit([patch(memberships, 1, { set: { roleId: 4 }, when: always })])
  const refused = await ask('POST', '/v1/clients', { token, body: {} })
  t.is(refused.status, 403)
  t.is(refused.body.message, 'Permissão insuficiente.')
  t.is((await ask('GET', '/v1/clients', { token })).status, 200)
})

test('a blocked organization reads and does not write', async (t) => {
  const { ask, merchant, host } = await openTestApi(t)
  const { token } = await merchant()
  for (const status of ['SUSPENDED', 'DISABLED', 'DISQUALIFIED', 'SOFT_DELETED', 'DELETED'] as const) {
    await host.store.commit([patch(accounts, 1, { set: { status }, when: always })])
    const refused = await ask('POST', '/v1/clients', { token, body: ANA })
    t.is(refused.status, 403, status)
    t.is(refused.body.message, 'Organização não está ativa.')
    t.is((await ask('GET', '/v1/clients', { token })).status, 200)
  }
})

test('a key makes one client, whatever is sent again', async (t) => {
  const { ask, merchant } = await openTestApi(t)
  const { token } = await merchant()
  const create = (body: unknown) => ask('POST', '/v1/clients', { token, body, headers: { 'idempotency-key': 'k' } })
  const all = await Promise.all(Array.from({ length: 5 }, () => create({ name: 'Ana' })))
  const made = all.filter(({ status }) => status === 201)
  t.true(made.length >= 1)
  t.true(all.every(({ status }) => status === 201 || status === 409))
  const again = await create({ name: 'Ana' })
  t.is(again.headers.get('idempotent-replayed'), 'true')
  t.deepEqual(again.body, made[0]?.body)
  const { body } = await ask('GET', '/v1/clients', { token })
  t.is((body.clients as unknown[]).length, 1)
})

test('a client is changed in what was sent alone; null clears, nothing changes nothing', async (t) => {
  const { ask, merchant } = await openTestApi(t)
  const { token } = await merchant()
  const { body } = await ask('POST', '/v1/clients', { token, body: ANA })
  const change = (sent: unknown, method = 'PUT') => ask(method, '/v1/clients/1', { token, body: sent })
  t.deepEqual((await change({})).body.client, body.client)
  const changed = await change({ name: 'Ana Lima', email: null, metadata: null }, 'PATCH')
  t.deepEqual(changed.body.client, { ...(body.client as object), name: 'Ana Lima', email: null, metadata: null })
  t.is(changed.body.message, 'Cliente atualizado com sucesso.')
  t.deepEqual(Object.keys(errorsOf(await change({ name: '', email: 'x', type: 'x', birthdate: '2020-02-30' }))), [
    'name',
    'email',
    'type',
    'birthdate',
  ])
})

test('a document of another client is refused in a change, and free once that one is removed', async (t) => {
  const { ask, merchant } = await openTestApi(t)
  const { token } = await merchant()
  await ask('POST', '/v1/clients', { token, body: ANA })
  await ask('POST', '/v1/clients', { token, body: { name: 'Bia' } })
  const take = () => ask('PUT', '/v1/clients/2', { token, body: { document: '52998224725' } })
  const refused = await take()
  t.deepEqual([refused.status, refused.body.message], [422, TAKEN])
  const removed = await ask('DELETE', '/v1/clients/1', { token })
  t.deepEqual([removed.status, removed.body.message], [200, 'Cliente removido com sucesso.'])
  t.is((await take()).status, 200)
  for (const [method, sent] of [['GET'], ['PUT', { name: 'x' }], ['DELETE']] as const) {
    t.deepEqual((await ask(method, '/v1/clients/1', { token, body: sent })).body, UNKNOWN)
  }
  const { clients } = (await ask('GET', '/v1/clients', { token })).body
  t.deepEqual(
    (clients as { id: number }[]).map(({ id }) => id),
    [2],
  )
})

test('twenty changes of different fields at once all stay', async (t) => {
  const { ask, merchant } = await openTestApi(t)
  const { token } = await merchant()
  await ask('POST', '/v1/clients', { token, body: ANA })
  const sent = [{ name: 'Bia Lima' }, { email: 'bia@example.com' }, { phone: '1' }, { gender: null }]
  const all = await Promise.all(sent.map((each) => ask('PUT', '/v1/clients/1', { token, body: each })))
  t.true(all.every(({ status }) => status === 200))
  const { body } = await ask('GET', '/v1/clients/1', { token })
  t.like(body.client as object, Object.assign({}, ...sent))
})
