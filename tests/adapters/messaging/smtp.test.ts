import { createServer } from 'node:net'
import test, { type ExecutionContext } from 'ava'
import PostalMime from 'postal-mime'
import type { SMTPServerOptions } from 'smtp-server'
import { smtpMailer, smtpTenantMailer } from '../../../adapters/messaging/smtp.ts'
import type { Mail, SmtpServer } from '../../../core/ports/messaging.ts'
import { listening } from '../../listening.ts'
import { startSmtp } from './smtp-server.ts'

const FROM = 'Pórtico <no-reply@portico.example>'
const mail: Mail = { id: 'evt_12', to: 'client@example.com', subject: 'Código 🔐', text: 'Olá, João!' }

const serve = async (t: ExecutionContext, options: SMTPServerOptions = {}, at = 0) => {
  const server = await startSmtp(options, at)
  t.teardown(server.close)
  /** A mailer to this server; a user is `name:password@`. */
  const mailerAs = (user: string) => {
    const mailer = smtpMailer({ url: `smtp://${user}127.0.0.1:${server.port}`, from: FROM })
    t.teardown(() => mailer.close())
    return mailer
  }
  return { ...server, mailerAs, mailer: mailerAs('') }
}

test('breaks encoded words in names', async (t) => {
  const { received, mailer } = await serve(t)
  const inNameOf = { name: '=?UTF-8?Q?abc=E2=80=AEdef?=', replyTo: 'dona@padaria.example' }
  await mailer.send({ ...mail, inNameOf })
  // Some mail programs decode quoted names too.
  t.false(/(From|Reply-To): .*=\?/.test(`${received[0]?.source}`))
})

test('signs in with the user and password of the URL', async (t) => {
  const { received, mailerAs } = await serve(t, {
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) =>
      username === 'joão@x' && password === 'p:ss/1' ? done(null, { user: 'joão' }) : done(new Error('no')),
  })
  await mailerAs(`${encodeURIComponent('joão@x')}:${encodeURIComponent('p:ss/1')}@`).send(mail)
  t.is(received[0]?.user, 'joão')
  await t.throwsAsync(mailerAs('a:wrong@').send(mail), { code: 'EAUTH' })
  t.is(received.length, 1)
})

test('sends many mails over at most four connections', async (t) => {
  const { received, mailer, connections } = await serve(t)
  await Promise.all(Array.from({ length: 40 }, (_, at) => mailer.send({ ...mail, id: String(at) })))
  t.is(received.length, 40)
  t.true(connections() <= 4, String(connections()))
})

test('rejects if the server refuses the recipient', async (t) => {
  const { received, mailer } = await serve(t, { onRcptTo: (_a, _session, done) => done(new Error('no such user')) })
  await t.throwsAsync(mailer.send(mail), { code: 'EENVELOPE' })
  t.is(received.length, 0)
})

test('rejects while the server is down, and sends again afterwards', async (t) => {
  const first = await serve(t)
  const { mailer } = first
  await mailer.send(mail)
  await first.close()
  await t.throwsAsync(mailer.send(mail))
  const second = await serve(t, {}, first.port)
  await mailer.send(mail)
  t.is(second.received.length, 1)
})

test('rejects after the time-out if the server never answers', async (t) => {
  let connections = 0
  const silent = createServer(() => (connections += 1))
  const { port, close } = await listening(silent)
  const mailer = smtpMailer({ url: `smtp://127.0.0.1:${port}`, from: FROM, timeoutMs: 2_000 })
  t.teardown(() => Promise.all([mailer.close(), close()]))
  await t.throwsAsync(mailer.send(mail))
  t.is(connections, 1)
})

test('rejects an address with a comma or a line break, so that no second recipient is added', async (t) => {
  const { received, mailer } = await serve(t)
  for (const between of [', ', '>\r\nRCPT TO:<', ';'])
    await t.throwsAsync(mailer.send({ ...mail, to: `a@example.com${between}b@example.com` }), undefined, between)
  t.deepEqual(received, [])
  await mailer.send(mail)
  t.deepEqual(
    received.map(({ recipients }) => recipients),
    [['client@example.com']],
  )
})

test('sends nothing after close', async (t) => {
  const { received, mailer } = await serve(t)
  mailer.close()
  await t.throwsAsync(mailer.send(mail))
  t.is(received.length, 0)
})

const TENANT_SERVER: SmtpServer = {
  ...{ host: 'smtp.loja.example', port: 0, user: 'loja', password: 'segredo', encryption: 'tls' as const },
  ...{ fromName: 'Loja, a boa', fromAddress: 'contato@loja.example' },
}

/** Serves with encryption and the password of `TENANT_SERVER`. */
const serveTenant = async (t: ExecutionContext, options: SMTPServerOptions = {}) => {
  const users: string[] = []
  const server = await serve(t, {
    authOptional: false,
    disabledCommands: [],
    onAuth: ({ username = '', password = '' }, _session, done) => {
      users.push(`${username}:${password}`)
      if (password === 'segredo') done(null, { user: username })
      else done(new Error('Bad credentials'))
    },
    ...options,
  })
  return { ...server, users }
}

const lookup = async () => ['127.0.0.1']
const tenantMailer = smtpTenantMailer({ allowPrivate: true, lookup, trustAnyCertificate: true })

test('sends a mail over the account’s server, authenticated, encrypted and in the account’s name', async (t) => {
  for (const encryption of ['tls', 'ssl'] as const) {
    const { received, users, port } = await serveTenant(t, { secure: encryption === 'ssl' })
    await tenantMailer.send(mail, { ...TENANT_SERVER, port, encryption })
    const parsed = await PostalMime.parse(received[0]?.source ?? '')
    t.deepEqual(parsed.from, { name: 'Loja, a boa', address: 'contato@loja.example' })
    t.is(parsed.subject, mail.subject)
    t.deepEqual(users, ['loja:segredo'])
  }
})

test('sends no password to a server without encryption', async (t) => {
  const { users, port } = await serveTenant(t, { disabledCommands: ['STARTTLS'], allowInsecureAuth: true })
  await t.throwsAsync(tenantMailer.send(mail, { ...TENANT_SERVER, port }))
  t.deepEqual(users, [])
})

test('rejects for an untrusted certificate, a wrong password and silence', async (t) => {
  const { port, received } = await serveTenant(t)
  await t.throwsAsync(smtpTenantMailer({ allowPrivate: true, lookup }).send(mail, { ...TENANT_SERVER, port }))
  await t.throwsAsync(tenantMailer.send(mail, { ...TENANT_SERVER, port, password: 'errada' }), {
    message: /535/,
  })
  const silent = await serveTenant(t, { onConnect: () => {} })
  const impatient = smtpTenantMailer({ allowPrivate: true, lookup, trustAnyCertificate: true, timeoutMs: 200 })
  await t.throwsAsync(impatient.send(mail, { ...TENANT_SERVER, port: silent.port }))
  t.deepEqual(received, [])
})

test('does not connect to private addresses or to ports other than those of mail', async (t) => {
  const { port, users } = await serveTenant(t)
  const privateAddress = /^private address: .*WEBHOOKS_ALLOW_PRIVATE/
  for (const [addresses, to, message] of [
    [['127.0.0.1'], 587, privateAddress],
    [['8.8.8.8', '10.0.0.1'], 587, privateAddress],
    [['8.8.8.8'], port, /^refused port: .*WEBHOOKS_ALLOW_PRIVATE/],
    [[], 587, /^dns$/],
  ] as const) {
    const cautious = smtpTenantMailer({ allowPrivate: false, lookup: async () => addresses })
    await t.throwsAsync(cautious.send(mail, { ...TENANT_SERVER, port: to }), { message })
  }
  t.deepEqual(users, [])
})
