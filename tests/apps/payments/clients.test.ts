import test, { type ExecutionContext } from 'ava'
import { openMerchant, openTestApi, statusAndMessage, worked } from './test-api.ts'

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
