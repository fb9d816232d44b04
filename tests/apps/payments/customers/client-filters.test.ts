import test, { type ExecutionContext } from 'ava'
import { errorsOf, openTestApi, worked } from '../test-api.ts'

const ANA = {
  name: 'Ana Conceição',
  document: '52998224725',
  type: 'individual',
  gender: 'female',
  birthdate: '1990-02-28',
}
const BIA = { name: 'Bia 100% Ltda', document: '11444777000161', type: 'company' }
const CAIO = { name: 'Caio_Lima', document: '12345678909', type: 'individual', gender: 'male', birthdate: '2000-03-01' }
const DUDA = { name: 'Duda', document: '12ABC34501DE35', type: 'company', birthdate: '1990-03-01' }

/**
 * Ana at 23:59:59 in São Paulo on the 23rd, Bia at 00:00:00 on the 24th, Caio and Duda on the 25th; then Ana is changed on the
 * 26th. Of another account there is a fifth.
 */
const open = async (t: ExecutionContext) => {
  const api = await openTestApi(t)
  const merchant = await api.merchant()
  const other = await api.merchant('joao@example.com', '11222333000262')
  const add = async (body: object, at: string) => {
    api.clock.set(at)
    const { token } = await api.again(merchant)
    const email = 'pessoa@example.com'
    worked(await api.ask('POST', '/clients', { token, body: { email, ...body } }))
    return token
  }
  await api.ask('POST', '/clients', { token: other.token, body: { ...ANA, email: 'ana@example.com' } })
  await add(ANA, '2026-11-24T02:59:59.999Z')
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
  ['type=individual', 'Caio Ana'],
  ['type=company', 'Duda Bia'],
  ['gender=male', 'Caio'],
  ['gender=female', 'Ana'],
  ['type=company&gender=male', ''],
  ['status=ACTIVE', 'Duda Caio Bia Ana'],
  ['status=INACTIVE', ''],
  ['status=DELETED', ''],
  ['search=conceicao', 'Ana'],
  ['search=CONCEI%C3%87%C3%83O', 'Ana'],
  ['search=529982', 'Ana'],
  ['search=529.982.247-25', 'Ana'],
  ['search=11.444.777/0001-61', 'Bia'],
  ['search=12.abc.345/01de-35', 'Duda'],
  ['search=529.982', 'Ana'],
  ['search=982.247-2', 'Ana'],
  ['search=0001-61', 'Bia'],
  ['search=444%20777', 'Bia'],
  ['search=12.abc.3', 'Duda'],
  ['search=12%20ABC%20345%2001DE%2035', 'Duda'],
  ['search=529.983', ''],
  ['search=.-', ''],
  ['search=%25', 'Bia'],
  ['search=_', 'Caio'],
  ['search=.*', ''],
  ['search=', 'Duda Caio Bia Ana'],
  ['created_at_end=2026-11-23', 'Ana'],
  ['created_at_start=2026-11-24', 'Duda Caio Bia'],
  ['created_at_start=2026-11-24&created_at_end=2026-11-24', 'Bia'],
  ['updated_at_start=2026-11-26', 'Ana'],
  ['updated_at_start=2026-11-24&updated_at_end=2026-11-25', 'Duda Caio Bia'],
  ['birthdate_start=1990-02-28&birthdate_end=1990-02-28', 'Ana'],
  ['birthdate_start=1990-03-01', 'Duda Caio'],
  ['birthdate_end=1990-03-01&type=company', 'Duda'],
  ['birthdate_end=1989-12-31', ''],
  ['search=a&type=individual&created_at_start=2026-11-23&birthdate_end=1999-01-01', 'Ana'],
]

test('clients are found by each filter alone and together, the newest first, with their total', async (t) => {
  const { ask, token } = await open(t)
  for (const path of ['/clients', '/billing/clients'])
    for (const [query, names, total] of found) {
      const { status, body } = await ask('GET', `${path}?${query}`, { token })
      t.is(status, 200, query)
      t.is(body.data.map(({ name }: { readonly name: string }) => /^\p{L}+/u.exec(name)?.[0]).join(' '), names, query)
      t.is(body.meta.total, total ?? body.data.length, query)
    }
})

const refused: readonly (readonly [query: string, field: string])[] = [
  ['type=robot', 'type'],
  ['gender=x', 'gender'],
  ['status=1', 'status'],
  ['status=ACTIVE&status=ACTIVE', 'status'],
  [`search=${'x'.repeat(101)}`, 'search'],
  ['created_at_start=2026-02-30', 'created_at_start'],
  ['created_at_start=2026-11-24&created_at_end=2026-11-23', 'created_at_end'],
  ['updated_at_end=ontem', 'updated_at_end'],
  ['birthdate_start=1990-13-01', 'birthdate_start'],
  ['birthdate_start=1990-03-02&birthdate_end=1990-03-01', 'birthdate_end'],
  ['per_page=501', 'per_page'],
  ['page=0', 'page'],
]
test('a wrong filter is 422 and named', async (t) => {
  const { ask, merchant } = await openTestApi(t)
  const { token } = await merchant()
  for (const [query, field] of refused) {
    const answer = await ask('GET', `/clients?${query}`, { token })
    t.is(answer.status, 422, query)
    t.deepEqual(Object.keys(errorsOf(answer)), [field])
  }
  t.is((await ask('GET', `/clients?search=${encodeURIComponent('%_.*'.repeat(25))}`, { token })).status, 200)
})

test('a name with other white space is found by spaces', async (t) => {
  const { ask, merchant } = await openTestApi(t)
  const { token } = await merchant()
  for (const name of ['Maria\u00a0da\u00a0Silva', 'José  Dois'])
    t.is((await ask('POST', '/v1/clients', { token, body: { name } })).status, 201)
  for (const [search, found] of [
    ['maria da silva', 'Maria\u00a0da\u00a0Silva'],
    ['josé dois', 'José  Dois'],
    ['jose\u00a0dois', 'José  Dois'],
  ] as const) {
    const { body } = await ask('GET', `/clients?search=${encodeURIComponent(search)}`, { token })
    t.deepEqual(
      body.data.map(({ name }: { name: string }) => name),
      [found],
    )
  }
})
