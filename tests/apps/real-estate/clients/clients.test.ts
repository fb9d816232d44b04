import test from 'ava'
import { openEstateApi, worked, wrongIn } from '../test-api.ts'

const MARIA = { name: 'Maria da Silva', email: 'maria@example.com', type: 'Individual', interest: 'Lease' }
const place = { street: 'Rua das Flores', number: '100', city: 'São Paulo', state: 'SP', zipCode: '01310-100' }

test('a client is made, shown, listed, replaced and removed by their company alone', async (t) => {
  const api = await openEstateApi(t)
  const [admin, other] = [await api.agency(), await api.agency()]
  const made = await api.ask('POST', '/api/clients', {
    token: admin.token,
    body: { ...MARIA, taxId: '123.456.789-09', address: place, status: 'Gone' },
  })
  t.is(made.status, 201, made.text)
  t.like(made.body, { ...MARIA, taxId: '12345678909', phone: null, preferences: null })
  t.is(made.body.address.zipCode, '01310100')
  const path = `/api/clients/${made.body.id}`
  t.deepEqual((await api.ask('GET', path, { token: admin.token })).body, made.body)
  t.is((await api.ask('GET', path, { token: other.token })).status, 404)
  const list = worked(await api.ask('GET', '/api/clients?search=123.456.789-09', { token: admin.token }))
  t.like(list, { page: 1, pageSize: 20, total: 1, totalPages: 1, hasNext: false, hasPrevious: false })
  t.deepEqual(list.data, [made.body])
  const put = await api.ask('PUT', path, { token: admin.token, body: { ...MARIA, interest: 'Both' } })
  t.like(put.body, { interest: 'Both', taxId: null, address: null })
  const broker = await api.colleague(admin, 'Broker')
  t.is((await api.ask('DELETE', path, { token: broker.token })).status, 403)
  t.is((await api.ask('DELETE', path, { token: admin.token })).status, 204)
  t.is((await api.ask('GET', path, { token: admin.token })).status, 404)
})

test('a person has a CPF and a company a CNPJ, which no other client of the agency has', async (t) => {
  const api = await openEstateApi(t)
  const { token } = await api.agency()
  const ask = (body: object) => api.ask('POST', '/api/clients', { token, body: { ...MARIA, ...body } })
  const wrong = await ask({ taxId: '11.222.333/0001-81', email: 'x', address: { street: ' ' } })
  t.is(wrong.status, 400)
  t.is(wrong.headers.get('content-type'), 'application/problem+json')
  t.deepEqual(wrongIn(wrong), {
    email: ['email'],
    'address.street': ['required'],
    'address.number': ['required'],
    'address.city': ['required'],
    'address.state': ['required'],
    'address.zipCode': ['required'],
    taxId: ['document.kind'],
  })
  t.is((await ask({ type: 'Company', taxId: '11.222.333/0001-81' })).status, 201)
  const taken = await ask({ type: 'Company', taxId: '11222333000181' })
  t.like(taken, { status: 409, body: { code: 'client.taxId.taken', title: 'Conflito', status: 409 } })
  t.deepEqual(wrongIn(await api.ask('GET', '/api/clients?type[$ne]=x&pageSize=101', { token })), {
    pageSize: ['integer.max'],
    type: ['operator'],
  })
})

test('a document is found with and without its marks, whole or in part, one with letters too', async (t) => {
  const api = await openEstateApi(t)
  const { token } = await api.agency()
  const made = async (body: object) =>
    worked(await api.ask('POST', '/api/clients', { token, body: { ...MARIA, ...body } }))
  const person = await made({ taxId: '123.456.789-09' })
  const firm = await made({ name: 'Aurora', type: 'Company', taxId: '12.ABC.345/01DE-35' })
  for (const [search, ...found] of [
    ...['12.ABC.345/01DE-35', '12.abc.345/01de-35', '12ABC34501DE35', '12.ABC.3', '12.ABC.345/01'].map((text) => [
      text,
      firm,
    ]),
    ...['123.456.789-09', '12345678909', '456.789'].map((text) => [text, person]),
    ...['12.ABC', '12.ABC.34/5', 'AB.C'].map((text) => [text]),
  ]) {
    const answer = await api.ask('GET', `/api/clients?search=${encodeURIComponent(search)}`, { token })
    t.deepEqual(worked(answer).data, found, search)
  }
})
