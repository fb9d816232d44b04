import test, { type ExecutionContext } from 'ava'
import { idempotencyKeys } from '../../../../core/office/idempotency-keys.ts'
import { scriptedBank } from '../../../core/payments/registrations/registration-fixtures.ts'
import { confirmedBy, secured, transferrer } from '../given/given.ts'
import {
  type Merchant,
  openMerchant,
  openTestApi,
  PASSWORD,
  statusAndMessage,
  worked,
  wrongFields,
} from '../test-api.ts'

const BAKERY = { name: 'Padaria', email: 'contato@padaria.com', document: '11.222.333/0001-81' }
const WORKSHOP = { name: 'Oficina', document: '529.982.247-25' }
/** Returns a merchant's organization as the API shows it. */
const schoolOf = ({ id, uuid }: Merchant) => ({
  id,
  uuid,
  name: 'Escola Aurora',
  email: 'financeiro@aurora.example',
  document: '11222333000181',
  status: 'INACTIVE',
})

/** Opens the API with a scripted bank. */
const withBank = async (t: ExecutionContext) => {
  const { bank, script, asked } = scriptedBank()
  return { ...(await openTestApi(t, { instead: () => ({ bank }) })), script, asked }
}

test('counts the punctuation of a document, of at most 20 characters', async (t) => {
  const { ask, person } = await openTestApi(t)
  const token = await person()
  const create = (document: string) => ask('POST', '/v1/organizations', { token, body: { name: 'Padaria', document } })
  t.deepEqual(wrongFields(await create('11...222.333/0001--81')), ['document'])
  t.is((await create('11..222.333/0001--81')).status, 201)
})

test('returns 422 with the reason of the bank, and repeats the request with the same key', async (t) => {
  const { ask, person, script } = await withBank(t)
  const token = await person()
  const create = () =>
    ask('POST', '/v1/organizations', { token, body: BAKERY, headers: { 'idempotency-key': 'chave-1' } })
  script.push({ outcome: 'refused', reason: 'Documento irregular.' })
  t.deepEqual(statusAndMessage(await create()), [422, 'O banco recusou a abertura da conta: Documento irregular.'])
  t.is((await create()).status, 201)
})

test('keeps a key without an outcome; its repeat continues at once and is replayed', async (t) => {
  const { ask, person, script, asked, every, drain, clock } = await withBank(t)
  const token = await person()
  const create = (key: string, body: object = BAKERY) =>
    ask('POST', '/v1/organizations', { token, body, headers: { 'idempotency-key': key } })
  script.push({ outcome: 'unknown' }, { outcome: 'unavailable' })
  for (const _time of ['first', 'again']) {
    t.is((await create('k')).status, 503)
    const [key] = await every(idempotencyKeys)
    t.is(key?.status, 'running')
    t.is(key?.leasedUntil, clock.now())
  }
  const opened = await create('k')
  t.is(opened.status, 201)
  t.is((await create('k')).text, opened.text)
  t.is(new Set(asked.map(({ reference }) => reference)).size, 1)

  script.push({ outcome: 'unknown' })
  t.is((await create('by the worker', WORKSHOP)).status, 503)
  await drain(2)
  const found = await create('by the worker', WORKSHOP)
  t.is(found.status, 201)
  t.is((await create('by the worker', WORKSHOP)).text, found.text)

  const refused = { ...BAKERY, document: '123.456.789-09' }
  script.push({ outcome: 'unknown' }, { outcome: 'refused', reason: 'Não.' })
  t.is((await create('refused', refused)).status, 503)
  await drain(2)
  t.is((await create('refused', refused)).status, 422)
  t.is((await every(idempotencyKeys)).length, 2, 'and its key is free')
})

test('changes only the sent fields of an organization, and each status to any other', async (t) => {
  const { ask, merchant: school, token } = await openMerchant(t)
  const change = (body: unknown, method = 'PUT') => ask(method, '/v1/organizations/1', { token, body })
  t.deepEqual((await change({})).body.organization, schoolOf(school))
  const renamed = await change({ name: 'Padaria Nova', email: null }, 'PATCH')
  t.deepEqual(renamed.body.organization, { ...schoolOf(school), name: 'Padaria Nova', email: null })
  t.is(renamed.body.message, 'Organização atualizada com sucesso.')
  for (const status of ['ACTIVE', 'SUSPENDED', 'DISABLED', 'DISQUALIFIED', 'SOFT_DELETED', 'DELETED', 'INACTIVE']) {
    t.is((await change({ status })).body.organization.status, status)
  }
})

test('returns 404 for a removed organization, and keeps its document reserved', async (t) => {
  const api = await openTestApi(t)
  const { ask, merchant } = api
  const own = await merchant()
  const { token, uuid } = own
  const at = (method: string, body?: unknown) => ask(method, '/v1/organizations/1', { token, body })
  const { id } = await api.charge(own)
  const refused = await at('DELETE')
  t.deepEqual([refused.status, refused.body.error_code], [409, 'organization.pending'])
  t.deepEqual(refused.body.errors, { [`charges.${id}`]: ['Esta cobrança está em aberto.'] })
  t.is((await ask('DELETE', `/invoices/${id}`, { token })).status, 200)
  t.deepEqual(statusAndMessage(await at('DELETE')), [200, 'Organização removida com sucesso.'])
  for (const answer of [await at('GET'), await at('PUT', { status: 'ACTIVE' }), await at('DELETE')])
    t.deepEqual(statusAndMessage(answer), [404, 'Organização não encontrada.'])
  t.deepEqual((await ask('GET', '/v1/organizations', { token })).body.organizations, [])
  const headers = { 'x-organization-id': uuid }
  t.is((await ask('GET', '/v1/clients', { token, headers })).status, 404)
  t.is((await ask('POST', '/v1/organizations', { token, body: BAKERY })).status, 422)
})

test('removes no organization with money, and requires the factor for a removal if the account does', async (t) => {
  const api = await openTestApi(t)
  const { token = '', body } = await transferrer(api)
  const { id } = (await api.ask('GET', '/access/account', { token })).body.account
  const remove = async (headers = {}) => {
    const answer = await api.ask('DELETE', `/v1/organizations/${id}`, { token, headers })
    return [answer.status, answer.body.error_code]
  }
  t.deepEqual(await remove(), [409, 'organization.funds'])
  const send = (amount: number) => api.ask('POST', '/transfers/internal', { token, body: { ...body, amount } })
  worked(await send(999.99))
  t.deepEqual(await remove(), [409, 'organization.funds'])
  worked(await send(0.01))
  worked(await api.ask('PATCH', '/v1/account/second-factor', { token, body: { second_factor_from: 50 } }))
  t.deepEqual(await remove(), [403, 'second-factor.required'])
  const { recoveryCodes } = await secured(api, { token, body: { password: PASSWORD } })
  const proof = { 'x-second-factor': await confirmedBy(api, token, recoveryCodes[0] ?? '') }
  t.deepEqual(await remove(proof), [200, undefined])
})
