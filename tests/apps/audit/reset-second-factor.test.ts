import test from 'ava'
import { audit } from '../../../core/payments/office.ts'
import { type Command, printedInTurn } from '../host/process.ts'
import { secured } from '../payments/given/given.ts'
import { openTestApi, worked } from '../payments/test-api.ts'

test('removes the second factor of a person while the store serves, and refuses others with one line', async (t) => {
  const api = await openTestApi(t)
  const { token, body } = await secured(api)
  const { email = '', password } = body
  const run = (...words: readonly string[]): Command => [['reset-second-factor', ...words], api.host.settings.STORE_URL]
  const refused = (err: string) => ({ code: 1, out: [''], err: `${err}\n` })
  t.deepEqual(await printedInTurn([run(), run('ninguem@example.com'), run(email), run(email)]), [
    refused('portico reset-second-factor EMAIL'),
    refused('EMAIL: the store has no user with this e-mail'),
    { code: 0, out: [`${email}: second factor and passkeys removed, sessions ended`], err: '' },
    refused('EMAIL: the user has no second factor'),
  ])
  t.is((await api.ask('GET', '/v1/auth/me', { token })).status, 401)
  worked(await api.ask('POST', '/v1/auth/login', { body: { email, password } }))
  t.is((await api.mailsTo(email)).filter((mail) => mail.includes('retirou a sua verificação')).length, 1)
  const [entry] = (await api.every(audit.entries)).filter(({ action }) => action === 'second-factor.reset')
  t.like(entry, { actorUserId: null, subject: entry?.chain })
})
