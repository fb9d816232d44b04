// Also runs on MongoDB, in test:long.

import test from 'ava'
import { contracts } from '../../../core/real-estate/records/contract.ts'
import { renames } from '../../../core/real-estate/records/renames.ts'
import { storedIn } from '../../core/real-estate/records.ts'
import { openAgency } from './given/basics.ts'
import { type EstateTestApi, openEstateApi, type Person, worked } from './test-api.ts'

const MARIA = { name: 'Maria da Silva', email: 'maria@example.com', type: 'Individual', interest: 'Lease' }

test('search finds a document with and without punctuation, whole or in part, also with letters', async (t) => {
  const { ask } = await openAgency(t)
  const made = async (body: object) => worked(await ask('POST', '/api/clients', { ...MARIA, ...body }))
  const person = await made({ taxId: '123.456.789-09' })
  const firm = await made({ name: 'Aurora', type: 'Company', taxId: '12.ABC.345/01DE-35' })
  for (const [search, ...found] of [
    ...['12.ABC.345/01DE-35', '12.abc.345/01de-35', '12ABC34501DE35', '12.ABC', '12.ABC.3', '12.ABC.345/01'].map(
      (text) => [text, firm],
    ),
    ...['123.456.789-09', '12345678909', '456.789'].map((text) => [text, person]),
    ...['12.ABC.34/5', 'AB.C'].map((text) => [text]),
  ]) {
    const answer = await ask('GET', `/api/clients?search=${encodeURIComponent(search)}`)
    t.deepEqual(worked(answer).data, found, search)
  }
})

/** Founds a company with an Admin and a Broker. `owned` returns the owners of the properties that a user sees. */
const openCompany = async (api: EstateTestApi) => {
  const admin = await api.agency()
  const { token } = await api.colleague(admin, 'Broker')
  const setEmail = (id: string, by: Pick<Person, 'token'>, email: string) =>
    api.ask('PUT', `/api/clients/${id}`, { token: by.token, body: { ...MARIA, email } })
  const owned = async (user: Pick<Person, 'token'>): Promise<readonly string[]> =>
    worked(await api.ask('GET', '/api/properties', { token: user.token })).data.map(
      (each: { ownerId: string }) => each.ownerId,
    )
  return { ...storedIn(api, admin), admin, broker: { token }, setEmail, owned }
}

const LINKED = { status: 403, body: { code: 'client.email.linked' } }

test('only an Admin changes an e-mail that gives access, and no change moves or ends a link', async (t) => {
  const api = await openEstateApi(t)
  const { admin, broker, setEmail, owned, clientOf, propertyOf } = await openCompany(api)
  const [olga, rival] = [await api.colleague(admin, 'Owner'), await api.colleague(admin, 'Owner')]
  const { id } = worked(
    await api.ask('POST', '/api/clients', { token: broker.token, body: { ...MARIA, email: olga.email } }),
  )
  const free = await clientOf()
  for (const ownerId of [id, free.id]) await propertyOf({ ownerId })
  t.deepEqual([await owned(olga), await owned(rival)], [[id], []])
  for (const email of [rival.email, 'new@example.com', admin.email])
    t.like(await setEmail(id, broker, email), LINKED, email)
  for (const email of [olga.email, rival.email, admin.email])
    t.like(await setEmail(free.id, broker, email), LINKED, email)
  t.is((await setEmail(id, broker, olga.email.toUpperCase())).status, 200, 'the e-mail that it has')
  t.is((await setEmail(free.id, broker, 'free@example.com')).status, 200)
  for (const email of ['new@example.com', rival.email]) {
    t.is((await setEmail(id, admin, email)).status, 200)
    t.deepEqual([await owned(olga), await owned(rival)], [[id], []], email)
  }
  t.like(await setEmail(id, broker, 'other@example.com'), LINKED, 'the link is stored')
  t.is((await setEmail(free.id, admin, rival.email)).status, 200)
  t.deepEqual(await owned(rival), [free.id], 'a new match links')
  // A user of another company has no access.
  const stranger = await api.colleague(await api.agency(), 'Owner')
  t.is((await setEmail((await clientOf()).id, broker, stranger.email)).status, 200)
})

test('an e-mail links a client only once its user has verified it', async (t) => {
  const api = await openEstateApi(t)
  const { admin, broker, setEmail, owned, clientOf, propertyOf } = await openCompany(api)
  const email = 'dona@example.com'
  const tokenOf = (sub: string, verified: boolean, of = email) =>
    api.sign({ sub, email: of, email_verified: verified, name: 'Dona' })
  const claimed = { firebaseUid: 'claims', email, name: 'Dona', role: 'Owner', companyId: admin.companyId }
  const token = await tokenOf('claims', false)
  worked(await api.ask('POST', '/api/auth/register', { token, body: claimed }))
  const [moved, stays] = [await clientOf({ email }), await clientOf({ email })]
  for (const ownerId of [moved.id, stays.id]) await propertyOf({ ownerId })
  t.deepEqual(await owned({ token }), [])
  t.is((await setEmail(moved.id, broker, 'dona.nova@example.com')).status, 200, 'no user has signed in by it')
  const verified = { token: await tokenOf('claims', true) }
  t.deepEqual(await owned(verified), [stays.id])
  t.like(await setEmail(stays.id, broker, 'outra@example.com'), LINKED)
  worked(await setEmail(stays.id, admin, 'outra@example.com'))
  t.deepEqual([await owned(verified), await owned({ token })], [[stays.id], []])
  const other = { ...claimed, firebaseUid: 'new', email: 'dona.nova@example.com' }
  const newOwner = { token: await tokenOf('new', true, other.email) }
  worked(await api.ask('POST', '/api/auth/register', { token: newOwner.token, body: other }))
  t.deepEqual(await owned(newOwner), [moved.id])
})

const searchesOf = async (api: Awaited<ReturnType<typeof openEstateApi>>) =>
  (await api.every(contracts)).map(({ search }) => search).sort()

test('records of a renamed client are found by the new name, and no longer by the old one', async (t) => {
  const { api, ask, clientOf, contractOf } = await openAgency(t)
  const maria = await clientOf()
  const of = { propertyId: 'x', clientId: maria.id, clientName: maria.name }
  for (let count = 0; count < 230; count += 1)
    await contractOf({ ...of, propertyCode: 'AP-1', search: 'ap-1\nmaria da silva' })
  worked(await ask('PUT', `/api/clients/${maria.id}`, { ...MARIA, name: 'Joana Prado' }))
  await api.drain()
  t.deepEqual([...new Set(await searchesOf(api))], ['ap-1\njoana prado'])
  // Requests that had read the old name are checked a minute later.
  t.is((await api.every(renames)).length, 1)
  await contractOf({ ...of, propertyCode: 'AP-2', search: 'ap-2\nmaria da silva' })
  api.clock.advance(61)
  await api.drain()
  t.deepEqual([...new Set(await searchesOf(api))], ['ap-1\njoana prado', 'ap-2\njoana prado'])
  t.deepEqual(await api.every(renames), [])
  worked(await ask('PUT', `/api/clients/${maria.id}`, { ...MARIA, name: 'Joana Prado', interest: 'Both' }))
  await api.drain()
  t.deepEqual(await api.every(renames), [], 'the same name starts no work')
})
