import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'ava'
import { rows } from '../../../apps/real-estate/catalogue.ts'
import { always, patch } from '../../../core/kernel/records/record.ts'
import { users } from '../../../core/real-estate/records/people.ts'
import { beforeCommits } from '../../core/kernel/running/tasks.ts'
import { invited, openAgency } from './given/basics.ts'
import { type EstateTestApi, openEstateApi, outcomeOf, type Person, worked } from './test-api.ts'

const logIn = (api: EstateTestApi, token: string, body: unknown = {}) =>
  api.ask('POST', '/api/auth/login', { token, body })

const signed = (api: EstateTestApi, { uid, email }: Pick<Person, 'uid' | 'email'>, over: object = {}) =>
  api.sign({ sub: uid, email, email_verified: true, ...over })

test('login and refresh return the user with their company', async (t) => {
  const { api, admin, ask } = await openAgency(t)
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
    const answer = await ask('POST', path)
    t.deepEqual([answer.status, answer.body], [200, shown], path)
    t.is(answer.headers.get('content-type'), 'application/json; charset=utf-8')
  }
  t.deepEqual((await logIn(api, admin.token, { role: 'Tenant', name: 'x' })).body, shown)
})

test('login stores the current name and verified e-mail of the provider, and nothing else', async (t) => {
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

test('a login with a new e-mail is mailed to the former address once, unless that was never proven', async (t) => {
  let before: (() => Promise<unknown>) | null = null
  const api = await openEstateApi(t, {
    instead: ({ store }) => ({
      store: beforeCommits(store, async () => {
        const act = before
        before = null
        await act?.()
      }),
    }),
  })
  const ana = await api.agency()
  const token = await signed(api, ana, { email: 'nova@example.com' })
  before = async () => worked(await logIn(api, token))
  t.is(worked(await logIn(api, token)).email, 'nova@example.com')
  const [told, ...more] = await api.mailsTo(ana.email)
  t.deepEqual(more, [])
  t.regex(told ?? '', /^Olá, .+!\n\nO e-mail com que você entra no sistema da imobiliária acabou de ser alterado\./)
  t.false(told?.includes('nova@example.com'))
  worked(await logIn(api, await signed(api, ana, { email: 'nova@example.com', name: 'Ana Lima' })))
  await api.host.store.commit([
    patch(users, worked(await logIn(api, token)).id, { set: { emailUnproven: true }, when: always }),
  ])
  worked(await logIn(api, await signed(api, ana, { email: 'outra@example.com' })))
  t.deepEqual([await api.mailsTo('nova@example.com'), await api.mailsTo('outra@example.com')], [[], []])
})

test('a login with the e-mail of another user succeeds and does not take it', async (t) => {
  const api = await openEstateApi(t)
  const [ana, bia] = [await api.agency(), await api.agency()]
  const answer = await logIn(api, await signed(api, ana, { email: bia.email.toUpperCase(), name: 'Ana Lima' }))
  t.like(answer, { status: 200, body: { email: ana.email, name: 'Ana Lima' } })
  t.like(worked(await logIn(api, bia.token)), { email: bia.email })
})

const bodyOf = (path: string) =>
  path.endsWith('/import') ? { body: 'name', headers: { 'content-type': 'text/csv' } } : { body: {} }

test('an unregistered user is 404 at login, and 403 at every other route but registration', async (t) => {
  const api = await openEstateApi(t)
  const token = await api.sign({ sub: 'unknown', email: 'unknown@example.com', email_verified: true })
  const before = await api.everything()
  t.is(outcomeOf(await logIn(api, token)), '404 user.unknown')
  const members = rows.filter(({ auth }) => auth === 'member')
  t.true(members.length > 5)
  for (const { paths, methods } of members)
    for (const path of paths) {
      const target = path.replace(/:\w+/g, '3f2b8c1e-5d0a-4f6b-8a3c-000000000001')
      for (const method of methods) {
        const sent = method === 'GET' || method === 'DELETE' ? {} : bodyOf(path)
        const answer = await api.ask(method, target, { token, ...sent })
        t.is(outcomeOf(answer), '403 user.unregistered', `${method} ${target}: ${answer.text}`)
      }
    }
  t.deepEqual(await api.everything(), before)
})

test('the scheme of the Authorization header is case-insensitive; a trailing comma makes the header invalid', async (t) => {
  const { api, token } = await openAgency(t)
  const statusOf = async (authorization: string) =>
    (await api.ask('POST', '/api/auth/login', { headers: { authorization } })).status
  t.deepEqual([await statusOf(`bearer   ${token}`), await statusOf(`Bearer ${token},`)], [200, 401])
})

const CLOSED = { env: { OPEN_REGISTRATION: 'false' } }
const EMAIL = 'bruno@aurora.example'

const accept = async (api: EstateTestApi, token: string, claims: object = {}) => {
  const signed = await api.sign({ sub: 'bruno', email: EMAIL, email_verified: true, ...claims })
  return api.ask('POST', '/api/invitations/accept', { token: signed, body: { token, name: 'Bruno Lima' } })
}

test('an invited e-mail registers once in its role, although staff registration is closed', async (t) => {
  const urls = { PUBLIC_URL: 'https://pay.example.com', REAL_ESTATE_PUBLIC_URL: 'https://imoveis.example.com' }
  const api = await openEstateApi(t, { env: { ...CLOSED.env, ...urls } })
  const admin = await api.agency({ legalName: 'Imobiliária Aurora Ltda.' })
  const { token } = await invited(api, admin, EMAIL, 'Broker')
  await api.drain()
  const outbox = join(api.host.settings.DATA_DIR, 'outbox')
  const [file = ''] = await readdir(outbox)
  t.regex(await readFile(join(outbox, file), 'utf8'), /^To: bruno@aurora\.example\r$/m)
  const [mail = ''] = await api.mailsTo(EMAIL)
  t.regex(mail, /Imobiliária Aurora Ltda\. convidou você/)
  t.true(mail.includes(`\nhttps://imoveis.example.com/panel#convite=${token}\n`))
  t.false(JSON.stringify(await api.everything()).includes(token), 'the token is stored nowhere')
  const preview = worked(await api.ask('POST', '/api/invitations/preview', { body: { token } }))
  t.like(preview, { company: 'Imobiliária Aurora Ltda.', email: EMAIL, role: 'Broker' })
  const before = await api.every(users)
  t.is(outcomeOf(await accept(api, token, { email: 'outro@example.com' })), '403 invitation.other-email')
  t.is(outcomeOf(await accept(api, token, { email_verified: false })), '403 invitation.email-unverified')
  t.deepEqual(await api.every(users), before)
  const [one, other] = await Promise.all([accept(api, token), accept(api, token)])
  t.deepEqual([one.status, other.status].sort(), [201, 404])
  const made = one.status === 201 ? one.body : other.body
  t.like(made, { role: 'Broker', email: EMAIL, name: 'Bruno Lima', companyId: admin.companyId })
  t.is((await accept(api, token, { sub: 'another' })).status, 404)
  const list = worked(await api.ask('GET', '/api/invitations', { token: admin.token }))
  t.like(list.data[0], { email: EMAIL, status: 'Accepted', acceptedAt: made.createdAt })
  const again = { token: admin.token, body: { email: EMAIL, role: 'Broker' } }
  t.is(outcomeOf(await api.ask('POST', '/api/invitations', again)), '409 user.email.taken')
})

test('a revoked, replaced, expired or unknown invitation registers no user', async (t) => {
  const api = await openEstateApi(t, CLOSED)
  const [admin, stranger] = [await api.agency(), await api.agency()]
  const first = await invited(api, admin, EMAIL)
  api.clock.advance(1)
  const second = await invited(api, admin, EMAIL)
  api.clock.advance(1)
  const third = await invited(api, stranger, EMAIL)
  const revoke = () => api.ask('DELETE', `/api/invitations/${second.id}`, { token: admin.token })
  t.deepEqual([(await revoke()).status, (await revoke()).status], [204, 204])
  api.clock.advance(7 * 24 * 3_600)
  for (const token of [first.token, second.token, third.token, 'x'.repeat(40)]) {
    t.is(outcomeOf(await accept(api, token)), '404 invitation.unknown')
    t.is((await api.ask('POST', '/api/invitations/preview', { body: { token } })).status, 404)
  }
  const fresh = await api.sign({ sub: admin.uid, email: admin.email, email_verified: true })
  const { data } = worked(await api.ask('GET', '/api/invitations', { token: fresh }))
  const statuses = data.map(({ status }: { status: string }) => status)
  t.deepEqual(statuses, ['Revoked', 'Revoked'])
})

test('a company sends at most fifty invitations in 24 hours', async (t) => {
  const api = await openEstateApi(t)
  const { token, uid, email } = await api.agency()
  const invite = (number: number, by = token) =>
    api.ask('POST', '/api/invitations', { token: by, body: { email: `n${number}@example.com`, role: 'Financial' } })
  for (let number = 1; number <= 50; number += 1) t.is((await invite(number)).status, 201)
  const refused = await invite(51)
  t.is(outcomeOf(refused), '429 invitation.too-many')
  t.is(refused.headers.get('retry-after'), `${24 * 3_600}`)
  api.clock.advance(24 * 3_600 + 1)
  t.is((await invite(51, await api.sign({ sub: uid, email, email_verified: true }))).status, 201)
})
