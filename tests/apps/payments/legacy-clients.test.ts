import test, { type ExecutionContext } from 'ava'
import { aesCipher } from '../../../adapters/crypto/cipher.ts'
import { clientTokens } from '../../../core/payments/customers/write-client.ts'
import { errorsOf, openTestApi, wide, worked } from './test-api.ts'

const ADDRESS = { street: 'Rua A', city: 'Recife', state: 'PE' }
const ANA = {
  name: 'Ana Souza',
  email: 'ana@example.com',
  document: '529.982.247-25',
  type: 'individual',
}
const WHOLE = {
  ...ANA,
  phone: '11 98888-0000',
  gender: 'female',
  birthdate: '1990-02-28',
  address: { ...ADDRESS, number: '10', zip: '50000-000', country: 'BR', observation: 'Fundos' },
  metadata: [{ label: 'origem', value: { canal: 'loja' } }, { label: 'notas', value: [1, 2.5, null] }, { label: 'só' }],
  fb_id: '10158',
}
const TAKEN = 'Já existe um cliente com este documento nesta organização.'

const open = async (t: ExecutionContext) => {
  const api = await openTestApi(t)
  const { token } = await api.merchant()
  const ask = (method: string, path: string, body?: unknown) => api.ask(method, path, { token, body })
  return { ...api, asked: ask, token }
}

test('creates an ACTIVE client, shown by id and code on both paths and in /v1/clients', async (t) => {
  const { asked } = await open(t)
  const { status, body } = await asked('POST', '/clients', { ...WHOLE, fb_access_token: 'EAAB', status: 'DELETED' })
  t.is(status, 200)
  const { code, created_at, updated_at, ...rest } = body.data
  t.deepEqual(rest, { id: 1, ...WHOLE, document: '52998224725', status: 'ACTIVE' })
  for (const path of ['/clients/1', `/clients/${code}`, '/billing/clients/1', `/billing/clients/${code}`]) {
    const found = await asked('GET', path)
    t.deepEqual([found.status, found.body.data, found.body.message], [200, body.data, 'Informações sobre o cliente'])
  }
  const { fb_id: _, ...v1 } = body.data
  t.deepEqual((await asked('GET', '/v1/clients/1')).body.client, v1)
})

test('shows absent fields as null', async (t) => {
  const { asked } = await open(t)
  const { data } = worked(await asked('POST', '/billing/clients', { ...ANA, address: ADDRESS }))
  const nothing = { phone: null, gender: null, birthdate: null, metadata: null, fb_id: null }
  t.like(data, nothing)
  t.deepEqual(data.address, { ...ADDRESS, number: null, zip: null, country: null, observation: null })
})

const wrong: readonly (readonly [name: string, body: object, fields: readonly string[]])[] = [
  ['nothing', {}, ['name', 'email', 'document', 'type']],
  ['null and blank', { name: '', email: null, document: ' ', type: null }, ['name', 'email', 'document', 'type']],
  ['a document without its digits', { ...ANA, document: '529.982.247-26' }, ['document']],
  ['a document that is none', { ...ANA, document: '123' }, ['document']],
  ['a type', { ...ANA, type: 'robot' }, ['type']],
  ['a gender', { ...ANA, gender: 'x' }, ['gender']],
  ['a birthdate', { ...ANA, birthdate: '2023-02-29' }, ['birthdate']],
  ['a name', { ...ANA, name: wide(256) }, ['name']],
  ['a phone', { ...ANA, phone: wide(21) }, ['phone']],
  ['no address', { ...ANA, address: 'Rua A' }, ['address']],
  ['an empty address', { ...ANA, address: {} }, ['address.street', 'address.city', 'address.state']],
  ['a street', { ...ANA, address: { ...ADDRESS, street: 7 } }, ['address.street']],
  ['metadata of the other generation', { ...ANA, metadata: { origem: 'loja' } }, ['metadata']],
  ['a label', { ...ANA, metadata: [{ label: 'x' }, { value: 1 }] }, ['metadata.1.label']],
  ['no label', { ...ANA, metadata: ['x'] }, ['metadata.0']],
  ['labels', { ...ANA, metadata: Array.from({ length: 201 }, () => ({ label: 'x' })) }, ['metadata']],
  ['16 KB of metadata', { ...ANA, metadata: [{ label: 'x', value: 'x'.repeat(16_384) }] }, ['metadata.0.value']],
  ['deep metadata', { ...ANA, metadata: [{ label: 'x', value: [[[[[[[[[[[]]]]]]]]]]] }] }, ['metadata.0.value']],
  ['an inherited name', { ...ANA, metadata: [{ label: 'x', constructor: 1 }] }, ['metadata']],
  ['fb_id', { ...ANA, fb_id: 7 }, ['fb_id']],
  ['fb_access_token', { ...ANA, fb_access_token: wide(1_001) }, ['fb_access_token']],
]
for (const [name, body, fields] of wrong) {
  test(`returns 422 with the invalid fields of a client with ${name}`, async (t) => {
    const { asked } = await open(t)
    const answer = await asked('POST', '/clients', body)
    t.is(answer.status, 422)
    t.deepEqual(Object.keys(errorsOf(answer)), fields)
    t.deepEqual((await asked('GET', '/clients')).body.data, [])
  })
}

test('accepts the longest values and an alphanumeric CNPJ', async (t) => {
  const { asked } = await open(t)
  const longest = { name: wide(255), phone: wide(20), fb_id: wide(255), fb_access_token: wide(1_000) }
  const labels = Array.from({ length: 200 }, () => ({ label: 'x' }))
  const body = { ...ANA, ...longest, type: 'company', document: '12.ABC.345/01DE-35', metadata: labels }
  const { data } = worked(await asked('POST', '/clients', body))
  t.deepEqual([data.name, data.document, data.metadata], [wide(255), '12ABC34501DE35', labels])
})

test('returns 422 with the v1 message for a document that the account has already', async (t) => {
  const { asked } = await open(t)
  worked(await asked('POST', '/v1/clients', { name: 'Ana', document: '52998224725' }))
  const again = await asked('POST', '/clients', ANA)
  t.deepEqual([again.status, again.body.message, errorsOf(again)], [422, TAKEN, { document: [TAKEN] }])
})

test('changes only the sent fields with 201, and never the document', async (t) => {
  const { asked } = await open(t)
  const { data } = worked(await asked('POST', '/clients', WHOLE))
  for (const [method, path] of [
    ['PUT', '/clients/1'],
    ['PATCH', `/billing/clients/${data.code}`],
  ] as const) {
    const changed = await asked(method, path, { name: method, document: 'qualquer coisa', address: ADDRESS })
    t.deepEqual([changed.status, changed.body.message], [201, 'Cliente atualizado com sucesso!'])
    t.like(changed.body.data, { ...WHOLE, name: method, document: '52998224725', address: ADDRESS })
  }
  const cleared = await asked('PUT', '/clients/1', { address: null, metadata: null, fb_id: null, phone: '' })
  t.like(cleared.body.data, { address: null, metadata: null, fb_id: null, phone: null, gender: 'female' })
  for (const body of [{ name: null }, { email: null }, { type: null }, { address: {} }, { metadata: {} }])
    t.is((await asked('PUT', '/clients/1', body)).status, 422, JSON.stringify(body))
  t.is((await asked('PUT', '/clients/1', {})).status, 201)
})

test('shows the metadata of the other generation unchanged', async (t) => {
  const { asked } = await open(t)
  worked(await asked('POST', '/clients', WHOLE))
  t.deepEqual((await asked('GET', '/v1/clients/1')).body.client.metadata, WHOLE.metadata)
  t.is((await asked('PUT', '/v1/clients/1', { metadata: [] })).status, 422)
  worked(await asked('PUT', '/v1/clients/1', { metadata: { a: 1 } }))
  t.deepEqual((await asked('GET', '/clients/1')).body.data.metadata, { a: 1 })
})

test('removes a client with 204, returns 404 for it, and releases its document', async (t) => {
  const { asked } = await open(t)
  const { data } = worked(await asked('POST', '/clients', ANA))
  const removed = await asked('DELETE', `/clients/${data.code}`)
  t.deepEqual([removed.status, removed.text], [204, ''])
  for (const path of ['/clients/1', `/clients/${data.code}`])
    for (const [method, body] of [['GET'], ['PUT', {}], ['DELETE']] as const) {
      const missing = await asked(method, path, body)
      t.deepEqual([missing.status, missing.body.message], [404, 'Cliente não encontrado.'])
    }
  for (const query of ['', '?status=DELETED']) t.deepEqual((await asked('GET', `/clients${query}`)).body.data, [])
  worked(await asked('POST', '/clients', ANA))
})

test('seals the token of another network, shows it nowhere, and deletes it with the client', async (t) => {
  const { asked, every, everything, host } = await open(t)
  const cipher = aesCipher(host.secrets.dataKey)
  const kept = async () =>
    (await every(clientTokens)).map(({ id, fbAccessTokenSealed }) =>
      cipher.open(fbAccessTokenSealed, `payments.client-tokens/${id}/fbAccessToken`),
    )
  const told = [
    await asked('POST', '/clients', { ...ANA, fb_access_token: 'EAAB-primeiro' }),
    await asked('GET', '/clients/1'),
    await asked('PUT', '/clients/1', { fb_access_token: 'EAAB-segundo' }),
    await asked('PUT', '/clients/1', { name: 'Ana' }),
    await asked('GET', '/clients'),
    await asked('GET', '/v1/clients'),
  ]
  for (const { text } of told) t.false(text.includes('EAAB'))
  t.deepEqual(await kept(), ['EAAB-segundo'])
  t.false(JSON.stringify(await everything()).includes('EAAB-'))
  worked(await asked('PUT', '/clients/1', { fb_access_token: null }))
  t.deepEqual(await kept(), [])
  worked(await asked('PUT', '/clients/1', { fb_access_token: 'EAAB-terceiro' }))
  worked(await asked('DELETE', '/clients/1'))
  t.deepEqual(await kept(), [])
})

test('returns 404 for the code of another account’s client', async (t) => {
  const { ask, asked, merchant } = await open(t)
  const { data } = worked(await asked('POST', '/clients', ANA))
  const other = await merchant('bia@example.com', '11444777000161')
  for (const [method, body] of [['GET'], ['PUT', {}], ['DELETE']] as const)
    t.is((await ask(method, `/clients/${data.code}`, { token: other.token, body })).status, 404)
  t.deepEqual((await ask('GET', '/clients', { token: other.token })).body.data, [])
})
