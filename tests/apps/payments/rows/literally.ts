import test from 'ava'
import { PATTERNS } from '../../rows/hostile/injection.ts'
import { placeOf } from '../../rows/places.ts'
import { paymentsRows } from './payments-rows.ts'

const { rows, open, prepare } = paymentsRows

test.serial('a search finds what is literally there', async (t) => {
  const api = await open(t, 'file')
  const charges = rows.find(({ name }) => name === 'charges.issue')
  if (!charges) return t.fail('charges are issued no more')
  const { token = '', body } = await prepare(api, placeOf(charges))
  const name = PATTERNS.join(' ')
  await api.ask('POST', '/invoices', { token, body: { ...body, name } })
  await api.ask('POST', '/invoices', { token, body: { ...body, document: '529.982.247-25' } })
  for (const pattern of PATTERNS) {
    const { body: found } = await api.ask('GET', `/invoices?${new URLSearchParams({ search: pattern })}`, { token })
    t.deepEqual(
      found.data.map(({ client }: { client: { name: string } }) => client.name),
      [name],
      pattern,
    )
  }
})

test.serial('an e-mail is one e-mail, however its letters are written', async (t) => {
  const api = await open(t, 'file')
  const register = (email: string) =>
    api.ask('POST', '/v1/auth/register', {
      body: { name: 'José', email, password: 'correto e longo', password_confirmation: 'correto e longo' },
    })
  t.is((await register('Jos\u00e9.\u0130@example.com')).status, 201)
  for (const same of [
    'jose\u0301.\u0130@example.com',
    'JOS\u00c9.i\u0307@EXAMPLE.com',
    'JOSE\u0301.\u0130@example.COM ',
  ]) {
    const { status, body } = await register(same)
    t.deepEqual([status, Object.keys(body.errors ?? {})], [422, ['email']], same)
  }
})
