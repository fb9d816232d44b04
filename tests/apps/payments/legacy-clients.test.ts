import test, { type ExecutionContext } from 'ava'
import { aesCipher } from '../../../adapters/crypto/cipher.ts'
import { clientTokens } from '../../../core/payments/customers/client.ts'
import { openMerchant, statusAndMessage, worked, wrongFields } from './test-api.ts'

const ADDRESS = { street: 'Rua A', city: 'Recife', state: 'PE' }
const ANA = { name: 'Ana Souza', email: 'ana@example.com', document: '529.982.247-25', type: 'individual' }
const WHOLE = {
  ...ANA,
  phone: '11 98888-0000',
  gender: 'female',
  birthdate: '1990-02-28',
  address: { ...ADDRESS, number: '10', zip: '50000-000', country: 'BR', observation: 'Fundos' },
  metadata: [{ label: 'origem', value: { canal: 'loja' } }, { label: 'notas', value: [1, 2.5, null] }, { label: 'só' }],
  fb_id: '10158',
}

const open = async (t: ExecutionContext) => {
  const { api, token } = await openMerchant(t)
  const ask = (method: string, path: string, body?: unknown) => api.ask(method, path, { token, body })
  return { ...api, send: ask, token }
}

test('creates an ACTIVE client, shown by id and code on both paths and in /v1/clients', async (t) => {
  const { send } = await open(t)
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
  const { send } = await open(t)
  for (const [over, fields] of wrong)
    t.deepEqual(wrongFields(await send('POST', '/clients', { ...ANA, ...over })), fields)
  t.deepEqual((await send('GET', '/clients')).body.data, [])
})

test('changes only the sent fields with 201, and never the document', async (t) => {
  const { send } = await open(t)
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
  const { send } = await open(t)
  worked(await send('POST', '/clients', WHOLE))
  t.deepEqual((await send('GET', '/v1/clients/1')).body.client.metadata, WHOLE.metadata)
  t.is((await send('PUT', '/v1/clients/1', { metadata: [] })).status, 422)
  worked(await send('PUT', '/v1/clients/1', { metadata: { a: 1 } }))
  t.deepEqual((await send('GET', '/clients/1')).body.data.metadata, { a: 1 })
})

test('removes a client with 204, returns 404 for it, and releases its document', async (t) => {
  const { send } = await open(t)
  const { data } = worked(await send('POST', '/clients', ANA))
  const removed = await send('DELETE', `/clients/${data.code}`)
  t.deepEqual([removed.status, removed.text], [204, ''])
  for (const path of ['/clients/1', `/clients/${data.code}`])
    for (const [method, body] of [['GET'], ['PUT', {}], ['DELETE']] as const)
      t.deepEqual(statusAndMessage(await send(method, path, body)), [404, 'Cliente não encontrado.'])
  for (const query of ['', '?status=DELETED']) t.deepEqual((await send('GET', `/clients${query}`)).body.data, [])
  worked(await send('POST', '/clients', ANA))
})

test('seals the token of another network, shows it nowhere, and deletes it with the client', async (t) => {
  const { send, every, everything, host } = await open(t)
  const cipher = aesCipher(host.secrets.dataKey)
  const storedTokens = async () =>
    (await every(clientTokens)).map(({ id, fbAccessTokenSealed }) =>
      cipher.open(fbAccessTokenSealed, `payments.client-tokens/${id}/fbAccessToken`),
    )
  const answers = [
    await send('POST', '/clients', { ...ANA, fb_access_token: 'EAAB-primeiro' }),
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
