import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import test, { type ExecutionContext } from 'ava'
import PostalMime from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { smtpTenantMailer } from '../../../adapters/messaging/smtp.ts'
import type { SmtpServer } from '../../../core/ports/messaging.ts'

const MAIL = { id: 'a', to: 'cliente@example.com', subject: 'Olá', text: 'Oi', html: '<p>Oi</p>' }
const SERVER: SmtpServer = {
  host: 'smtp.loja.example',
  port: 0,
  user: 'loja',
  password: 'segredo',
  encryption: 'tls',
  fromName: 'Loja, a boa',
  fromAddress: 'contato@loja.example',
}

const serve = async (t: ExecutionContext, options: SMTPServerOptions = {}) => {
  const received: Buffer[] = []
  const users: string[] = []
  const server = new SMTPServer({
    closeTimeout: 50,
    onAuth: ({ username = '', password = '' }, _session, done) => {
      users.push(`${username}:${password}`)
      if (password === 'segredo') done(null, { user: username })
      else done(new Error('Bad credentials'))
    },
    onData: (stream, _session, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        received.push(Buffer.concat(chunks))
        done()
      })
    },
    ...options,
  })
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  t.teardown(() => new Promise<void>((done) => server.close(() => done())))
  return { received, users, port: (server.server.address() as AddressInfo).port }
}

const lookup = async () => ['127.0.0.1']
const trusting = smtpTenantMailer({ allowPrivate: true, lookup, trustAnyCertificate: true })

test('a mail goes through the account’s server, signed in and encrypted, in its name', async (t) => {
  for (const encryption of ['tls', 'ssl'] as const) {
    const { received, users, port } = await serve(t, { secure: encryption === 'ssl' })
    await trusting.send(MAIL, { ...SERVER, port, encryption })
    const parsed = await PostalMime.parse(received[0] ?? '')
    t.deepEqual(parsed.from, { name: 'Loja, a boa', address: 'contato@loja.example' })
    t.is(parsed.subject, 'Olá')
    t.deepEqual(users, ['loja:segredo'])
  }
})

test('a server that offers no encryption gets no password', async (t) => {
  const { users, port } = await serve(t, { disabledCommands: ['STARTTLS'], allowInsecureAuth: true })
  await t.throwsAsync(trusting.send(MAIL, { ...SERVER, port }))
  t.deepEqual(users, [])
})

test('a server that nobody vouches for, a wrong password and silence are failures', async (t) => {
  const { port, received } = await serve(t)
  await t.throwsAsync(smtpTenantMailer({ allowPrivate: true, lookup }).send(MAIL, { ...SERVER, port }))
  await t.throwsAsync(trusting.send(MAIL, { ...SERVER, port, password: 'errada' }), { message: /535/ })
  const quiet = await serve(t, { onConnect: () => {} })
  const impatient = smtpTenantMailer({ allowPrivate: true, lookup, trustAnyCertificate: true, timeoutMs: 200 })
  await t.throwsAsync(impatient.send(MAIL, { ...SERVER, port: quiet.port }))
  t.deepEqual(received, [])
})

test('private addresses, and ports where no mail is taken, are not called', async (t) => {
  const { port, users } = await serve(t)
  const cautious = (addresses: readonly string[]) =>
    smtpTenantMailer({ allowPrivate: false, lookup: async () => addresses })
  await t.throwsAsync(cautious(['127.0.0.1']).send(MAIL, { ...SERVER, port: 587 }), {
    message: /^private address: .*WEBHOOKS_ALLOW_PRIVATE/,
  })
  await t.throwsAsync(cautious(['8.8.8.8', '10.0.0.1']).send(MAIL, { ...SERVER, port: 587 }), {
    message: /^private address: .*WEBHOOKS_ALLOW_PRIVATE/,
  })
  await t.throwsAsync(cautious(['8.8.8.8']).send(MAIL, { ...SERVER, port }), {
    message: /^refused port: .*WEBHOOKS_ALLOW_PRIVATE/,
  })
  await t.throwsAsync(cautious([]).send(MAIL, { ...SERVER, port: 587 }), { message: 'dns' })
  t.deepEqual(users, [])
})
