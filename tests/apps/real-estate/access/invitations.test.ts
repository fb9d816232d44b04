import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'ava'
import { users } from '../../../../core/real-estate/records/people.ts'
import { invited } from '../given/basics.ts'
import { type EstateTestApi, openEstateApi, worked } from '../test-api.ts'

const CLOSED = { env: { OPEN_REGISTRATION: 'false' } }
const EMAIL = 'bruno@aurora.example'

const accept = async (api: EstateTestApi, token: string, claims: object = {}) => {
  const signed = await api.sign({ sub: 'bruno', email: EMAIL, email_verified: true, ...claims })
  return api.ask('POST', '/api/invitations/accept', { token: signed, body: { token, name: 'Bruno Lima' } })
}

test('an invited e-mail registers itself in its role where staff may not, once', async (t) => {
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
  t.like(await accept(api, token, { email: 'outro@example.com' }), {
    status: 403,
    body: { code: 'invitation.other-email' },
  })
  t.like(await accept(api, token, { email_verified: false }), {
    status: 403,
    body: { code: 'invitation.email-unverified' },
  })
  t.deepEqual(await api.every(users), before)
  const [one, other] = await Promise.all([accept(api, token), accept(api, token)])
  t.deepEqual([one.status, other.status].sort(), [201, 404])
  const made = one.status === 201 ? one.body : other.body
  t.like(made, { role: 'Broker', email: EMAIL, name: 'Bruno Lima', companyId: admin.companyId })
  t.is((await accept(api, token, { sub: 'another' })).status, 404)
  const list = worked(await api.ask('GET', '/api/invitations', { token: admin.token }))
  t.like(list.data[0], { email: EMAIL, status: 'Accepted', acceptedAt: made.createdAt })
  const again = { token: admin.token, body: { email: EMAIL, role: 'Broker' } }
  t.like(await api.ask('POST', '/api/invitations', again), { status: 409, body: { code: 'user.email.taken' } })
})

test('an invitation that is revoked, replaced, expired or unknown registers no user', async (t) => {
  const api = await openEstateApi(t, CLOSED)
  const [admin, stranger] = [await api.agency(), await api.agency()]
  const first = await invited(api, admin, EMAIL)
  api.clock.advance(1)
  const second = await invited(api, admin, EMAIL)
  api.clock.advance(1)
  const third = await invited(api, stranger, EMAIL)
  const revoke = (token: string) => api.ask('DELETE', `/api/invitations/${second.id}`, { token })
  t.is((await revoke(stranger.token)).status, 404)
  t.deepEqual([(await revoke(admin.token)).status, (await revoke(admin.token)).status], [204, 204])
  api.clock.advance(7 * 24 * 3_600)
  for (const token of [first.token, second.token, third.token, 'x'.repeat(40)]) {
    t.like(await accept(api, token), { status: 404, body: { code: 'invitation.unknown' } })
    t.is((await api.ask('POST', '/api/invitations/preview', { body: { token } })).status, 404)
  }
  const fresh = await api.sign({ sub: admin.uid, email: admin.email, email_verified: true })
  const { data } = worked(await api.ask('GET', '/api/invitations', { token: fresh }))
  t.deepEqual(
    data.map(({ status }: { status: string }) => status),
    ['Revoked', 'Revoked'],
  )
})

test('a company invites fifty e-mails in a day, and one more a day later', async (t) => {
  const api = await openEstateApi(t)
  const { token, uid, email } = await api.agency()
  const invite = (number: number, by = token) =>
    api.ask('POST', '/api/invitations', { token: by, body: { email: `n${number}@example.com`, role: 'Financial' } })
  for (let number = 1; number <= 50; number += 1) t.is((await invite(number)).status, 201)
  const refused = await invite(51)
  t.like(refused, { status: 429, body: { code: 'invitation.too-many' } })
  t.is(refused.headers.get('retry-after'), `${24 * 3_600}`)
  api.clock.advance(24 * 3_600 + 1)
  t.is((await invite(51, await api.sign({ sub: uid, email, email_verified: true }))).status, 201)
})
