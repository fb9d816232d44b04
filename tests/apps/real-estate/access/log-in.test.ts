import test from 'ava'
import { rows } from '../../../../apps/real-estate/catalogue.ts'
import { type EstateTestApi, openEstateApi, type Person, worked } from '../test-api.ts'

const logIn = (api: EstateTestApi, token: string, body: unknown = {}) =>
  api.ask('POST', '/api/auth/login', { token, body })

const signed = (api: EstateTestApi, { uid, email }: Pick<Person, 'uid' | 'email'>, over: object = {}) =>
  api.sign({ sub: uid, email, email_verified: true, ...over })

test('login and refresh answer the user with their company', async (t) => {
  const api = await openEstateApi(t)
  const admin = await api.agency()
  const shown = {
    id: admin.userId,
    firebaseUid: admin.uid,
    email: admin.email,
    name: `Pessoa ${admin.uid}`,
    role: 'Admin',
    companyId: admin.companyId,
    isDarkMode: false,
    company: { id: admin.companyId, legalName: null, taxId: null },
  }
  for (const path of ['/api/auth/login', '/api/auth/refresh']) {
    const answer = await api.ask('POST', path, { token: admin.token })
    t.deepEqual([answer.status, answer.body], [200, shown], path)
    t.is(answer.headers.get('content-type'), 'application/json; charset=utf-8')
  }
  t.deepEqual((await logIn(api, admin.token, { role: 'Tenant', name: 'x' })).body, shown)
})

test('login takes the name and the verified e-mail that the provider tells now, and nothing else', async (t) => {
  const api = await openEstateApi(t)
  const ana = await api.agency()
  api.clock.advance(60)
  const renamed = await logIn(api, await signed(api, ana, { email: 'Nova@Example.com', name: ' Ana Lima ' }))
  t.like(worked(renamed), { name: 'Ana Lima', email: 'nova@example.com', role: 'Admin', companyId: ana.companyId })
  const before = await api.everything()
  for (const over of [
    { email: 'nova@example.com', name: 'Ana Lima' },
    { email: 'outra@example.com', email_verified: false, name: 'Ana Lima' },
    { email: undefined, name: undefined },
    { email: 'no address', name: ' ' },
    { email: 'nova@example.com', name: 'x'.repeat(256) },
  ])
    t.like(worked(await logIn(api, await signed(api, ana, over))), { name: 'Ana Lima', email: 'nova@example.com' })
  t.deepEqual(await api.everything(), before)
  t.like((await api.ask('POST', '/api/auth/refresh', { token: await signed(api, ana, { name: 'Zoe' }) })).body, {
    name: 'Ana Lima',
  })
  t.deepEqual(await api.everything(), before)
})

test('an e-mail that another user has stays theirs, and the login works', async (t) => {
  const api = await openEstateApi(t)
  const [ana, bia] = [await api.agency(), await api.agency()]
  const answer = await logIn(api, await signed(api, ana, { email: bia.email.toUpperCase(), name: 'Ana Lima' }))
  t.like(answer, { status: 200, body: { email: ana.email, name: 'Ana Lima' } })
  t.like(worked(await logIn(api, bia.token)), { email: bia.email })
})

test('of two users who come with one new e-mail at once, one has it', async (t) => {
  const api = await openEstateApi(t)
  const [ana, bia] = [await api.agency(), await api.agency()]
  const tokens = await Promise.all([ana, bia].map((who) => signed(api, who, { email: 'nova@example.com' })))
  const answers = await Promise.all(tokens.map((token) => logIn(api, token)))
  t.deepEqual(
    answers.map(({ status }) => status),
    [200, 200],
  )
  t.is(answers.filter(({ body }) => body.email === 'nova@example.com').length, 1)
})

const bodyOf = (path: string) =>
  path.endsWith('/import') ? { body: 'name', headers: { 'content-type': 'text/csv' } } : { body: {} }

test('whoever is not registered is 404 at login, and 403 at every other route but registration', async (t) => {
  const api = await openEstateApi(t)
  const token = await api.sign({ sub: 'nobody', email: 'nobody@example.com', email_verified: true })
  const before = await api.everything()
  t.like(await logIn(api, token), { status: 404, body: { code: 'user.unknown' } })
  const members = rows.filter(({ auth }) => auth === 'member')
  t.true(members.length > 5)
  for (const { paths, methods } of members)
    for (const path of paths) {
      const target = path.replace(/:\w+/g, '3f2b8c1e-5d0a-4f6b-8a3c-000000000001')
      for (const method of methods) {
        const sent = method === 'GET' || method === 'DELETE' ? {} : bodyOf(path)
        const answer = await api.ask(method, target, { token, ...sent })
        t.like(answer, { status: 403, body: { code: 'user.unregistered' } }, `${method} ${target}: ${answer.text}`)
      }
    }
  t.deepEqual(await api.everything(), before)
})

test('every route asks for a token, in a header of its own form', async (t) => {
  const api = await openEstateApi(t)
  const { token } = await api.agency()
  for (const path of ['/api/auth/register', '/api/auth/login', '/api/auth/refresh', '/api/clients']) {
    t.like(await api.ask('POST', path, { body: {} }), { status: 401, body: { code: 'token.invalid' } })
    for (const authorization of ['', token, `Basic ${token}`, `Bearer ${token} ${token}`, 'Bearer', `Bearer ${token},`])
      t.is((await api.ask('POST', path, { body: {}, headers: { authorization } })).status, 401, authorization)
  }
  t.is((await api.ask('POST', '/api/auth/login', { headers: { authorization: `bearer   ${token}` } })).status, 200)
})
