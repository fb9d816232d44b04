import test, { type ExecutionContext } from 'ava'
import { aesCipher } from '../../../adapters/crypto/cipher.ts'
import { clientTokens } from '../../../core/payments/customers/client.ts'
import { openMerchant, openTestApi, statusAndMessage, worked, wrongFields } from './test-api.ts'
import { openWithdrawals } from './withdrawals/withdrawing.ts'

const ANA = {
  name: 'Ana Souza',
  email: 'ana@example.com',
  phone: '11 98888-0000',
  document: '529.982.247-25',
  ...{ type: 'individual', gender: 'female', birthdate: '1990-02-28' },
  metadata: { origem: { canal: 'loja' }, notas: [1, 2.5, null] },
}
const TAKEN = 'Já existe um cliente com este documento nesta organização.'

test('returns 422 for a document that the organization has already; another organization may use it', async (t) => {
  const { ask, merchant } = await openTestApi(t)
  const { token } = await merchant()
  await ask('POST', '/v1/clients', { token, body: ANA })
  const again = await ask('POST', '/v1/clients', { token, body: { name: 'Outra', document: '52998224725' } })
  t.like(again.body, { message: TAKEN, errors: { document: [TAKEN] } })
  t.deepEqual(again.body.error_codes, { document: ['client.document.taken'] })
  const joao = await merchant('joao@example.com')
  t.is((await ask('POST', '/v1/clients', { token: joao.token, body: ANA })).status, 201)
})

test('lets a blocked organization read, and rejects its writes', async (t) => {
  const { api, ask, merchant, token } = await openMerchant(t)
  await api.setStatus(merchant, 'SUSPENDED')
  t.deepEqual(statusAndMessage(await ask('POST', '/v1/clients', { token, body: ANA })), [
    403,
    'Organização não está ativa.',
  ])
  t.is((await ask('GET', '/v1/clients', { token })).status, 200)
})

const WOMAN = { type: 'individual', gender: 'female', birthdate: '1990-02-28' }
const LISTED_ANA = { name: 'Ana Conceição', document: '52998224725', ...WOMAN }
const BIA = { name: 'Bia 100% Ltda', document: '11444777000161', type: 'company' }
const CAIO = { name: 'Caio_Lima', document: '12345678909', type: 'individual', gender: 'male', birthdate: '2000-03-01' }
const DUDA = { name: 'Duda', document: '12ABC34501DE35', type: 'company', birthdate: '1990-03-01' }

/**
 * Creates Ana at 23:59:59 in São Paulo on the 23rd, Bia at 00:00:00 on the 24th, Caio and Duda on the 25th, and
 * changes Ana on the 26th. Another account has a fifth client.
 */
const open = async (t: ExecutionContext) => {
  const { api, merchant } = await openMerchant(t)
  const other = await api.merchant('joao@example.com', '11222333000262')
  const add = async (body: object, at: string) => {
    api.clock.set(at)
    const { token } = await api.again(merchant)
    const email = 'pessoa@example.com'
    worked(await api.ask('POST', '/clients', { token, body: { email, ...body } }))
    return token
  }
  await api.ask('POST', '/clients', { token: other.token, body: { ...ANA, email: 'ana@example.com' } })
  await add(LISTED_ANA, '2026-11-24T02:59:59.999Z')
  await add(BIA, '2026-11-24T03:00:00.000Z')
  await add(CAIO, '2026-11-25T12:00:00.000Z')
  await add(DUDA, '2026-11-25T13:00:00.000Z')
  api.clock.set('2026-11-26T12:00:00.000Z')
  const { token } = await api.again(merchant)
  const { data } = worked(await api.ask('GET', '/clients?search=ana', { token }))
  worked(await api.ask('PUT', `/clients/${data[0].code}`, { token, body: { phone: '1' } }))
  return { ...api, token }
}

const found: readonly (readonly [query: string, names: string, total?: number])[] = [
  ['', 'Duda Caio Bia Ana'],
  ['per_page=2&page=2', 'Bia Ana', 4],
  ['type=company', 'Duda Bia'],
  ['gender=female', 'Ana'],
  ['type=company&gender=male', ''],
  ['status=ACTIVE', 'Duda Caio Bia Ana'],
  ['status=INACTIVE', ''],
  ['search=CONCEI%C3%87%C3%83O', 'Ana'],
  ['search=529.982.247-25', 'Ana'],
  ['search=.-', ''],
  ['search=', 'Duda Caio Bia Ana'],
  ['created_at_end=2026-11-23', 'Ana'],
  ['created_at_start=2026-11-24&created_at_end=2026-11-24', 'Bia'],
  ['updated_at_start=2026-11-26', 'Ana'],
  ['updated_at_start=2026-11-24&updated_at_end=2026-11-25', 'Duda Caio Bia'],
  ['birthdate_start=1990-02-28&birthdate_end=1990-02-28', 'Ana'],
  ['birthdate_start=1990-03-01', 'Duda Caio'],
  ['birthdate_end=1990-03-01&type=company', 'Duda'],
  ['search=a&type=individual&created_at_start=2026-11-23&birthdate_end=1999-01-01', 'Ana'],
]

test('finds clients by each filter alone and combined, newest first, with their total', async (t) => {
  const { ask, token } = await open(t)
  for (const [query, names, total] of found) {
    const { data, meta } = worked(await ask('GET', `/clients?${query}`, { token }))
    t.is(data.map(({ name }: { readonly name: string }) => /^\p{L}+/u.exec(name)?.[0]).join(' '), names, query)
    t.is(meta.total, total ?? data.length, query)
  }
})

const ADDRESS = { street: 'Rua A', city: 'Recife', state: 'PE' }
const LEGACY_ANA = { name: 'Ana Souza', email: 'ana@example.com', document: '529.982.247-25', type: 'individual' }
const WHOLE = {
  ...LEGACY_ANA,
  phone: '11 98888-0000',
  gender: 'female',
  birthdate: '1990-02-28',
  address: { ...ADDRESS, number: '10', zip: '50000-000', country: 'BR', observation: 'Fundos' },
  metadata: [{ label: 'origem', value: { canal: 'loja' } }, { label: 'notas', value: [1, 2.5, null] }, { label: 'só' }],
  fb_id: '10158',
}

const openLegacy = async (t: ExecutionContext) => {
  const { api, token } = await openMerchant(t)
  const ask = (method: string, path: string, body?: unknown) => api.ask(method, path, { token, body })
  return { ...api, send: ask, token }
}

test('creates an ACTIVE client, shown by id and code on both paths and in /v1/clients', async (t) => {
  const { send } = await openLegacy(t)
  const body = worked(await send('POST', '/clients', { ...WHOLE, fb_access_token: 'EAAB', status: 'DELETED' }))
  const { code, created_at, updated_at, ...rest } = body.data
  t.deepEqual(rest, { id: 1, ...WHOLE, document: '52998224725', status: 'ACTIVE' })
  for (const path of ['/clients/1', `/clients/${code}`, '/billing/clients/1', `/billing/clients/${code}`]) {
    const found = await send('GET', path)
    t.deepEqual([found.status, found.body.data, found.body.message], [200, body.data, 'Informações sobre o cliente'])
  }
  const { fb_id: _, ...v1 } = body.data
  t.deepEqual((await send('GET', '/v1/clients/1')).body.client, v1)
})

const labels = (value: unknown) => ({ metadata: [{ label: 'x', value }] })
const wrong: readonly (readonly [over: object, fields: readonly string[]])[] = [
  [{ document: '529.982.247-26' }, ['document']],
  [{ address: {} }, ['address.street', 'address.city', 'address.state']],
  [{ metadata: { origem: 'loja' } }, ['metadata']],
  [{ metadata: [{ label: 'x' }, { value: 1 }] }, ['metadata.1.label']],
  [{ metadata: ['x'] }, ['metadata.0']],
  [labels('x'.repeat(16_384)), ['metadata.0.value']],
  [labels([[[[[[[[[[[]]]]]]]]]]]), ['metadata.0.value']],
  [{ metadata: [{ label: 'x', constructor: 1 }] }, ['metadata']],
]

test('returns 422 with the wrong part of a document, an address or metadata', async (t) => {
  const { send } = await openLegacy(t)
  for (const [over, fields] of wrong)
    t.deepEqual(wrongFields(await send('POST', '/clients', { ...LEGACY_ANA, ...over })), fields)
  t.deepEqual((await send('GET', '/clients')).body.data, [])
})

test('changes only the sent fields with 201, and never the document', async (t) => {
  const { send } = await openLegacy(t)
  const { data } = worked(await send('POST', '/clients', WHOLE))
  for (const [method, path] of [
    ['PUT', '/clients/1'],
    ['PATCH', `/billing/clients/${data.code}`],
  ] as const) {
    const changed = await send(method, path, { name: method, document: 'qualquer coisa', address: ADDRESS })
    t.deepEqual([changed.status, changed.body.message], [201, 'Cliente atualizado com sucesso!'])
    t.like(changed.body.data, { ...WHOLE, name: method, document: '52998224725', address: ADDRESS })
  }
  const cleared = await send('PUT', '/clients/1', { address: null, metadata: null, fb_id: null, phone: '' })
  t.like(cleared.body.data, { address: null, metadata: null, fb_id: null, phone: null, gender: 'female' })
  for (const body of [{ name: null }, { email: null }, { type: null }, { address: {} }, { metadata: {} }])
    t.is((await send('PUT', '/clients/1', body)).status, 422, JSON.stringify(body))
  t.is((await send('PUT', '/clients/1', {})).status, 201)
})

test('shows the metadata of the other generation unchanged', async (t) => {
  const { send } = await openLegacy(t)
  worked(await send('POST', '/clients', WHOLE))
  t.deepEqual((await send('GET', '/v1/clients/1')).body.client.metadata, WHOLE.metadata)
  t.is((await send('PUT', '/v1/clients/1', { metadata: [] })).status, 422)
  worked(await send('PUT', '/v1/clients/1', { metadata: { a: 1 } }))
  t.deepEqual((await send('GET', '/clients/1')).body.data.metadata, { a: 1 })
})

test('removes a client with 204, returns 404 for it, and releases its document', async (t) => {
  const { send } = await openLegacy(t)
  const { data } = worked(await send('POST', '/clients', LEGACY_ANA))
  const removed = await send('DELETE', `/clients/${data.code}`)
  t.deepEqual([removed.status, removed.text], [204, ''])
  for (const path of ['/clients/1', `/clients/${data.code}`])
    for (const [method, body] of [['GET'], ['PUT', {}], ['DELETE']] as const)
      t.deepEqual(statusAndMessage(await send(method, path, body)), [404, 'Cliente não encontrado.'])
  for (const query of ['', '?status=DELETED']) t.deepEqual((await send('GET', `/clients${query}`)).body.data, [])
  worked(await send('POST', '/clients', LEGACY_ANA))
})

test('seals the token of another network, shows it nowhere, and deletes it with the client', async (t) => {
  const { send, every, everything, host } = await openLegacy(t)
  const cipher = aesCipher(host.secrets.dataKey)
  const storedTokens = async () =>
    (await every(clientTokens)).map(({ id, fbAccessTokenSealed }) =>
      cipher.open(fbAccessTokenSealed, `payments.client-tokens/${id}/fbAccessToken`),
    )
  const answers = [
    await send('POST', '/clients', { ...LEGACY_ANA, fb_access_token: 'EAAB-primeiro' }),
    await send('GET', '/clients/1'),
    await send('PUT', '/clients/1', { fb_access_token: 'EAAB-segundo' }),
    await send('PUT', '/clients/1', { name: 'Ana' }),
    await send('GET', '/clients'),
    await send('GET', '/v1/clients'),
  ]
  for (const { text } of answers) t.false(text.includes('EAAB'))
  t.deepEqual(await storedTokens(), ['EAAB-segundo'])
  t.false(JSON.stringify(await everything()).includes('EAAB-'))
  worked(await send('PUT', '/clients/1', { fb_access_token: null }))
  t.deepEqual(await storedTokens(), [])
  worked(await send('PUT', '/clients/1', { fb_access_token: 'EAAB-terceiro' }))
  worked(await send('DELETE', '/clients/1'))
  t.deepEqual(await storedTokens(), [])
})

const MARKED = ['765.432.109-07', '765.432', '432.109-0', '76543210907', '109-07', '765 432']
const LETTERED = ['12.ABC.345/01DE-35', '12.abc', 'BC.345/01de', '01DE-3', '12abc345']

/** The lists with a search by document, and the searches that find their CPF of digits or CNPJ with letters. */
const lists: readonly (readonly [path: string, searches: readonly string[]])[] = [
  ['/recipients', MARKED],
  ['/recipients/frequent', MARKED],
  ['/legacypay/withdraws', MARKED],
  ['/legacypay/withdraws/recipients', MARKED],
  ['/legacypay/withdraws/recipients/frequent', MARKED],
  ['/invoices', LETTERED],
  ['/clients', LETTERED],
  ['/billing/clients', LETTERED],
  ['/access/manager/users', MARKED],
  ['/access/manager/api-tokens', LETTERED],
]

test('finds documents with and without punctuation, in full and in part, in every list', async (t) => {
  const { api, merchant, get, withdraw } = await openWithdrawals(t)
  const { token } = merchant
  worked(await withdraw(2, '76543210907'))
  await api.charge(merchant, { name: 'Duda', email: 'duda@example.com', document: '12.ABC.345/01DE-35' })
  await api.charge(merchant, { name: 'Outra', email: 'outra@example.com', document: '529.982.247-25' })
  const person = { name: 'Bia', email: 'bia@example.com', document: '765.432.109-07', role: 3, password: '12345' }
  worked(await api.ask('POST', '/access/manager/users', { token, body: person }))
  const program = { name: 'Bot', email: 'bot@example.com', document: '12.ABC.345/01DE-35' }
  worked(await api.ask('POST', '/access/manager/api-tokens', { token, body: program }))
  for (const [path, searches] of lists) {
    const found = async (search: string) => {
      const { body } = await get(`${path}?${new URLSearchParams({ search })}`)
      return body.data.length
    }
    for (const search of searches) t.is(await found(search), 1, `${path} ${search}`)
    for (const search of ['765.433', '12.ABD']) t.is(await found(search), 0, `${path} ${search}`)
  }
})
