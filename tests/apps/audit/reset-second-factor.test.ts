import test from 'ava'
import { audit } from '../../../core/payments/office.ts'
import { secured } from '../given/given.ts'
import { printed } from '../host/process.ts'
import { openTestApi, worked } from '../payments/test-api.ts'

test('removes the second factor of a person while the store serves, and refuses others with one line', async (t) => {
  const api = await openTestApi(t)
  const { token, body } = await secured(api)
  const { email = '', password } = body
  const run = (...words: readonly string[]) => printed(['reset-second-factor', ...words], api.host.settings.STORE_URL)
  const refused = (err: string) => ({ code: 1, out: [''], err: `${err}\n` })
  t.deepEqual(await run(), refused('portico reset-second-factor EMAIL'))
  t.deepEqual(await run('ninguem@example.com'), refused('EMAIL: the store has no user with this e-mail'))
  const out = [`${email}: second factor and passkeys removed, sessions ended`]
  t.deepEqual(await run(email), { code: 0, out, err: '' })
  t.deepEqual(await run(email), refused('EMAIL: the user has no second factor'))
  t.is((await api.ask('GET', '/v1/auth/me', { token })).status, 401)
  worked(await api.ask('POST', '/v1/auth/login', { body: { email, password } }))
  t.is((await api.mailsTo(email)).filter((mail) => mail.includes('retirou a sua verificação')).length, 1)
  const [entry] = (await api.every(audit.entries)).filter(({ action }) => action === 'second-factor.reset')
  t.like(entry, { actorUserId: null, subject: entry?.chain })
})
