// Also runs on MongoDB, in test:long.
import test from 'ava'
import type { Role } from '../../../core/real-estate/real-estate-ports.ts'
import { companies, users } from '../../../core/real-estate/records/people.ts'
import { type EstateTestApi, NOW, openEstateApi, outcomeOf, type Person, wrongIn } from './test-api.ts'

const COMPANY = '7d1c2b3a-0000-4000-8000-00000000000a'
const OTHER = '7d1c2b3a-0000-4000-8000-00000000000b'

const sent = (uid: string, role: Role, over: object = {}) => ({
  firebaseUid: uid,
  email: `${uid}@example.com`,
  name: 'Ana Souza',
  role,
  companyId: COMPANY,
  ...over,
})

const tokenOf = (api: EstateTestApi, uid: string, over: object = {}) =>
  api.sign({ sub: uid, email: `${uid}@example.com`, email_verified: true, name: 'Ana Souza', ...over })

const post = (api: EstateTestApi, token: string, body: unknown, headers: Record<string, string> = {}) =>
  api.ask('POST', '/api/auth/register', { token, body, headers })

/** Registers a user with their own token. */
const joins = async (api: EstateTestApi, uid: string, role: Role, over: object = {}) =>
  post(api, await tokenOf(api, uid), sent(uid, role, over))

test('an Admin who registers with a new company founds it with its name', async (t) => {
  const api = await openEstateApi(t)
  const company = { legalName: ' Aurora Ltda. ', taxId: '11.222.333/0001-81' }
  const made = await joins(api, 'ana', 'Admin', { company })
  t.is(made.status, 201, made.text)
  t.deepEqual(made.body, { id: made.body.id, ...sent('ana', 'Admin'), createdAt: NOW })
  t.like(await api.every(companies), [{ id: COMPANY, legalName: 'Aurora Ltda.', taxId: '11222333000181' }])
  const bare = await joins(api, 'bia', 'Admin', { companyId: OTHER.toUpperCase() })
  t.like(bare, { status: 201, body: { companyId: OTHER } })
  t.like((await api.ask('POST', '/api/auth/refresh', { token: await tokenOf(api, 'bia') })).body, {
    company: { id: OTHER, legalName: null, taxId: null },
  })
})

test('only an Admin can found a company', async (t) => {
  const api = await openEstateApi(t)
  for (const role of ['Broker', 'Financial', 'Owner', 'Tenant', 'Syndic'] as const) {
    const answer = await joins(api, 'ana', role)
    t.is(answer.status, 400, answer.text)
    t.deepEqual(wrongIn(answer), { companyId: ['unknown'] })
  }
  t.deepEqual([await api.every(users), await api.every(companies)], [[], []])
})

test('uid and e-mail of a registration must be those of the token, regardless of case of the e-mail', async (t) => {
  const api = await openEstateApi(t)
  const token = await tokenOf(api, 'ana', { email: 'Ana@Example.COM' })
  const another = await post(api, token, sent('ana', 'Admin', { firebaseUid: 'bia', email: 'bia@example.com' }))
  t.is(another.status, 400)
  t.deepEqual(wrongIn(another), { firebaseUid: ['not-own'], email: ['not-own'] })
  for (const none of [undefined, null, '', 'none'] as const) {
    const answer = await post(api, await tokenOf(api, 'ana', { email: none }), sent('ana', 'Admin'))
    t.deepEqual([answer.status, wrongIn(answer)], [400, { email: ['not-own'] }], `${none}`)
  }
  t.deepEqual(await api.every(users), [])
  const made = await post(api, token, sent('ana', 'Admin', { email: 'ANA@example.com' }))
  t.like(made, { status: 201, body: { email: 'ana@example.com' } })
})

test('a provider id and an e-mail belong to one user across all companies', async (t) => {
  const api = await openEstateApi(t)
  t.is((await joins(api, 'ana', 'Admin')).status, 201)
  const before = await api.everything()
  const again = await joins(api, 'ana', 'Admin')
  t.deepEqual([outcomeOf(again), again.body.title], ['409 user.uid.taken', 'Conflito'])
  t.deepEqual(wrongIn(again), { firebaseUid: ['user.uid.taken'], email: ['user.email.taken'] })
  t.is((await joins(api, 'ana', 'Admin', { companyId: OTHER })).status, 409)
  const sameEmail = await post(
    api,
    await tokenOf(api, 'bia', { email: 'ANA@example.com' }),
    sent('bia', 'Admin', { companyId: OTHER, email: 'ana@example.com' }),
  )
  t.is(outcomeOf(sameEmail), '409 user.email.taken')
  t.deepEqual(wrongIn(sameEmail), { email: ['user.email.taken'] })
  const admin = await tokenOf(api, 'ana')
  t.is((await post(api, admin, sent('bia', 'Broker', { email: 'Ana@example.com' }))).status, 409)
  t.deepEqual(await api.everything(), before)
})

test('only an Admin of the company registers staff', async (t) => {
  const api = await openEstateApi(t)
  const [ours, theirs] = [await api.agency(), await api.agency()]
  const broker = await api.colleague(ours, 'Broker')
  const ask = (by: Person, role: Role, companyId: string) =>
    post(api, by.token, sent(`new-${role.toLowerCase()}`, role, { companyId }))
  const before = await api.everything()
  for (const role of ['Admin', 'Broker', 'Financial', 'Owner', 'Tenant', 'Syndic'] as const) {
    for (const [by, companyId] of [
      [broker, ours.companyId],
      [broker, theirs.companyId],
      [broker, OTHER],
      [theirs, ours.companyId],
    ] as const) {
      const answer = await ask(by, role, companyId)
      t.is(outcomeOf(answer), '403 registration.forbidden', `${role} ${answer.text}`)
    }
    const unknown = await ask(ours, role, OTHER)
    t.deepEqual([unknown.status, wrongIn(unknown)], [400, { companyId: ['unknown'] }])
  }
  t.deepEqual(await api.everything(), before)
  for (const role of ['Admin', 'Broker', 'Financial', 'Owner', 'Tenant', 'Syndic'] as const) {
    const answer = await ask(ours, role, ours.companyId)
    t.like(answer, { status: 201, body: { role, companyId: ours.companyId } }, answer.text)
  }
})

test('with open registration every role but Admin registers itself; otherwise only owners and tenants do', async (t) => {
  const open = await openEstateApi(t, { env: { OPEN_REGISTRATION: 'true' } })
  const closed = await openEstateApi(t, { env: { OPEN_REGISTRATION: 'false' } })
  for (const api of [open, closed]) {
    await joins(api, 'founder', 'Admin')
    t.is((await joins(api, 'caio', 'Admin', { name: '' })).status, 400, 'field errors precede the permission')
    const statuses: Record<string, number> = {}
    for (const role of ['Admin', 'Broker', 'Financial', 'Owner', 'Tenant', 'Syndic'] as const)
      statuses[role] = (await joins(api, `self-${role.toLowerCase()}`, role)).status
    const staff = api === open ? 201 : 403
    t.deepEqual(statuses, { Admin: 403, Broker: staff, Financial: staff, Owner: 201, Tenant: 201, Syndic: staff })
  }
})

test('an idempotency key belongs to the token of its caller, also before the registration', async (t) => {
  const api = await openEstateApi(t)
  const token = await tokenOf(api, 'ana')
  const headers = { 'idempotency-key': 'cadastro-1' }
  const first = await post(api, token, sent('ana', 'Admin'), headers)
  const again = await post(api, token, sent('ana', 'Admin'), headers)
  t.deepEqual([first.status, again.status, again.text], [201, 201, first.text])
  const other = await post(api, await tokenOf(api, 'bia'), sent('bia', 'Admin', { companyId: OTHER }), headers)
  t.like(other, { status: 201, body: { firebaseUid: 'bia' } })
})
